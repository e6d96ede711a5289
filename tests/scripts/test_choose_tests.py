"""A small change needs few tests: its own first, then those beside it."""

import json
import subprocess
from pathlib import Path

import pytest
from choose_tests import CORE, ELSEWHERE, ROOT, changed, choose, durations, estimate, within

from support.durations import share_of_a_core


def test_the_test_of_a_changed_source_comes_first() -> None:
    chosen = choose(["src/patrizier/server/table/clock.py"])
    assert chosen[0] == "tests/server/table/test_clock.py"
    assert "tests/server/table/test_events.py" in chosen  # beside it
    assert "tests/test_game.py" in chosen  # notices what is broken at large
    assert not [file for file in chosen if file.startswith("tests/browser")]


def test_changed_tests_are_run_wherever_they_are() -> None:
    assert choose(["tests/browser/test_table.py"])[0] == "tests/browser/test_table.py"


def test_documents_and_settings_have_their_tests() -> None:
    assert "tests/docs/test_samples.py" in choose(["docs/server.md"])
    assert "tests/project/test_packaging.py" in choose(["pyproject.toml"])


@pytest.mark.parametrize("name", [*CORE, *(test for tests in ELSEWHERE.values() for test in tests)])
def test_what_is_named_is_there(name: str) -> None:
    assert (ROOT / name).exists()


def test_what_fits_into_the_time_is_taken() -> None:
    seconds = {"a": 5.0, "b": 50.0, "c": 4.0}
    assert within(["a", "b", "c"], seconds, 10) == ["a", "c"]
    assert within(["b"], seconds, 10) == ["b"]  # one at least


def test_how_long_everything_takes() -> None:
    assert estimate({"a": 600, "b": 1200}, 2) == "All tests take about 15 minutes on 2 cores."
    assert (
        estimate({}, 2)
        == "Nobody has measured how long all tests take; 15 minutes on two cores, say."
    )
    assert all(seconds >= 0 for seconds in durations().values())


def test_workers_that_share_a_core_take_longer_for_the_same() -> None:
    assert share_of_a_core(3, cores=2) * 3 == 2
    assert share_of_a_core(1, cores=2) == share_of_a_core(2, cores=2) == 1


def test_only_tests_that_are_still_there_count(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_new.py").touch()
    measured = {"tests/test_new.py": 2.0, "tests/test_old.py": 3.0}
    (tmp_path / "tests" / "durations.json").write_text(json.dumps(measured))
    assert durations(tmp_path) == {"tests/test_new.py": 2.0}


def test_changes_are_those_since_main_and_those_not_yet_committed(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=Anna", "-c", "user.email=anna@patrizier.example"]
        subprocess.run(["git", "-C", tmp_path, *who, *words], check=True, capture_output=True)

    git("init", "--initial-branch=main")
    (tmp_path / "old").touch()
    git("add", ".")
    git("commit", "-m", "first")
    git("switch", "--create", "side")
    (tmp_path / "committed").touch()
    git("add", ".")
    git("commit", "-m", "second")
    (tmp_path / "old").write_text("changed")
    (tmp_path / "new").touch()
    assert changed(tmp_path) == ["committed", "new", "old"]
