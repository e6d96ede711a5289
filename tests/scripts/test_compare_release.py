"""Comparing with a release: here with itself, in another process."""

import sys
from pathlib import Path
from typing import Any

import compare_release
import numpy as np
import pytest
import released_bot
from compare_release import Speed, best_of, report

from patrizier import Game
from patrizier.bots.registry import make_bot


def rows(figure: float) -> dict[str, Any]:
    row = {"players": 2, "messengers": False, "cores": 1, "games_per_second": figure}
    return {"results": [row, {**row, "players": 4, "games_per_second": 2 * figure}]}


def test_the_best_of_all_runs_counts() -> None:
    best = best_of([rows(100), rows(300), rows(200)])
    assert best == {(2, False, 1): 300, (4, False, 1): 600}


def test_speeds_are_compared_as_ratios() -> None:
    speed = Speed(best_of([rows(80)]), best_of([rows(100)]))
    assert speed.mean == pytest.approx(0.8)
    text = report(("1.1.0", "1.0.0"), speed, [{"players": 2, "is_weaker": True, "games": 8}])
    assert "# 1.1.0 against 1.0.0" in text
    assert "| 4 | no | 1 | 160 | 200 | 0.80 |" in text
    assert "2 players: **yes**" in text


def test_a_bot_of_another_process_plays_like_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATRIZIER_RELEASE", sys.executable)
    monkeypatch.setenv("PATRIZIER_RELEASE_BOT", "greedy")
    game, other = Game(seed=3), released_bot.ReleasedBot()
    for _ in range(4):
        view = game.view(game.seat)
        move = other.choose(view, np.random.default_rng(1))
        seed = int(np.random.default_rng(1).integers(2**32))
        assert move == make_bot("greedy").choose(view, np.random.default_rng(seed))
        game.play(move)
    released_bot.stop()


def test_a_release_is_not_stronger_than_itself() -> None:
    told = compare_release.duel(sys.executable, "greedy", players=2, games=8, jobs=1)
    assert not told["is_weaker"]
    assert told["players"] == 2


PIP = """#!{python}
import sys
print("{said}", file=sys.stderr)
sys.exit(1)
"""


def pip_that_says(folder: Path, said: str) -> str:
    program = folder / "python"
    program.write_text(PIP.replace("{python}", sys.executable).replace("{said}", said))
    program.chmod(0o755)
    return str(program)


def test_before_the_first_release_there_is_nothing_to_compare_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "ERROR: No matching distribution found for patrizier"
    python, out = pip_that_says(tmp_path, said), tmp_path / "artefacts" / "comparison.md"
    words = ["compare_release.py", python, "--install", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", words)
    assert compare_release.main() == 0
    assert out.read_text("utf-8") == compare_release.NO_RELEASE


def test_a_release_that_cannot_be_installed_is_an_error(tmp_path: Path) -> None:
    python = pip_that_says(tmp_path, "ERROR: No matching distribution found for numba")
    with pytest.raises(SystemExit, match="numba"):
        compare_release.install(python)
