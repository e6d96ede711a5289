"""Which puzzle comes next: the puzzle of the day, and the next one for training.

A puzzle is repeated only after every other eligible one has been done as often.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from patrizier.puzzles.puzzle import Puzzle

BAND = 200  # width of a rating band, in which all puzzles are equally suitable
_BELOW, _ABOVE = 1400, 1800  # all below is one band, and all above


def of_the_day(puzzles: Iterable[Puzzle], day: int) -> Puzzle:
    """Return the puzzle of a day, counted from 1 January 1970; every puzzle has its turn."""
    ordered = sorted(puzzles, key=lambda puzzle: puzzle.id)  # ids are hashes: an arbitrary order
    return ordered[day % len(ordered)]


def band_of(rating: float) -> int:
    """Return the band of a rating, named by its lowest rating.

    >>> band_of(900), band_of(1399), band_of(1400), band_of(2500)
    (1200, 1200, 1400, 1800)
    """
    if rating < _BELOW:
        return _BELOW - BAND
    return min(_ABOVE, int(rating // BAND * BAND))


def next_puzzle(
    puzzles: Sequence[Puzzle], done: Mapping[str, int], rating: float, random: Random
) -> Puzzle:
    """Return a random one of the puzzles done least often, from the band nearest to a rating.

    ``done`` tells how often each puzzle has been done.
    """
    fewest = min(done.get(puzzle.id, 0) for puzzle in puzzles)
    left = [puzzle for puzzle in puzzles if done.get(puzzle.id, 0) == fewest]
    wanted = band_of(rating)
    bands = {band_of(puzzle.rating) for puzzle in left}
    nearest = min(bands, key=lambda band: (abs(band - wanted), band))
    return random.choice([puzzle for puzzle in left if band_of(puzzle.rating) == nearest])
