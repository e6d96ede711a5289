"""`patrizier replay`: all turns at once, step by step, JSON, and clear errors."""

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

from patrizier.cli.replay import replay
from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.drawing.points import verdict
from patrizier.game import Game
from patrizier.options import Options
from patrizier.outcome import Outcome, Score
from patrizier.ptr import write_games
from patrizier.record import Record

APP = typer.Typer(rich_markup_mode="markdown")
APP.command()(replay)
WIDE = {"COLUMNS": "100"}


def played(turns: int, players: int, rules: tuple[str, ...] = (), seed: int = 2) -> Game:
    game = Game(Options(players, rules), seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(turns):
        moves = game.legal_moves
        game.play(moves[rng.integers(len(moves))])
    return game


GAMES = (played(48, 3, ("messengers",)), played(55, 5), played(7, 2))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.ptr"
    names = (("Anna", "Ben", "Cleo"), (), ("random", "random"))
    records = [game.record(who) for game, who in zip(GAMES, names, strict=True)]
    path.write_text(write_games(records), "utf-8")
    return path


def run(*arguments: object, keys: str = "") -> Result:
    return CliRunner().invoke(APP, [str(a) for a in arguments], input=keys, env=WIDE)


def test_tells_every_turn_and_the_points(file: Path) -> None:
    result = run(file, "--game", 1)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "Game 1 of 3: 3 players, messengers" in lines[0]
    for number, record in enumerate(GAMES[0].records, 1):
        name = ("Anna", "Ben", "Cleo")[record.seat]
        assert any(f"{number} ▐{name[0]}▌ {name} builds " in line for line in lines)
    outcome = GAMES[0].outcome()
    assert outcome
    table = lines[lines.index("The points") + 1 :]
    assert table[0].split() == ["tokens", "sets", "chips", "minus", "total", "floors"]
    for name, score in zip(("Anna", "Ben", "Cleo"), outcome.scores, strict=True):
        row = next(line for line in table if f" {name} " in line).split(name)[1]
        numbers = [0 if word == "–" else int(word) for word in row.split()]
        parts = [score.tokens, score.sets, score.chips, score.minus, score.total, score.floors]
        assert numbers == parts
    assert f" with {max(outcome.points)} points" in result.stdout


def test_tells_all_games_without_a_choice(file: Path) -> None:
    result = run(file)
    assert result.exit_code == 0
    for number in (1, 2, 3):
        assert f"Game {number} of 3" in result.stdout
    assert "Black builds" in result.stdout  # nobody is named in the second game
    assert "random 2 builds" in result.stdout
    assert "The record ends after 7 turns." in result.stdout


def test_json_holds_tags_turns_and_outcome(file: Path) -> None:
    result = run(file, "--json")
    assert result.exit_code == 0
    games = json.loads(result.stdout)
    assert [len(game["turns"]) for game in games] == [48, 55, 7]
    assert games[0]["tags"]["Rules"] == "messengers"
    assert games[0]["names"] == ["Anna", "Ben", "Cleo"]
    assert [Record.from_json(turn) for turn in games[1]["turns"]] == list(GAMES[1].records)
    outcome = GAMES[0].outcome()
    assert outcome
    assert games[0]["outcome"] == outcome.to_json()
    assert games[2]["outcome"] is None
    only = json.loads(run(file, "--json", "--game", 2).stdout)
    assert only == games[1:2]


def test_steps_forward_back_and_by_number(file: Path) -> None:
    result = run(file, "--game", 1, "--step", keys="\nn\np\n30\n99\nx\nq\n")
    assert result.exit_code == 0
    told = [line for line in result.stdout.splitlines() if "builds" in line]
    turns = [int(line.split()[0]) for line in told]
    assert turns == [1, 2, 1, 30]
    assert result.stdout.count("The deal\n") == 1
    assert result.stdout.count("Type Enter, p, q or a turn from 0 to 48.") == 2
    assert "The points" not in result.stdout


def test_steps_past_the_end_to_the_next_game_and_stop_with_the_input(file: Path) -> None:
    result = run(file, "--step", keys="48\n\n\n")
    assert result.exit_code == 0
    assert "The points\n" in result.stdout
    assert "Game 2 of 3" in result.stdout
    assert "Game 3 of 3" not in result.stdout


def test_a_record_has_no_secrets(file: Path) -> None:
    result = run(file, "--game", 1, "--step", keys="q\n")
    assert "hidden" not in result.stdout
    for hand in GAMES[0].deal.hands:
        for card in hand:
            face = GAMES[0].options.deck[card].text.replace("*", "★")
            assert f"{card[:2]} {face}" in result.stdout


@pytest.mark.parametrize("number", [0, 4, -1])
def test_game_out_of_range(file: Path, number: int) -> None:
    result = run(file, f"--game={number}")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"holds 3 games: there is no game {number}" in result.stderr
    assert result.stderr.count("\n") == 1


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "none.ptr", "No such file"), (tmp_path, "directory")):
        result = run(path)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert reason in result.stderr
        assert result.stderr.count("\n") == 1


def test_wrong_records_say_line_turn_and_reason(file: Path) -> None:
    good = str(GAMES[2].record())
    turns = good.splitlines().index("") + 2  # number of the first line with turns
    word = GAMES[2].moves[1].text
    bad = {
        good.replace(word, "ZZ9:L", 1): f"line {turns}, turn 2 (ZZ9:L)",
        good.replace(word, GAMES[2].moves[0].text, 1): f"line {turns}, turn 2",
        good.replace('"*"', '"1/2"'): 'Result: it should read "*"',
        "\x1b[2Jhello": "line 1",
        "": "the text contains no game",
    }
    for text, reason in bad.items():
        file.write_text(text, "utf-8")
        for flags in ((), ("--json",), ("--step",)):
            result = run(file, *flags)
            assert result.exit_code == 1
            assert result.stdout == ""
            assert reason in result.stderr
            assert "\x1b[2J" not in result.stderr
    file.write_bytes(b"\xff\xfe")
    assert "not UTF-8" in run(file).stderr


def test_help_has_an_example() -> None:
    assert "patrizier replay game.ptr --step" in " ".join(run("--help").stdout.split())


@pytest.mark.parametrize(
    ("scores", "you", "expected"),
    [
        (((30, 0, 20), (20, 0, 9)), None, "Anna wins with 30 points."),
        (((30, 0, 20), (20, 0, 9)), 0, "You win with 30 points."),
        (
            ((30, 0, 20), (24, 6, 19)),
            None,
            "Ben wins with 30 points by the tie-break, fewer floors on the board: "
            "19 (against Anna 20).",
        ),
        (((30, 0, 20), (24, 6, 20)), None, "Anna and Ben share the victory with 30 points each."),
        (((30, 0, 20), (24, 6, 20)), 1, "Anna and you share the victory with 30 points each."),
    ],
)
def test_verdicts(scores: tuple[tuple[int, int, int], ...], you: int | None, expected: str) -> None:
    outcome = Outcome(tuple(Score(t, s, 0, 0, floors) for t, s, floors in scores))
    assert verdict(outcome, Cast.of(Options(2), ("Anna", "Ben"), you)) == expected
