"""A position is a value: turns lead to others, and threads may apply decisions at the same time."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from patrizier import Deal, Game, IllegalMove, Move, Options, State

OPTIONS = Options(players=4, rules=("messengers",))


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Let threads interrupt each other as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def position(turns: int) -> State:
    rng, state = Random(turns), State.start(OPTIONS, Deal.random(OPTIONS, seed=1))
    while state.turn < turns:
        state = state.apply(rng.choice(state.legal_decisions()))
    return state


def apply_often(state: State) -> set[bytes]:
    first, last = state.legal_decisions()[0], state.legal_decisions()[-1]
    return {state.apply(code).to_bytes() for _ in range(20_000) for code in (first, last)}


@pytest.mark.usefixtures("many_switches")
def test_threads_do_not_disturb_each_other() -> None:
    states = [position(turns) for turns in range(10, 14)]
    with ThreadPoolExecutor(len(states)) as pool:
        found = list(pool.map(apply_often, states))
    assert [len(positions) for positions in found] == [2, 2, 2, 2]


def test_a_turn_leads_to_the_same_position_as_in_a_game() -> None:
    rng, game = Random(7), Game(OPTIONS, seed=7)
    while not game.is_over:
        before, move = game.state, rng.choice(game.legal_moves)
        game.play(move)
        taken = len(game.decisions) - len(before.walk(move)[1])
        assert before.walk(move) == (game.state, game.decisions[taken:])
        assert before.play(move) == game.state
        begun = before.play(move, until="messenger")
        assert begun == game.state or (
            begun.phase == "messenger" and begun.play(move) == game.state
        )


def test_a_turn_goes_on_where_it_stands() -> None:
    """The card that a draw turns up is known before a messenger is laid."""
    state = position(0)
    while state.phase != "messenger":
        state = state.apply(state.legal_decisions()[0])
    laid = state.legal_moves()[-1]
    assert state.play(laid, until="messenger") is state
    assert state.play(laid).turn == state.turn + 1


def test_an_illegal_turn_is_refused() -> None:
    state = position(3)
    theirs = position(4).legal_moves()[0]
    with pytest.raises(IllegalMove, match=f"{theirs.card} is not in the hand of seat"):
        state.play(theirs)
    mine = state.legal_moves()[0]
    floors = "L" if len(mine.sites) == 2 else "LL"
    with pytest.raises(IllegalMove, match=f"{mine.card} builds (one floor|two floors)"):
        state.walk(Move.of(mine.card, floors))
    while state.phase != "messenger":
        state = state.apply(state.legal_decisions()[0])
    with pytest.raises(IllegalMove, match="not possible here"):
        state.play(Move("BO1:L@BO-PA"))  # no neighbours
