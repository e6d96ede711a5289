"""`patrizier analyse`: table, JSON, report, comments, profile, and nothing twice."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from analysis.games import LIGHT, random_game
from patrizier.analysis.judgement import Effort
from patrizier.cli.analyse import Resources, analyse
from patrizier.ptr import load_games, write_games

APP = typer.Typer(rich_markup_mode=None)
APP.command()(analyse)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.ptr"
    games = (random_game(2, 1), random_game(2, 2))
    path.write_text(write_games(game.record(("Anna", "Ben")) for game in games), "utf-8")
    return path


def run(file: Path, *arguments: object, effort: Effort = LIGHT, columns: int = 400) -> Result:
    """Analyse quickly; what is kept lies beside the file."""
    resources = Resources(effort, file.parent / "cache")
    given = [str(a) for a in (file, *arguments)]
    return CliRunner().invoke(APP, given, env={"COLUMNS": str(columns)}, obj=resources)


def test_one_game_is_a_table_of_turns_accounts_and_moments(file: Path) -> None:
    result = run(file, "--game", 1)
    assert result.exit_code == 0, result.output
    for title in ("48 turns", "What made the result", "What decided the game"):
        assert title in result.stdout
    for move in load_games(file)[0].moves:
        assert move.text in result.stdout


def test_one_seat_shows_its_turns_only(file: Path) -> None:
    result = run(file, "--game", 1, "--seat", 2)
    assert result.exit_code == 0, result.output
    turns = re.findall(r"^ ?(\d+) ▐", result.stdout, re.M)
    start = int(load_games(file)[0].tags["Start"])
    assert turns == [str(n) for n in range(1, 49) if (start + n) % 2 == 1]


@pytest.mark.parametrize("turns", [None, 20])
def test_usual_terminals_are_wide_enough_for_five_players(
    tmp_path: Path, turns: int | None
) -> None:
    game = random_game(5, 3, ("messengers",), turns)
    file = tmp_path / "five.ptr"
    names = ("Anna", "Ben", "Anna", "Wilhelmina van Delft", "Eva")
    file.write_text(str(game.record(names)), "utf-8")
    lines = run(file, columns=80).stdout.splitlines()
    told = "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert "…" not in told
    for number, move in enumerate(game.moves, 1):
        assert re.search(rf"^ *{number} .* {re.escape(move.text)} .*%", told, re.M), move
    for title in ("luck-adjusted", "Anna 1", "Anna 3", "What"):
        assert title in told
    assert ("unfinished" in told) == ("chance now" in told) == (turns is not None)


def test_processes_make_no_difference(file: Path, tmp_path: Path) -> None:
    """Neither to the analyses nor to what is kept: nothing is computed twice."""
    plain = json.loads(run(file, "--json").stdout)
    assert json.loads(run(file, "--json", "--jobs", 1).stdout) == plain
    for kept in (tmp_path / "cache").rglob("*"):
        if kept.is_file():
            kept.unlink()
    assert json.loads(run(file, "--json", "--jobs", 1).stdout) == plain
    assert [each for each in (tmp_path / "cache").rglob("*") if each.is_file()]


def test_json_is_the_analysis(file: Path) -> None:
    data = json.loads(run(file, "--game", 2, "--json").stdout)
    assert data["names"] == ["Anna", "Ben"]
    assert data["complete"]
    assert len(data["turns"]) == 48


def test_many_games_give_profiles(file: Path) -> None:
    data = json.loads(run(file, "--json").stdout)
    assert [len(profile["games"]) for profile in data["profiles"]] == [2, 2]
    for profile in data["profiles"]:
        costs = sum(-game["own"] for game in profile["games"])
        for part in ("kinds", "phases", "cities"):
            assert sum(profile[part].values()) == pytest.approx(costs, abs=1e-5)
    assert "2 games analysed" in run(file).stdout


def test_nothing_is_analysed_twice(file: Path) -> None:
    first = run(file, "--game", 1, "--json")
    assert first.exit_code == 0, first.output
    impossible = Effort(rounds=(), nodes=0)
    assert run(file, "--game", 1, "--json", effort=impossible).stdout == first.stdout
    assert run(file, "--game", 2, "--json", effort=impossible).exit_code == 1


def test_comments_are_written_and_read_again(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.ptr"
    assert run(file, "--game", 1, "--annotate", out).exit_code == 0
    (record,) = load_games(out)
    assert record.moves == load_games(file)[0].moves
    assert record.comments[0][0].startswith("%shares ")
    assert all(record.comments[n][1].startswith("%verdict ") for n in range(1, 49))


def test_comments_of_an_earlier_analysis_are_replaced_others_are_kept(
    file: Path, tmp_path: Path
) -> None:
    record = load_games(file)[0]
    file.write_text(str(replace(record, comments={0: ("bold",), 7: ("why not?",)})), "utf-8")
    one, two = tmp_path / "one.ptr", tmp_path / "two.ptr"
    run(file, "--annotate", one)
    (first,) = load_games(one)
    assert first.comments[0][0] == "bold"
    assert first.comments[7][0] == "why not?"
    resources = Resources(LIGHT, file.parent / "cache")
    CliRunner().invoke(APP, [str(one), "--annotate", str(two)], obj=resources)
    assert two.read_text("utf-8") == one.read_text("utf-8")


def test_a_report_is_one_page(file: Path, tmp_path: Path) -> None:
    for arguments in (("--game", 1), ()):
        out = tmp_path / "report.html"
        result = run(file, *arguments, "--report", out)
        assert result.exit_code == 0, result.output
        html = out.read_text("utf-8")
        assert html.startswith("<!doctype html>")
        assert "<svg" in html
        assert "Anna" in html


def test_games_without_turns_have_a_profile_too(tmp_path: Path) -> None:
    file, out = tmp_path / "empty.ptr", tmp_path / "report.html"
    games = (random_game(2, seed, turns=0).record(("Anna", "Bot (apprentice)")) for seed in (1, 2))
    file.write_text(write_games(games), "utf-8")
    result = run(file, "--report", out, columns=80)
    assert result.exit_code == 0, result.output
    assert "2 games" in out.read_text("utf-8")


def test_bots_of_a_server_keep_their_whole_name(tmp_path: Path) -> None:
    file = tmp_path / "bots.ptr"
    file.write_text(str(random_game(2, 1, turns=3).record(("Anna", "Bot (apprentice)"))), "utf-8")
    assert "Bot (apprentice)" in run(file, columns=80).stdout


def test_players_of_the_same_name_have_a_curve_each(tmp_path: Path) -> None:
    file, out = tmp_path / "twins.ptr", tmp_path / "report.html"
    file.write_text(str(random_game(3, 1, turns=4).record(("Anna", "Ben", "Anna"))), "utf-8")
    run(file, "--report", out)
    drawn = out.read_text("utf-8").partition("<svg")[2].partition("</svg>")[0]
    assert all(name in drawn for name in ("Anna 1", "Ben", "Anna 3"))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--game", 3), "there is no game 3: 2 games given"),
        (("--seat", 3), "there is no seat 3"),
        (("--annotate", "nowhere/out.ptr"), "nowhere/out.ptr: No such file or directory"),
    ],
)
def test_bad_input_gets_a_clear_error(file: Path, arguments: tuple[object], error: str) -> None:
    result = run(file, *arguments)
    assert result.exit_code == 1
    assert error in result.stderr
