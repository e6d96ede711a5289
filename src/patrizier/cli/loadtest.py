"""`patrizier loadtest`: how much load a server on this machine can take."""

from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import Json, fail

if TYPE_CHECKING:
    from patrizier.server.loadtest.run import Plan, Report


def loadtest(
    url: Annotated[
        str, typer.Argument(metavar="[URL]", help="A running server; default: start one.")
    ] = "",
    tables: Annotated[
        int, typer.Option("--tables", min=1, max=2000, help="Tables, each with two clients.")
    ] = 500,
    rate: Annotated[
        float, typer.Option("--rate", min=1, max=5000, help="Turns per second in total.")
    ] = 200,
    seconds: Annotated[float, typer.Option("--seconds", min=1, max=600, help="Duration.")] = 60,
    idle: Annotated[
        int, typer.Option("--idle", min=0, max=2000, help="Idle tables, to measure their memory.")
    ] = 500,
    database: Annotated[
        str,
        typer.Option("--database", metavar="URL", help="Database of the started server. [SQLite]"),
    ] = "",
    json: Json = False,
) -> None:
    """Play games over WebSockets, and measure the latency between players.

    Only servers on this machine are tested. Raise the limits of a running server first
    (PATRIZIER_RATE_FACTOR and so on), because all clients share one address.

    Example: `patrizier loadtest --tables 500 --rate 200 --seconds 60`
    """
    from patrizier.server.loadtest.run import Plan

    report = _run(url, Plan(tables, rate, seconds, idle), database, quiet=json)
    if json:
        import json as json_module

        typer.echo(json_module.dumps(report.to_json()))
    else:
        typer.echo(_told(report))


def _run(url: str, plan: "Plan", database: str, *, quiet: bool) -> "Report":
    import asyncio
    import tempfile
    from pathlib import Path

    from patrizier.server.loadtest.client import Failed, NotHere, check_loopback
    from patrizier.server.loadtest.process import ServerFailed, ServerProcess
    from patrizier.server.loadtest.run import run

    def say(text: str) -> None:
        if not quiet:
            typer.echo(text)

    try:
        if url:
            return asyncio.run(run(check_loopback(url), plan, None, say))
        with (
            tempfile.TemporaryDirectory(prefix="patrizier-load-") as folder,
            ServerProcess(Path(folder), database) as server,
        ):
            try:
                return asyncio.run(run(server.url, plan, server.pid, say))
            finally:
                for line in server.errors[:10]:
                    typer.echo(line, err=True)
    except (NotHere, ServerFailed, Failed, OSError, TimeoutError) as error:
        fail(str(error) or type(error).__name__)


def _told(report: "Report") -> str:
    lines = [
        f"{report.turns} turns in {report.seconds:g} s: {report.turns_per_second:g} per second, "
        f"{report.games_finished} games finished",
        f"Turn sent to opponent's view:  {_times(report.wait_ms)}",
        f"Turn sent to own view:         {_times(report.answer_ms)}",
        f"{report.messages} messages on {report.sockets} sockets, {report.refused} refused, "
        f"{report.sockets_lost} sockets lost",
    ]
    if report.processor_ms_per_turn is not None:
        lines.append(f"CPU time of the server: {report.processor_ms_per_turn:g} ms per turn")
    if report.memory_start is not None and report.memory_end is not None:
        lines.append(
            f"Memory of the server: {report.memory_start / 2**20:.0f} MB at first, "
            f"{report.memory_end / 2**20:.0f} MB under load"
        )
    if report.memory_per_idle_table is not None:
        lines.append(f"An idle table takes {report.memory_per_idle_table / 1024:.1f} KB")
    return "\n".join(lines)


def _times(ms: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:g} ms" for name, value in ms.items())
