"""Migrates a database before it is used."""

from pathlib import Path

from sqlalchemy import Connection, MetaData, Table, inspect, text

from .models import metadata

NEWEST = "0010"

_LOCK = 0x5041_5452_495A  # only one of the servers on a PostgreSQL database migrates
_TABLE = "alembic_version"


def migrate(connection: Connection) -> None:
    """Run the missing migrations, all of them or none."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if not _is_up_to_date(connection):
        _upgrade(connection)


def start_anew(connection: Connection, version: str) -> None:
    """Drop our tables and create those of a version: for an empty database."""
    for table in reversed(tables_in(connection)):
        table.drop(connection)
    connection.execute(text(f"DROP TABLE IF EXISTS {_TABLE}"))
    _upgrade(connection, version)


def tables_in(connection: Connection) -> list[Table]:
    """Return our tables in a database, each after those it refers to."""
    there = set(inspect(connection).get_table_names()) & set(metadata.tables)
    found = MetaData()
    found.reflect(bind=connection, only=sorted(there), resolve_fks=False)
    return found.sorted_tables


def _is_up_to_date(connection: Connection) -> bool:
    """Whether there is nothing to do: then Alembic, which is slow to load, is not needed."""
    if not inspect(connection).has_table(_TABLE):
        return False
    return connection.scalars(text(f"SELECT version_num FROM {_TABLE}")).all() == [NEWEST]


def _upgrade(connection: Connection, version: str = "head") -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, version)
    except CommandError as error:
        raise RuntimeError(f"the database does not fit this version of the server: {error}") from (
            error
        )
