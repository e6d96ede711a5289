"""Brings a database up to date before anybody uses it."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

_LOCK = 0x5041_5452_495A  # of all servers that share a PostgreSQL database, one migrates


def migrate(connection: Connection) -> None:
    """Run the missing migrations, all of them or none."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
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
