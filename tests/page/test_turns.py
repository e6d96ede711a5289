"""The page's preview of a turn agrees with the engine, over whole random games."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from browser.house import ROOT, lacking
from page.games import whole_game
from patrizier import Deck
from patrizier.server.table.setup import Rule
from support.kinds import STARRY

WEB = ROOT / "web"
MESSENGERS: tuple[Rule, ...] = ("messengers",)
LATE: tuple[Rule, ...] = ("messengers", "messenger-at-built-city")
GAMES: list[tuple[int, tuple[Rule, ...], Deck | None]] = [
    *((players, rules, None) for players in (2, 3, 4, 5) for rules in (MESSENGERS, LATE)),
    (2, (), None),
    (5, (), None),
    (2, LATE, STARRY),  # turns with all four decisions
    (4, LATE, STARRY),
]


@pytest.fixture(scope="module")
def vitest() -> list[str]:
    """The command that runs tests of the page."""
    node = shutil.which("node") or lacking("node in the path")
    runner = WEB / "node_modules" / "vitest" / "vitest.mjs"
    return [node, str(runner)] if runner.is_file() else lacking("vitest: `make` installs it")


def test_the_page_shows_every_step_as_the_engine_sees_it(vitest: list[str], tmp_path: Path) -> None:
    games = [whole_game(*kind, seed) for seed, kind in enumerate(GAMES)]
    file = tmp_path / "games.json"
    file.write_text(json.dumps(games), encoding="utf-8")
    run = subprocess.run(
        [*vitest, "run"],
        cwd=WEB,
        env={**os.environ, "PATRIZIER_GAMES": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
