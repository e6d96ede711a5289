import json
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console
from typer.testing import CliRunner, Result

from patrizier.arena.sequential import Hypotheses, SequentialTest
from patrizier.cli.main import app
from patrizier.cli.terminal.results.sequential_live import LiveTest, gauge


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["sprt", *words])


def figures(done: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_stronger_bot_passes() -> None:
    done = run("greedy", "random", "--elo1", "100", "--seed", "3")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Stronger: by 100 Elo points rather than 0.\nLLR +")
    assert "[" not in done.stdout  # no markup


def test_a_weaker_bot_fails() -> None:
    done = run("random", "greedy", "--elo1", "100", "--players", "3", "--seed", "3", "--json")
    assert done.exit_code == 1, done.output
    assert figures(done)["verdict"] == "not stronger"


def test_too_few_games_decide_nothing() -> None:
    done = run("random", "greedy", "--games", "3", "--json")
    assert done.exit_code == 3, done.output
    assert (figures(done)["verdict"], figures(done)["deals"]) == (None, 2)


def test_a_run_is_resumed_and_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    asked = ("greedy", "random", "--elo1", "100", "--seed", "5", "--json")
    whole = figures(run(*asked))
    journal = str(tmp_path / "games.jsonl")
    part = run(*asked, "--games", "4", "--journal", journal)
    assert (part.exit_code, figures(part)["deals"]) == (3, 2)
    assert figures(run(*asked, "--journal", journal, "--jobs", "2")) == whole
    other = run("random", "greedy", "--journal", journal)
    assert other.exit_code == 1
    assert "belongs to another tournament" in other.stderr


def test_bad_input_is_named() -> None:
    for words, message in {
        ("greedy", "nobody"): "nobody",
        ("greedy", "greedy"): "greedy is entered twice",
        ("greedy", "random", "--elo0", "10"): "elo0 must be less than elo1",
        ("greedy", "random", "--alpha", "0.7"): "alpha and beta must lie between",
    }.items():
        done = run(*words)
        assert done.exit_code != 0
        assert message in done.stderr


def test_what_is_shown_while_it_runs() -> None:
    test = SequentialTest(2, Hypotheses(0, 10))
    assert gauge(test).count("─") == 40
    assert gauge(test).index("●") == len("not stronger ") + 20
    console = Console(file=StringIO(), force_terminal=True, width=120)
    with LiveTest(test, console=console) as live:
        test.add(0.75)
        live.show()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "not stronger" in shown
    assert "1 deals" not in shown
    assert "1 deal, " in shown


def test_luck_may_be_taken_off() -> None:
    done = run("greedy", "random", "--elo1", "100", "--seed", "3", "--luck-adjusted", "--json")
    assert done.exit_code == 0, done.output
    assert figures(done)["luck_adjusted"]
    assert figures(done)["verdict"] == "stronger"
