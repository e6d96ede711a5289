"""Which puzzle comes next."""

from collections import Counter
from random import Random

import pytest

from patrizier.puzzles.collection import shipped
from patrizier.puzzles.selection import band_of, next_puzzle, of_the_day

PUZZLES = tuple(shipped().values())


def test_every_day_has_its_puzzle_and_all_have_their_turn() -> None:
    days = [of_the_day(PUZZLES, day).id for day in range(20_000, 20_000 + len(PUZZLES))]
    assert sorted(days) == sorted(shipped())
    assert of_the_day(reversed(PUZZLES), 20_000).id == days[0]


@pytest.mark.parametrize("theme", ["", "last-round", "denying"])
def test_a_puzzle_comes_again_when_all_others_are_done(theme: str) -> None:
    random, done, seen = Random(1), Counter[str](), list[str]()
    suitable = [puzzle for puzzle in PUZZLES if theme in puzzle.themes] or PUZZLES[::10]
    for _ in range(2 * len(suitable)):
        puzzle = next_puzzle(suitable, done, 1700, random)
        done[puzzle.id] += 1
        seen.append(puzzle.id)
    alike = {puzzle.id for puzzle in suitable if band_of(puzzle.rating) == band_of(1700)}
    assert set(seen[: len(alike)]) == alike  # those of the rating first
    ids = sorted(puzzle.id for puzzle in suitable)
    assert sorted(seen[: len(ids)]) == sorted(seen[len(ids) :]) == ids


def test_the_nearest_rating_is_taken_where_there_is_none() -> None:
    hard = [puzzle for puzzle in PUZZLES if puzzle.rating >= 1800]
    assert next_puzzle(hard, {}, 900, Random(1)).rating >= 1800
