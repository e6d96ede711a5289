"""`patrizier puzzle` and `patrizier puzzles make` in the terminal."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from analysis.games import random_game
from patrizier import Game
from patrizier.cli.main import app
from patrizier.cli.terminal.puzzle_sitting import Progress
from patrizier.puzzles.collection import read, shipped
from patrizier.puzzles.maker import Maker
from patrizier.puzzles.proof import Depth
from patrizier.puzzles.puzzle import Puzzle


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def run(*arguments: object, keys: str = "", maker: Maker | None = None) -> Result:
    given, env = [str(a) for a in arguments], {"COLUMNS": "100"}
    return CliRunner().invoke(app, given, input=keys, env=env, obj=maker)


def plain(*, exact: bool) -> Puzzle:
    """Return a puzzle without moves or free draws, so that few keys play it."""
    return next(
        puzzle
        for puzzle in shipped().values()
        if puzzle.exact is exact
        and not (puzzle.source.begun or puzzle.solution.moved or puzzle.solution.draw)
        and not puzzle.source.options.rules
        and all(m.draw is None and m.moved is None for m in puzzle.view.legal)
    )


def keys_for(puzzle: Puzzle, text: str) -> list[str]:
    """Return what to type for a turn of card and sites."""
    card, sites = text.split(":")
    hand = puzzle.view.seats[puzzle.view.viewer or 0].hand
    alone = len({m.sites for m in puzzle.view.legal if m.card == card}) == 1
    return [*([card.lower()] if len(hand) > 1 else []), *([] if alone else [sites.lower()]), ""]


def test_the_right_turn_is_praised_explained_and_rated() -> None:
    puzzle = plain(exact=True)
    keys = "\n".join([*keys_for(puzzle, puzzle.solution.text), "q"]) + "\n"
    result = run("puzzle", puzzle.id, keys=keys)
    assert result.exit_code == 0, result.output
    assert "Right." in result.stdout
    assert "Why: wins (solved)" in result.stdout.replace("\n", " ")
    progress = Progress.load()
    assert (progress.done, progress.streak) == ({puzzle.id: 1}, 1)
    assert progress.person.points > 1500


def test_no_more_is_said_of_the_other_turns_than_is_known() -> None:
    """Some share a victory that the solution wins alone."""
    puzzle = next(each for each in shipped().values() if each.exact and 0.0 < each.lead < 1.0)
    told = " ".join(run("puzzle", puzzle.id, keys="q\n").stdout.split())
    assert "worked out to the end, only one is best." in told
    assert "victory" not in told


def test_after_a_wrong_turn_one_may_try_again_but_it_is_counted() -> None:
    puzzle = plain(exact=True)
    wrong = next(m.text for m in puzzle.view.legal if m.text not in puzzle.accepted)
    right = keys_for(puzzle, puzzle.solution.text)
    keys = "\n".join([*keys_for(puzzle, wrong), "", *right, "q"]) + "\n"
    result = run("puzzle", puzzle.id, keys=keys)
    assert "There is something better." in result.stdout
    assert "Right." in result.stdout
    assert Progress.load().person.points < 1500


def test_b_shows_the_solution() -> None:
    puzzle = plain(exact=False)
    wrong = next(m.text for m in puzzle.view.legal if m.text not in puzzle.accepted)
    result = run("puzzle", puzzle.id, keys="\n".join([*keys_for(puzzle, wrong), "b", "q"]) + "\n")
    assert puzzle.solution.text in result.stdout
    assert "Right." not in result.stdout


@pytest.mark.parametrize("arguments", [("--day",), ("--theme", "ties"), ("--players", 4), ()])
def test_one_is_chosen(arguments: tuple[object, ...]) -> None:
    result = run("puzzle", *arguments, keys="q\n")
    found = re.search(r"Puzzle ([0-9a-f]{8})", result.stdout)
    assert found is not None
    puzzle = shipped()[found[1]]
    assert "ties" in puzzle.themes or "ties" not in arguments
    assert puzzle.players == 4 or 4 not in arguments


@pytest.mark.parametrize("arguments", [("nonsense",), ("--theme", "nonsense")])
def test_what_is_not_there_is_named(arguments: tuple[str, ...]) -> None:
    result = run("puzzle", *arguments)
    assert result.exit_code == 1
    assert "nonsense" in result.stderr


def test_a_damaged_file_counts_as_none(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text('{"mu": "x"')
    assert Progress.load(file).done == {}


class QuickMaker(Maker):
    """Finds nothing in endings, and the same puzzle in every game of bots."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.searched: list[int] = []

    def endings_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        self.searched.append(number)
        return []

    def puzzles_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        return [self.puzzle]


def test_making_notes_what_was_searched_and_writes_a_file(tmp_path: Path) -> None:
    puzzle = plain(exact=True)
    maker = QuickMaker(puzzle)
    record, out = tmp_path / "game.ptr", tmp_path / "mine.gz"
    record.write_text(str(random_game(2, 1, turns=2).record()))
    arguments = ("puzzles", "make", tmp_path / "found.jsonl", record, "--count", 1, "--out", out)
    result = run(*arguments, maker=maker)
    assert result.exit_code == 0, result.output
    assert "1 puzzles, 1 of them solved exactly." in result.stdout
    assert [each.id for each in read(out.read_bytes())] == [puzzle.id]
    assert maker.searched == [0, 1]
    run(*arguments[:5], 2, maker=maker)
    assert maker.searched == [0, 1, 2, 3]  # what was searched is not searched again


class LastRoundMaker(Maker):
    """Finds the same puzzle in the third game that it looks at."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.puzzle = puzzle

    def endings_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        pytest.fail("only last rounds were asked for")

    def last_rounds_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        return [self.puzzle] if (number, seed) == (2, 5) else []


def test_last_rounds_alone_may_be_asked_for(tmp_path: Path) -> None:
    puzzle = next(each for each in shipped().values() if "last-round" in each.themes)
    journal, out = tmp_path / "found.jsonl", tmp_path / "mine.gz"
    arguments = ("puzzles", "make", journal, "--last-round", "--count", 1, "--seed", 5)
    result = run(*arguments, "--out", out, maker=LastRoundMaker(puzzle))
    assert result.exit_code == 0, result.output
    assert [each.id for each in read(out.read_bytes())] == [puzzle.id]
    assert journal.read_text().count("last-round 5") == 3


class RecordMaker(Maker):
    """Searches each record once, and no games of bots."""

    def __init__(self) -> None:
        light = Depth(screens=(20,), iterations=40, seeds=2, close=3)
        super().__init__(light, is_obvious=lambda *_: False)  # it lets chance have a say
        self.searched: list[Game] = []

    def puzzles_in(self, game: Game, seed: int) -> list[Puzzle]:
        self.searched.append(game)
        return super().puzzles_in(game, seed)

    def endings_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        pytest.fail("the record was enough")


def test_puzzles_are_found_in_records_of_games(tmp_path: Path) -> None:
    """A game that came to the position of a puzzle; its other turns get a short look only."""
    puzzle = plain(exact=True)
    game = puzzle.source.game()
    game.play(next(move for move in game.legal_moves if move.text in puzzle.accepted))
    record, out, journal = (tmp_path / name for name in ("game.ptr", "mine.gz", "found.jsonl"))
    record.write_text(str(game.record(("Anna", "Ben", "Cora", "Dora", "Emil")[: puzzle.players])))
    maker = RecordMaker()
    arguments = ("puzzles", "make", journal, record, "--count", 1, "--out", out)
    result = run(*arguments, maker=maker)
    assert result.exit_code == 0, result.output
    found = {each.id: each for each in read(out.read_bytes())}
    assert found[puzzle.id].solution == puzzle.solution
    assert found[puzzle.id].why == puzzle.why
    assert run(*arguments, maker=maker).stdout == result.stdout
    assert len(maker.searched) == 1


def test_another_file_is_no_journal(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    file.write_text("[1, 2]\n")
    result = run("puzzles", "make", file)
    assert result.exit_code == 1
    assert "not a journal" in result.stderr
