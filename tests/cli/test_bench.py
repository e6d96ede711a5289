import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from patrizier.cli.bench import show_first_starts
from patrizier.cli.main import app
from patrizier.kernels.cache import cache_root
from patrizier.server.loadtest.first_start import FirstStart, measure_start


def test_it_measures_every_number_of_players() -> None:
    done = CliRunner().invoke(app, ["bench", "--seconds", "0.01", "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    rows = {(row["players"], row["messengers"]) for row in report["results"]}
    assert rows == {(players, with_) for players in (2, 3, 4, 5) for with_ in (False, True)}
    assert all(row["games_per_second"] > 0 for row in report["results"])
    assert all(row["decisions_per_second"] > row["games_per_second"] for row in report["results"])
    assert {row["cores"] for row in report["results"]} >= {1}
    assert report["api"]["decisions_per_second"] > 0
    assert report["state"]["bytes"] <= 1024
    start = report["start_up"]
    assert start["compile_cold_seconds"] > start["compile_cached_seconds"]


def test_first_starts_are_measured_with_nothing_cached_and_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    caches: list[tuple[str, Path, bool]] = []

    async def measured(level: str, cache: Path) -> FirstStart:
        caches.append((level, cache, any(cache.iterdir())))
        (cache / "kernels").touch()
        return FirstStart(1.25, 7.5)

    show_first_starts(measured, Console(stderr=True), as_json=True)
    starts = json.loads(capsys.readouterr().out)["starts"]
    assert [(row["level"], row["cached"]) for row in starts] == [
        ("merchant", False), ("merchant", True), ("doge", False), ("doge", True),
    ]  # fmt: skip
    assert {(row["page_seconds"], row["turn_seconds"]) for row in starts} == {(1.25, 7.5)}
    assert [was_used for _, _, was_used in caches] == [False, True, False, True]
    show_first_starts(measured, Console(stderr=True), as_json=False)
    assert "merchant   no          1.2            7.5" in capsys.readouterr().out


@pytest.mark.anyio
async def test_a_start_is_measured_by_a_real_server_and_a_real_game() -> None:
    took = await measure_start("merchant", cache_root())
    assert 0 < took.page_seconds < took.turn_seconds
