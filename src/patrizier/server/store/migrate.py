"""Brings a database up to date before anybody uses it."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

NEWEST = "0004"

_LOCK = 0x5041_5452_495A  # of all servers that share a PostgreSQL database, one migrates
_TABLE = "alembic_version"


def migrate(connection: Connection) -> None:
    """Run the missing migrations, all of them or none."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if not _is_up_to_date(connection):
        _upgrade(connection)


def _is_up_to_date(connection: Connection) -> bool:
    """Whether there is nothing to do: most starts need not load Alembic, which takes a while."""
    if not inspect(connection).has_table(_TABLE):
        return False
    return connection.scalars(text(f"SELECT version_num FROM {_TABLE}")).all() == [NEWEST]


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise RuntimeError(f"the database does not fit this version of the server: {error}") from (
            error
        )
