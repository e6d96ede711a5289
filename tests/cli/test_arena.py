import json
import sys
from io import StringIO
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from arena.executors.interrupted import Interrupted
from arena.made import duel
from patrizier import Options, load_games
from patrizier.arena.schedule import Plan
from patrizier.arena.standings import standings
from patrizier.cli.arena import arena
from patrizier.cli.terminal.results.tournament_live import LiveTable
from patrizier.cli.terminal.results.tournament_tables import all_tables

app = typer.Typer()
app.command()(arena)
runner = CliRunner()

DUEL = ("random", "greedy", "--games", "4", "--seed", "1")


def run(*arguments: str) -> str:
    done = runner.invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def figures(*arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run(*arguments, "--json"))
    for bot in data["bots"]:
        assert bot.pop("seconds_per_turn") >= 0
    return data


def test_the_tables_for_people() -> None:
    text = run(*DUEL)
    assert "4 games of 2 on 2 deals (base game)" in text
    for word in ("bot", "Elo", "victories", "points", "random", "greedy", "first", "second"):
        assert word in text


def test_three_bots_are_compared_pair_by_pair() -> None:
    results = [duel(0, "AB", 1.0), duel(0, "AC", 0.5), duel(0, "BC", 1.0)]
    plan = Plan(("A", "B", "C"), Options(players=2), 1)
    console = Console(record=True, width=100, file=StringIO())
    console.print(*all_tables(plan, standings("ABC", results)))
    lines = [line.split() for line in console.export_text().splitlines()]
    start = lines.index(["How", "often", "the", "row", "finishes", "ahead", "of", "the", "column"])
    assert lines[start + 1 : start + 5] == [
        ["A", "B", "C"],
        ["A", "100.0%", "50.0%"],
        ["B", "0.0%", "100.0%"],
        ["C", "50.0%", "0.0%"],
    ]


def test_one_among_others() -> None:
    text = run("greedy", "random", "--players", "3", "--games", "3", "--rules", "messengers")
    assert "6 games of 3 on 1 deal (messengers)" in text
    assert "openskill" in text
    assert "2 greedy, 1 random" in text
    assert "1 greedy, 2 random" in text
    assert "third" in text


def test_the_first_among_others(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    bots = ("random", "greedy", "apprentice")
    first = (*bots, "--games", "2", "--mode", "first-among")
    text = run(*first, "--report", str(report))
    assert "4 games of 2 on 1 deal" in text
    assert "--mode first-among" in report.read_text("utf-8")
    met = {(pair["bot"], pair["other"]) for pair in figures(*first)["pairs"]}
    assert met == {(a, b) for a, b in permutations(bots, 2) if "random" in (a, b)}


def test_the_figures_for_programs() -> None:
    data = figures(*DUEL)
    assert (data["games"], data["deals"], data["players"], data["seed"]) == (4, 2, 2, 1)
    assert sum(bot["wins"]["value"] for bot in data["bots"]) == pytest.approx(1)
    assert {bot["wins"]["count"] for bot in data["bots"]} == {4}


def test_all_files_are_written(tmp_path: Path) -> None:
    out, report, journal = (tmp_path / name for name in ("g.ptr", "r.html", "j.jsonl"))
    text = run(*DUEL, "--out", str(out), "--report", str(report), "--journal", str(journal))
    assert f"The records are in {out}." in " ".join(text.split())
    records = load_games(out)
    assert len(records) == 4
    assert {frozenset(record.names) for record in records} == {frozenset(("random", "greedy"))}
    html = report.read_text("utf-8")
    assert "patrizier arena random greedy --players 2 --games 4 --seed 1" in html
    assert len(journal.read_text("utf-8").splitlines()) == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.ptr", "j.jsonl", "r.html"]


def test_ctrl_c_stops_politely_and_the_journal_goes_on(tmp_path: Path) -> None:
    journal, out = tmp_path / "j.jsonl", tmp_path / "g.ptr"
    whole = figures(*DUEL)
    files = ("--journal", str(journal), "--out", str(out))
    done = runner.invoke(app, [*DUEL, *files], obj=Interrupted(after=3))
    assert done.exit_code == 130
    assert "Stopped after 3 of 4 games." in done.stderr
    assert f"--journal {journal}" in " ".join(done.stderr.split())
    assert "3 games of 2" in done.stdout
    assert len(load_games(out)) == 3
    assert figures(*DUEL, *files) == whole
    assert len(load_games(out)) == 4


def test_ctrl_c_without_a_journal_says_what_would_have_helped() -> None:
    done = runner.invoke(app, DUEL, obj=Interrupted(after=0))
    assert done.exit_code == 130
    assert "Stopped after 0 of 4 games." in done.stderr
    assert "with --journal FILE" in done.stderr
    assert done.stdout == ""


def test_a_time_limit_is_part_of_the_tournament(tmp_path: Path) -> None:
    journal = tmp_path / "j.jsonl"
    run("random", "--games", "2", "--limit", "2.5", "--journal", str(journal))
    assert json.loads(journal.read_text("utf-8").splitlines()[0])["limit"] == 2.5


def test_the_live_table_shows_how_it_stands() -> None:
    console = Console(file=StringIO(), force_terminal=True, width=100, record=True)
    plan = Plan(("A", "B"), Options(players=2), 2)
    with LiveTable(plan, console=console) as table:
        table.on_end(duel(0, "AB", 1.0))
    text = console.export_text()
    assert "1/4" in text
    assert "100.0%" in text
    assert "40.0" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "there is no bot 'chess'"),
        (["greedy", "greedy"], "greedy is entered twice"),
        (["greedy", "random", "--mode", "some"], "there is no mode 'some'"),
        (["greedy", "random", "--rules", "chess"], "unknown rule 'chess'"),
        (["greedy", "random", "--seed", str(2**64)], "a seed is a whole number"),
        (["greedy", "random", "--out", "/nowhere/g.ptr"], "No such file"),
        (["greedy", "random", "--report", "/nowhere/r.html"], "No such file"),
        (["greedy", "random", "--journal", "/nowhere/j"], "No such file"),
        (["greedy", "random", "--deck", "/nowhere/deck.toml"], "No such file"),
    ],
)
def test_mistakes_end_with_one_clear_message(arguments: list[str], message: str) -> None:
    done = runner.invoke(app, [*arguments, "--games", "2"])
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_a_journal_of_another_tournament_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "j.jsonl"
    journal.write_text("something else\n")
    done = runner.invoke(app, [*DUEL, "--journal", str(journal)])
    assert done.exit_code == 1
    assert "not a tournament journal" in " ".join(done.stderr.split())
    assert journal.read_text() == "something else\n"


@pytest.mark.parametrize("library", ["matplotlib", "jinja2"])
def test_a_missing_library_is_named_before_the_games(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    done = runner.invoke(app, ["greedy", "random", "--report", "r.html"])
    assert done.exit_code == 1
    assert f"{library} is not installed: pip install patrizier[arena]" in done.stderr
