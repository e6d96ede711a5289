"""Settings of the server that a command works on."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from patrizier.cli.arguments.options import fail

if TYPE_CHECKING:
    from patrizier.server.settings import Settings

Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="postgresql://…, or a file. [a file in the data folder]"
    ),
]
DataDir = Annotated[
    str | None,
    typer.Option("--data-dir", metavar="DIR", help="Folder for the database and the secret."),
]


def read_settings(**given: Any) -> "Settings":
    """Return the settings; those that are None come from the environment."""
    from pydantic import ValidationError

    from patrizier.server.settings import Settings

    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        fail("; ".join(f"{_option(part['loc'])}{part['msg']}" for part in error.errors()))
    if settings.database_url.startswith("postgresql") and find_spec("asyncpg") is None:
        fail("PostgreSQL needs asyncpg: pip install patrizier[postgres]")
    return settings


def _option(where: tuple[int | str, ...]) -> str:
    """Return the environment variable of a setting; never its value."""
    return f"PATRIZIER_{str(where[0]).upper()}: " if where else ""
