import asyncio
import sys
from importlib import resources
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, text

from patrizier.server.store import migrate
from patrizier.server.store.database import connect
from patrizier.server.store.migrate import NEWEST
from patrizier.server.store.migrations.versions import v0004_one_mail_queue as one_queue
from patrizier.server.store.migrations.versions import v0006_hosts as hosts
from patrizier.server.store.models import metadata
from patrizier.server.store.sql import SqlStore, open_store
from server.store.test_store import add

pytestmark = pytest.mark.anyio

SCRIPTS = Path(migrate.__file__).parent / "migrations"


async def test_migrations_make_what_the_models_say(store: SqlStore) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    assert await store.database.write(differences) == []


async def test_starting_again_changes_nothing(store: SqlStore, database_url: str) -> None:
    again = await open_store(database_url)
    await again.close()


async def test_the_newest_migration_is_named(store: SqlStore) -> None:
    def version(connection: Connection) -> object:
        return connection.scalar(text("SELECT version_num FROM alembic_version"))

    files = resources.files("patrizier.server.store.migrations.versions").iterdir()
    newest = max(file.name for file in files if file.name.startswith("v"))
    assert newest.startswith(f"v{NEWEST}_")
    assert await store.database.read(version) == NEWEST


async def test_a_database_that_is_up_to_date_needs_no_alembic(
    store: SqlStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "alembic", None)
    again = await open_store(database_url)
    await again.close()


async def test_servers_that_start_at_once_do_not_collide(database_url: str) -> None:
    stores = await asyncio.gather(*(open_store(database_url) for _ in range(4)))
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_database_from_the_future_is_left_alone(store: SqlStore, database_url: str) -> None:
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    await store.database.write(lambda conn: conn.execute(newer))
    with pytest.raises(RuntimeError, match="does not fit this version"):
        await open_store(database_url)


async def test_turns_told_before_there_was_one_queue_stay_told(
    store: SqlStore, database_url: str
) -> None:
    def go_back(connection: Connection) -> None:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            one_queue.downgrade()
            connection.execute(text("INSERT INTO mails VALUES ('slow', 4, 'anna', 1.0)"))
            one_queue.upgrade()

    await add(store, "slow", pace="correspondence:3", turn=4)
    await store.database.write(go_back)
    keys = text("SELECT key, due FROM mail_queue")
    rows = await store.database.read(lambda conn: [tuple(row) for row in conn.execute(keys)])
    assert rows == [("turn slow 4 anna", None)]


async def test_hosts_are_known_of_tables_from_before(store: SqlStore) -> None:
    def go_back(connection: Connection) -> None:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            hosts.downgrade()
            # Then it meant any bot that is to move.
            connection.execute(text("UPDATE tables SET bot_to_move = true, due = NULL"))
            hosts.upgrade()

    await add(store, "open", phase="open", host="anna")
    await add(store, "slow", phase="playing", pace="correspondence:3", host="ben", at=7.0)
    await add(store, "quick", phase="playing", host="ben", at=9.0)
    await store.database.write(go_back)
    assert await store.open_tables_of("anna") == 1
    assert await store.bot_tables() == ["open", "slow"]
    # Whether somebody still plays there is looked at when a day has passed.
    assert await store.due_tables(1e9) == ["slow", "quick"]


async def test_people_of_before_there_were_sessions_are_kept(database_url: str) -> None:
    def begin(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(SCRIPTS))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "0003")
        connection.execute(
            text(
                "INSERT INTO people (id, name, created, seen, login, password_hash, mail, epoch, "
                "erased, language) VALUES ('anna-0123456789ab', 'Anna', 1, 2, 'anna', 'kept', "
                "true, 3, false, 'de')"
            )
        )

    database = connect(database_url)
    await database.write(begin)
    await database.close()
    store = await open_store(database_url)
    person = await store.people.by_login("anna")
    assert person is not None
    assert (person.name, person.password_hash, person.language) == ("Anna", "kept", "de")
    assert await store.sessions.of(person.id) == []
    await store.close()
