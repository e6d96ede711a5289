"""`patrizier bench`: how fast the engine is on this machine."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from patrizier.cli.arguments.options import Json

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from rich.console import Console, Group

    from patrizier.server.loadtest.first_start import FirstStart

_LEVELS = ("merchant", "doge")  # whose first turn is waited for: the middle one, the strongest
_START = (
    "from patrizier import Game; g = Game(seed=1); g.play(g.legal_moves[0]); g.view(0).sample(1)"
)


def bench(
    seconds: Annotated[float, typer.Option(min=0.01, help="Duration of each measurement.")] = 1.0,
    start: Annotated[
        bool,
        typer.Option("--start", help="Measure first starts only: to the page, to a bot's turn."),
    ] = False,
    json: Json = False,
) -> None:
    """Measure random games and decisions per second, the Python API, and start-up times.

    Machines are noisy: compare figures within one run, not between runs.

    Example: `patrizier bench --json > bench.json`
    """
    from rich.console import Console

    console = Console(stderr=True)
    if start:
        from patrizier.server.loadtest.first_start import measure_start

        show_first_starts(measure_start, console, as_json=json)
        return
    with console.status("measuring start-up"):
        report: dict[str, Any] = {"start_up": _start_up()}
    with console.status("compiling"):
        _games_per_second(4, messengers=True, cores=1, seconds=0.01)
    report["results"] = []
    for players in (2, 3, 4, 5):
        for messengers in (False, True):
            for cores in _core_counts():
                with console.status(f"{players} players on {cores} cores"):
                    row = _games_per_second(players, messengers, cores, seconds)
                report["results"].append(row)
    with console.status("the Python API"):
        report["api"] = _api(seconds)
    report["state"] = _state(seconds)
    report["machine"] = _machine()
    if json:
        import json as json_module

        typer.echo(json_module.dumps(report))
    else:
        Console().print(_tables(report))


def show_first_starts(
    measure: "Callable[[str, Path], Coroutine[Any, Any, FirstStart]]",
    console: "Console",
    *,
    as_json: bool,
) -> None:
    """Start servers with nothing cached, and again; each plays until a bot has had its turn."""
    import asyncio
    import json
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from patrizier.kernels import shipped

    folder = shipped.fitting_folder()
    report: dict[str, Any] = {"shipped": folder.name if folder else None, "starts": []}
    for level in _LEVELS:
        with TemporaryDirectory() as cache:
            for cached in (False, True):
                with console.status(f"starting a server, and playing against {level}"):
                    took = asyncio.run(measure(level, Path(cache)))
                report["starts"].append({"level": level, "cached": cached, **took._asdict()})
    report["machine"] = _machine()
    if as_json:
        typer.echo(json.dumps(report))
        return
    typer.echo(f"Code that came with the package: {report['shipped'] or 'none that fits'}")
    typer.echo("level      cached   page s   first turn s")
    for row in report["starts"]:
        kept = "yes" if row["cached"] else "no"
        typer.echo(
            f"{row['level']:10} {kept:6} {row['page_seconds']:8.1f} {row['turn_seconds']:14.1f}"
        )


def _core_counts() -> list[int]:
    import os

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return [1, cores] if cores and cores > 1 else [1]


def _games_per_second(players: int, messengers: bool, cores: int, seconds: float) -> dict[str, Any]:
    """Play random games in one thread per core: kernels release the GIL."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from patrizier.options import Options
    from patrizier.rules.playout import play_games
    from patrizier.rules.scratch import new_scratch

    options = Options(players, ["messengers"] if messengers else [])
    batch = 2_000

    def work(worker: int) -> tuple[int, int]:
        cells, buffer = options.blank_cells(), new_scratch()
        tables, shares = np.zeros((batch, 5, 6), np.int64), np.zeros((batch, 5))
        starts = np.zeros(batch, np.int64)
        games = decisions = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            decisions += play_games(cells, buffer, np.uint64(worker), games, tables, shares, starts)
            games += batch
        return games, decisions

    begin = time.perf_counter()
    with ThreadPoolExecutor(cores) as pool:
        counts = list(pool.map(work, range(cores)))
    took = time.perf_counter() - begin
    return {
        "players": players,
        "messengers": messengers,
        "cores": cores,
        "games_per_second": sum(games for games, _ in counts) / took,
        "decisions_per_second": sum(decisions for _, decisions in counts) / took,
    }


def _api(seconds: float) -> dict[str, float]:
    """Step through games from Python: list legal decisions, choose, apply."""
    import numpy as np

    from patrizier.game import Game
    from patrizier.options import Options

    options = Options(players=4)
    choices = np.random.default_rng(1).random(4096).tolist()
    decisions, took, number = 0, 0.0, 0
    while took < seconds:
        game = Game(options, seed=number)
        number += 1
        begin = time.perf_counter()
        while not game.is_over:
            legal = game.legal_decisions()
            game.decide(legal[int(choices[decisions & 4095] * len(legal))])
            decisions += 1
        took += time.perf_counter() - begin
    return {"decisions_per_second": decisions / took}


def _state(seconds: float) -> dict[str, float]:
    from patrizier.rules.playout import copy_states
    from patrizier.rules.state import STATE, new_cells

    cells, count = new_cells(2), 1_000
    copy_states(cells, count)  # compile before measuring
    copies, begin = 0, time.perf_counter()
    while (took := time.perf_counter() - begin) < seconds:
        copy_states(cells, count)
        copies += count
    return {"bytes": STATE.itemsize, "copy_nanoseconds": took / copies * 1e9}


def _start_up() -> dict[str, float]:
    """Time fresh processes, the first with an empty kernel cache."""
    import os
    import subprocess
    import sys
    import tempfile

    def run(*arguments: str, cache: str) -> float:
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            check=True,
            capture_output=True,
            env={**os.environ, "PATRIZIER_CACHE_DIR": cache},
        )
        return time.perf_counter() - begin

    with tempfile.TemporaryDirectory() as cache:
        return {
            "compile_cold_seconds": run("-c", _START, cache=cache),
            "compile_cached_seconds": min(run("-c", _START, cache=cache) for _ in range(3)),
            "python_seconds": min(run("-c", "", cache=cache) for _ in range(3)),
            "import_seconds": min(run("-c", "import patrizier", cache=cache) for _ in range(3)),
            "help_seconds": min(
                run("-c", "from patrizier.cli.main import app; app(['--help'])", cache=cache)
                for _ in range(3)
            ),
        }


def _machine() -> dict[str, str]:
    import platform

    import numba
    import numpy as np

    return {
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
    }


def _tables(report: dict[str, Any]) -> "Group":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(title="Random games", title_justify="left", box=None)
    for name in ("players", "messengers", "cores", "games / s", "decisions / s"):
        table.add_column(name, justify="right")
    for row in report["results"]:
        table.add_row(
            str(row["players"]),
            "yes" if row["messengers"] else "no",
            str(row["cores"]),
            f"{row['games_per_second']:,.0f}",
            f"{row['decisions_per_second']:,.0f}",
        )
    start, state = report["start_up"], report["state"]
    lines = (
        f"\nPython API: {report['api']['decisions_per_second']:,.0f} decisions per second",
        f"A state has {state['bytes']} bytes and copies in {state['copy_nanoseconds']:.0f} ns",
        f"First start, compiling: {start['compile_cold_seconds']:.1f} s, "
        f"then {start['compile_cached_seconds']:.2f} s",
        f"`import patrizier` {start['import_seconds']:.2f} s, `patrizier --help` "
        f"{start['help_seconds']:.2f} s (Python itself {start['python_seconds']:.2f} s)",
        ", ".join(f"{name} {value}" for name, value in report["machine"].items()),
    )
    return Group(table, *(Text(line) for line in lines))
