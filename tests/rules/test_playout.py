"""Random play to the end: the same decisions one by one, wherever in a turn it begins."""

from random import Random

import pytest

from patrizier import Game, Options
from patrizier.rules.apply import apply
from patrizier.rules.chance import below
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import OVER, Cells, copy_cells
from support.kinds import STARRY, for_every

KINDS = [
    Options(2),
    Options(3, ("messengers", "messenger-at-built-city")),
    Options(4, ("messengers",), STARRY),
    Options(5, ("messengers",)),
]


def one_by_one(cells: Cells, word: int) -> tuple[int, int, bytes]:
    """Play a copy to the end; return decisions, the generator's state and the last position."""
    cells, scratch, decisions = copy_cells(cells), new_scratch(word)[0], 0
    while cells[0].phase != OVER:
        apply(cells[0], int(scratch.codes[below(scratch, legal(cells[0], scratch))]))
        decisions += 1
    return decisions, int(scratch.word), cells.tobytes()


def at_once(cells: Cells, word: int) -> tuple[int, int, bytes]:
    """Do the same by the kernel."""
    cells, scratch = copy_cells(cells), new_scratch(word)[0]
    decisions = playout(cells[0], scratch)
    return decisions, int(scratch.word), cells.tobytes()


@for_every(KINDS, ())
def test_a_playout_is_random_decisions_one_by_one_from_any_phase(options: Options) -> None:
    game, rng, phases = Game(options, seed=3), Random(3), set[str]()
    while not game.is_over:
        word = rng.getrandbits(64)
        cells = game.state._cells
        assert at_once(cells, word) == one_by_one(cells, word)
        phases.add(game.phase)
        game.decide(rng.choice(game.legal_decisions()))
    assert phases >= {"build", "move", "draw"}
    assert ("messenger" in phases) == ("messengers" in options.rules)


@pytest.mark.plain
def test_there_is_nothing_to_play_after_the_end() -> None:
    cells = Options(2).blank_cells()
    cells["phase"] = OVER
    assert at_once(cells, 1) == (0, 1, cells.tobytes())
