"""The file of puzzles: what is shipped is sound, and what is written can be read."""

import gzip
from collections.abc import Iterable
from dataclasses import replace
from importlib import resources
from itertools import islice

import pytest

from patrizier.analysis.reasons import DENIALS, SENTENCES
from patrizier.analysis.verdicts import stake
from patrizier.game import Game
from patrizier.options import Options
from patrizier.puzzles import collection
from patrizier.puzzles.answers import answers_of
from patrizier.puzzles.collection import PuzzleFileError, read, shipped, to_games, write
from patrizier.puzzles.difficulty import at_first_sight
from patrizier.puzzles.maker import OUTCOMES, reasons_of
from patrizier.puzzles.proof import ERRORS, FEWEST, LEAST_LEAD, Prover
from patrizier.puzzles.puzzle import Puzzle, Source
from patrizier.puzzles.themes import THEMES, themes_of

MOST_BYTES = 600_000
PUZZLES = tuple(shipped().values())


def every(number: int) -> list[Puzzle]:
    return list(PUZZLES[::number])


def name(puzzle: Puzzle) -> str:
    return puzzle.id


def test_the_file_is_small_and_varied() -> None:
    file = resources.files(collection.__package__).joinpath(collection.FILE)
    assert len(file.read_bytes()) <= MOST_BYTES
    assert {(p.players, bool(p.source.options.rules)) for p in PUZZLES} == {
        (players, messengers) for players in range(2, 6) for messengers in (False, True)
    }
    assert {theme for puzzle in PUZZLES for theme in puzzle.themes} == set(THEMES)
    assert len(PUZZLES) >= 1000
    assert sum(puzzle.exact for puzzle in PUZZLES) >= 300
    ratings = [puzzle.rating for puzzle in PUZZLES]
    assert min(ratings) < 1400 < 1800 < max(ratings)
    assert list(shipped()) == [puzzle.id for puzzle in PUZZLES]


def test_every_puzzle_is_clearly_decided() -> None:
    for puzzle in PUZZLES:
        assert puzzle.themes
        assert puzzle.why
        assert all(reason["kind"] in SENTENCES for reason in puzzle.why)
        denies = any(reason["kind"] in DENIALS for reason in puzzle.why)
        assert denies == ("denying" in puzzle.themes)
        if puzzle.exact:
            assert puzzle.lead > 0
        else:
            assert puzzle.lead >= LEAST_LEAD * stake(puzzle.players) - 1e-4
            assert puzzle.lead >= ERRORS * puzzle.error


@pytest.mark.parametrize("puzzle", every(max(1, len(PUZZLES) // 20)), ids=name)
def test_a_puzzle_is_a_real_position(puzzle: Puzzle) -> None:
    view = puzzle.view
    assert view.seat == view.viewer
    assert view.phase == ("messenger" if puzzle.source.begun else "build")
    assert len(answers_of(view)) >= FEWEST
    assert puzzle.is_solved_by(puzzle.solution)
    assert puzzle.accepted < {text.split("@")[0] for text in _texts(puzzle)} | set(_texts(puzzle))
    solved = next(a for a in answers_of(view) if a.move.text in puzzle.accepted)
    assert themes_of(view, solved.move, solved.after) == puzzle.themes
    told = [reason.to_json() for reason in reasons_of(view, solved.after)]
    assert [why for why in puzzle.why if why["kind"] not in OUTCOMES] == told
    assert not {move.text for move in at_first_sight(view)} & puzzle.accepted
    assert puzzle.trap in at_first_sight(view)


def _texts(puzzle: Puzzle) -> list[str]:
    return [move.text for move in puzzle.view.legal]


def sample(exact: bool, number: int) -> list[Puzzle]:
    suitable = [puzzle for puzzle in PUZZLES if puzzle.exact is exact]
    return list(islice(suitable[:: max(1, len(suitable) // number)], number))


@pytest.mark.parametrize("puzzle", sample(exact=True, number=8), ids=name)
def test_a_solved_puzzle_is_solved_again(puzzle: Puzzle) -> None:
    proof = Prover(puzzle.source.options).prove(puzzle.view)
    assert proof is not None
    assert proof.exact
    assert proof.answer.move.text in puzzle.accepted
    assert proof.lead == pytest.approx(puzzle.lead, abs=1e-4)
    assert proof.line == puzzle.line


@pytest.mark.parametrize("puzzle", sample(exact=False, number=3), ids=name)
def test_another_search_finds_the_same_turn(puzzle: Puzzle) -> None:
    """With other samples of the hidden cards than when it was made."""
    best = Prover(puzzle.source.options).best(puzzle.view, seed=987_654)
    assert best.text in puzzle.accepted


def test_a_file_is_read_as_it_was_written() -> None:
    some = every(max(1, len(PUZZLES) // 10))
    data = write(some)
    again = {puzzle.id: puzzle for puzzle in read(data)}
    assert again == {puzzle.id: puzzle for puzzle in some}
    assert write(reversed(some)) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        gzip.compress(b""),
        gzip.compress(b'"other"'),
        gzip.compress(b'{"format": "other"}'),
        gzip.compress(b'{"format": "patrizier-puzzles", "version": 99, "rules_version": 1}'),
    ],
    ids=["empty", "text", "nothing", "a string", "another format", "a later version"],
)
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(PuzzleFileError):
        list(read(data))


def test_puzzles_of_one_game_share_it() -> None:
    games: dict[object, list[Puzzle]] = {}
    for puzzle in PUZZLES:
        games.setdefault((puzzle.source.deal, puzzle.source.moves[:30]), []).append(puzzle)
    shared = next(each for each in games.values() if len(each) > 1)
    (game,) = to_games([shared[0], replace(shared[0], rating=1)])
    assert len(game["puzzles"]) == 2


def test_different_ends_of_one_deal_are_kept_apart() -> None:
    one, two = (
        replace(PUZZLES[0], source=game_of(moves)) for moves in (range(4), reversed(range(3)))
    )
    assert len(to_games([one, two])) == 2
    assert {puzzle.source for puzzle in read(write([one, two]))} == {one.source, two.source}


def game_of(choices: Iterable[int]) -> Source:
    game = Game(Options(players=2), seed=1)
    for choice in choices:
        game.play(game.legal_moves[choice])
    return Source(game.options, game.deal, tuple(game.moves))
