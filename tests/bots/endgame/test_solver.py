"""The endgame solver: exact, silent about what it cannot know, deterministic."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from patrizier import Deck, Game, Options, State, View
from patrizier.bots.endgame.solver import (
    MOST_TURNS,
    Solution,
    settled,
    solve,
    solve_all,
    turns_left,
)
from patrizier.bots.greedy import GreedyBot
from patrizier.rules.apply import pass_turn, take
from patrizier.rules.board import cards_in_play
from patrizier.rules.codes import NO_MESSENGER
from patrizier.rules.jit import kernel
from patrizier.rules.legal import legal
from patrizier.rules.score import FLOORS, TOTAL, totals, winners
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, TURN_DONE, Cells, new_cells
from support.kinds import STARRY

Numbers = npt.NDArray[np.int64]
End = tuple[tuple[int, ...], ...]  # by seat: points, share of the victory in sixtieths, floors

MESSENGERS = ("messengers",)
AT_BUILT_CITY = ("messengers", "messenger-at-built-city")
DEEPEST = 40


@cache
def powerful() -> Deck:
    """Special actions and free draws wherever there is room for them."""
    texts = {card: face.text for card, face in Deck.classic().faces}
    for number, card in enumerate(card for card, text in texts.items() if text[0] in "LBK"):
        if not texts[card].endswith("*"):
            texts[card] = ">?"[number % 2]
    return Deck.of("powerful", texts)


def positions(
    options: Options, seed: int, count: int, fewest: int, most: int
) -> Iterator[tuple[State, View]]:
    """Yield random positions without hidden cards, some of them within a turn."""
    rng, turns = np.random.default_rng(seed), len(cards_in_play(options.players))
    while count:
        game = Game(options, seed=int(rng.integers(2**32)))
        end = turns - int(rng.integers(fewest, most + 1))
        within = rng.random() < 0.5
        while True:
            codes = game.legal_decisions()
            keep = codes[0] == NO_MESSENGER and rng.random() < 0.7  # so that some are left to lay
            code = codes[0] if keep else int(rng.choice(codes))
            if game.turn == end and not (within and game.state.apply(code).turn == end):
                break
            game.decide(code)
        view = game.view(game.seat)
        if settled(view):
            count -= 1
            yield game.state, view


# -- the same by brute force


@kernel
def likes_better(one: Numbers, two: Numbers, seat: int, players: int) -> bool:
    """Whether a seat prefers one end to another: rows of points, share, floors."""
    others = 0
    for other in range(players):
        if other != seat:
            others = other
    if players == 2:
        lead = one[seat, 0] - one[others, 0] - (two[seat, 0] - two[others, 0])
        floors = one[seat, 2] - one[others, 2] - (two[seat, 2] - two[others, 2])
        return bool(lead > 0 or (lead == 0 and floors < 0))
    if one[seat, 1] != two[seat, 1]:
        return bool(one[seat, 1] > two[seat, 1])
    first = -999
    second = -999
    for other in range(players):
        if other != seat:
            first = max(first, one[other, 0])
            second = max(second, two[other, 0])
    if one[seat, 0] - first != two[seat, 0] - second:
        return bool(one[seat, 0] - first > two[seat, 0] - second)
    if one[seat, 0] != two[seat, 0]:
        return bool(one[seat, 0] > two[seat, 0])
    for other in range(players):
        if one[other, 0] != two[other, 0]:
            return bool(one[other, 0] > two[other, 0])
    for other in range(players - 1, -1, -1):
        if (one[other, 1] > 0) != (two[other, 1] > 0):
            return bool(one[other, 1] > 0)
    return False


@kernel
def try_everything(
    cells: Cells, buffers: ScratchBuffer, ends: Numbers, table: Numbers, best: Numbers
) -> int:
    """Write the outcome under optimal play into ends[0]; return the positions visited."""
    players = int(cells[0].players)
    counts = np.zeros(len(cells), np.int64)
    done = np.zeros(len(cells), np.int64)
    counts[0] = legal(cells[0], buffers[0])
    depth = 0
    seen = 0
    while depth >= 0:
        if done[depth] < counts[depth]:
            cells[depth + 1] = cells[depth]
            state = cells[depth + 1]
            take(state, buffers[depth].codes[done[depth]])
            if state.phase == TURN_DONE:
                pass_turn(state)
            done[depth] += 1
            depth += 1
            seen += 1
            done[depth] = 0
            counts[depth] = legal(state, buffers[depth])
            if state.phase == OVER:
                totals(state, table)
                count = winners(players, table, best)
                for seat in range(players):
                    ends[depth, seat, 0] = table[seat, TOTAL]
                    ends[depth, seat, 1] = 0
                    ends[depth, seat, 2] = table[seat, FLOORS]
                for i in range(count):
                    ends[depth, best[i], 1] = 60 // count
            continue
        depth -= 1
        if depth >= 0:
            seat = int(cells[depth].seat)
            if done[depth] == 1 or likes_better(ends[depth + 1], ends[depth], seat, players):
                ends[depth] = ends[depth + 1]
    return seen


def by_brute_force(state: State) -> End:
    """Return the outcome by brute force."""
    cells, buffers = new_cells(DEEPEST), np.repeat(new_scratch(), DEEPEST)
    cells[0] = state.record
    ends = np.zeros((DEEPEST, 5, 3), np.int64)
    try_everything(cells, buffers, ends, np.zeros((5, 6), np.int64), np.zeros(5, np.int64))
    points, shares, floors = ends[0, : state.options.players].T.tolist()
    return tuple(points), tuple(shares), tuple(floors)


def end_of(solution: Solution) -> End:
    shares = tuple(round(60 * share) for share in solution.shares)
    return solution.points, shares, solution.floors


def lead(end: End, seat: int) -> tuple[int, int]:
    """Return what counts with two players: points ahead, then fewer floors."""
    points, _, floors = end
    return points[seat] - points[1 - seat], floors[1 - seat] - floors[seat]


def check(options: Options, seed: int, count: int, most: int) -> set[str]:
    """Compare with brute force; return the phases that occurred."""
    phases = set()
    for state, view in positions(options, seed, count, 1, most):
        solution, end = solve(view), by_brute_force(state)
        assert solution is not None
        assert solution.move in view.legal
        if options.players == 2:
            assert view.seat is not None
            assert lead(end_of(solution), view.seat) == lead(end, view.seat)
            assert end_of(solution)[1] == end[1]
        else:
            assert end_of(solution)[:2] == end[:2]
        phases.add(view.phase)
    return phases


@pytest.mark.parametrize(
    ("rules", "deck", "most"),
    [
        ((), None, 6),
        (MESSENGERS, None, 5),
        (AT_BUILT_CITY, None, 5),
        (AT_BUILT_CITY, STARRY, 4),
        (MESSENGERS, powerful(), 4),
    ],
)
def test_two_players_as_brute_force(rules: tuple[str, ...], deck: Deck | None, most: int) -> None:
    phases = check(Options(2, rules, deck), seed=most, count=100, most=most)
    assert "move" in phases
    assert ("messenger" in phases) == bool(rules)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rules", [(), AT_BUILT_CITY])
def test_more_players_as_brute_force(players: int, rules: tuple[str, ...]) -> None:
    check(Options(players, rules), seed=players, count=30, most=6)


@pytest.mark.plain
def test_the_same_without_the_compiler() -> None:
    check(Options(2, MESSENGERS, STARRY), seed=8, count=6, most=2)
    check(Options(3, MESSENGERS, STARRY), seed=8, count=4, most=2)


@pytest.mark.parametrize(
    ("players", "rules", "fewest", "most"),
    [(2, (), 7, 11), (2, MESSENGERS, 7, 10), (2, AT_BUILT_CITY, 7, 10), (3, MESSENGERS, 6, 10)],
)
def test_every_turn_leads_where_solving_from_there_leads(
    players: int, rules: tuple[str, ...], fewest: int, most: int
) -> None:
    """So a position with cards on display is right if those a turn later are."""
    for state, view in positions(Options(players, rules), most, 6, fewest, most):
        solution, solutions = solve(view), solve_all(view)
        assert solution is not None
        assert solutions is not None
        assert end_of(solutions[0]) == end_of(solution)
        assert solutions[0].move == solution.move
        assert sorted(s.move.text for s in solutions) == sorted(m.text for m in view.legal)
        for found in solutions:
            after = state
            while after.turn == state.turn:
                after = after.apply(found.move.decision(after.phase))
            later = solve(after.view(after.seat))
            if later is not None:  # the next seat may not know all cards yet
                assert end_of(later) == end_of(found)
        if players == 2:
            assert view.seat is not None
            leads = [lead(end_of(found), view.seat) for found in solutions]
            assert all(one >= two for one, two in pairwise(leads))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", [(), AT_BUILT_CITY])
def test_games_end_as_foretold(players: int, rules: tuple[str, ...]) -> None:
    game, bot, rng = (
        Game(Options(players, rules), seed=players),
        GreedyBot(),
        np.random.default_rng(1),
    )
    foretold = set()
    while not game.is_over:
        view = game.view(game.seat)
        solution = solve(view) if turns_left(view) <= 9 else None
        if solution is not None:
            foretold.add((solution.points, solution.shares))
            assert solution.move in view.legal
        assert solution is not None or not foretold
        game.play(solution.move if solution else bot.choose(view, rng))
    outcome = game.outcome()
    assert outcome is not None
    shares = tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(players))
    assert foretold == {(outcome.points, shares)}


def test_nothing_is_told_while_something_is_hidden() -> None:
    game, rng = Game(Options(2), seed=3), np.random.default_rng(3)
    while game.turn < 34:
        view = game.view(game.seat)
        assert settled(view) == (game.turn >= 33)  # the last 15 cards: hands and display
        if not settled(view):
            assert solve(view) is None
            assert solve_all(view) is None
        game.play(view.legal[rng.integers(len(view.legal))])


def test_unknown_cards_in_two_hands_are_hidden() -> None:
    """Everybody keeps the cards they were dealt as long as they can."""
    game = Game(Options(3), seed=1)
    while game.turn < 48 - MOST_TURNS[3]:
        view = game.view(game.seat)
        hidden = sum(seat.unknown > 0 for seat in view.seats)
        assert settled(view) == (view.pile_left == 0 and hidden < 2)
        dealt = game.deal.hands[view.viewer or 0]
        game.play(min(view.legal, key=lambda move: move.card in dealt))
    view = game.view(game.seat)
    assert view.pile_left == 0
    assert sum(seat.unknown > 0 for seat in view.seats) == 2
    assert solve(view) is None


def test_only_the_seat_to_move_gets_an_answer() -> None:
    state, view = next(positions(Options(2), 1, 1, 4, 4))
    assert solve(view) is not None
    assert state.seat is not None
    assert solve(state.view(1 - state.seat)) is None
    assert solve_all(state.view(None)) is None
    while not state.is_over:
        state = state.apply(state.legal_decisions()[0])
    assert solve(state.view(0)) is None


def test_far_ends_are_not_tried() -> None:
    _, view = next(positions(Options(3), 1, 1, MOST_TURNS[3] + 1, MOST_TURNS[3] + 1))
    assert settled(view)
    assert solve(view) is None


@pytest.mark.parametrize("players", [2, 3])
def test_nodes_are_counted_and_limited(players: int) -> None:
    for _, view in positions(Options(players), 4, 5, 6, 7):
        solution = solve(view)
        assert solution is not None
        assert solve(view, most_nodes=solution.nodes) == solution
        assert solve(view, most_nodes=solution.nodes - 1) is None
        assert solve_all(view, most_nodes=solution.nodes // 2) is None


@pytest.mark.parametrize("players", [2, 4])
def test_the_answer_depends_on_the_position_only(players: int) -> None:
    for state, view in positions(Options(players, MESSENGERS), 6, 5, 5, 8):
        solution = solve(view)
        assert solution is not None
        assert solve(view) == solution
        assert solve(View.from_json(view.to_json())) == solution
        assert solve(State.from_bytes(state.to_bytes()).view(state.seat)) == solution
