"""`patrizier serve`: the game server."""

from importlib.util import find_spec
from typing import Annotated, Any

import typer

from patrizier.cli.options import fail

_POSTGRES = "asyncpg"  # its driver


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; 0.0.0.0 lets others in. [127.0.0.1]")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one. [8321]")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="postgresql://…, or a file. [a file in the data folder]"),
    ] = None,
    data_dir: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for the database and the secret.")
    ] = None,
) -> None:
    """Serve tables that people and bots share, in the browser.

    Every setting is also an environment variable, PATRIZIER_HOST and so on: see docs/server.md.

    Example: `patrizier serve --host 0.0.0.0`
    """
    given = {"host": host, "port": port, "database": database, "data_dir": data_dir}
    _run({name: value for name, value in given.items() if value is not None})


def _run(given: dict[str, Any]) -> None:
    from pydantic import ValidationError

    from patrizier.server.process import run
    from patrizier.server.settings import Settings

    try:
        settings = Settings(**given)
        _ = settings.signing_secret
        if settings.database_url.startswith("postgresql") and find_spec(_POSTGRES) is None:
            fail(f"PostgreSQL needs {_POSTGRES}: pip install patrizier[postgres]")
    except ValidationError as error:
        fail("; ".join(f"{_option(part['loc'])}{part['msg']}" for part in error.errors()))
    except (OSError, ValueError) as error:
        fail(str(error))
    raise typer.Exit(run(settings))


def _option(where: tuple[int | str, ...]) -> str:
    """Return the name of a setting as the environment has it; never its value."""
    return f"PATRIZIER_{str(where[0]).upper()}: " if where else ""
