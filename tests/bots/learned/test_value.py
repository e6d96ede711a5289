"""The value network: its invariances, and that it predicts the winner."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from bots.learned.symmetries import mirrored, turned
from patrizier import Game, Options, State
from patrizier.bots.budget import Budget
from patrizier.bots.endgame.solver import solve
from patrizier.bots.guard import take_turn
from patrizier.bots.learned.value import (
    INPUTS,
    MOST_ROWS,
    NUMBERS,
    POINT_OUTPUTS,
    POINTS,
    ROWS,
    UNITS,
    WIDTH,
    FeatureBuffer,
    evaluate_cells,
    load_weights,
    new_features,
)
from patrizier.bots.search.mcts import MctsBot
from patrizier.rules.board import cards_in_play
from patrizier.rules.state import new_cells
from support.kinds import STARRY, for_every
from support.outsiders import good_games

Floats = npt.NDArray[np.float64]

EVERY = for_every(
    [
        Options(2),
        Options(2, {"messengers"}, STARRY),
        Options(3, {"messengers", "messenger-at-built-city"}),
        Options(4, {"open-ledger"}),
        Options(5, {"messengers"}),
    ],
    plain=(Options(3, {"messengers", "messenger-at-built-city"}),),
)


def looked_at(state: State) -> FeatureBuffer:
    """Return the feature buffer after evaluating a position."""
    cells, features = new_cells(), new_features()
    cells[0] = state.record
    evaluate_cells(cells, features, load_weights(state.options.players))
    return features


def judged(state: State) -> tuple[Floats, Floats]:
    """Return every seat's share of victory and final points."""
    features, players = looked_at(state), state.options.players
    return features["share"][0, :players], features["final"][0, :players]


def random_game(options: Options, seed: int) -> Iterator[Game]:
    """Play at random; yield the game at every decision."""
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        yield game
        game.decide(rng.choice(game.legal_decisions()))


def some_positions(options: Options, seed: int, every: int = 9) -> Iterator[Game]:
    """Yield a random game now and then, and at least twice in each phase."""
    phases = dict.fromkeys(("build", "move", "draw", "messenger"), 0)
    for number, game in enumerate(random_game(options, seed)):
        if number % every == 0 or phases[game.phase] < 2:
            phases[game.phase] += 1
            yield game


@EVERY
def test_shares_add_up_to_one(options: Options) -> None:
    for game in some_positions(options, seed=1):
        shares, points = judged(game.state)
        assert shares.sum() == pytest.approx(1)
        assert (shares > 0).all()
        now = [score.tokens + score.sets + score.chips for score in game.scores()]
        assert (points > np.array(now) - 10).all()  # nobody loses what was won, bar a wrong guess
        assert (points < 130).all()


def test_positions_of_all_kinds_can_be_judged() -> None:
    for game in good_games():
        if not game.is_over:
            shares, points = judged(game.state)
            assert shares.sum() == pytest.approx(1)
            assert np.isfinite(points).all()


@EVERY
def test_the_network_is_the_sum_it_says_it_is(options: Options) -> None:
    """The same forward pass in NumPy gives the same result."""
    weights, players = load_weights(options.players)[0], options.players
    for game in some_positions(options, seed=2, every=15):
        features = looked_at(game.state)[0]
        for distance in range(players):
            rows = features["rows"][distance, : features["row_count"][distance]]
            assert 0 < len(rows) <= MOST_ROWS
            assert rows.min() >= 0
            assert rows.max() < ROWS
            seen = weights["rows"][rows].astype(np.float32).sum(axis=0)
            total = weights["bias"] + weights["scale"] * seen
            begin = NUMBERS + distance * WIDTH
            inputs = features["inputs"][begin : begin + WIDTH]
            assert inputs == pytest.approx(np.maximum(total, 0), abs=1e-4)
        used = NUMBERS + players * WIDTH
        assert used <= INPUTS
        units = features["inputs"][:used] @ weights["weigh"][:used] + weights["weigh_bias"]
        deep = np.maximum(units, 0) @ weights["deepen"] + weights["deepen_bias"]
        told = np.maximum(deep, 0) @ weights["tell"] + weights["tell_bias"]
        sums = features["inputs"][NUMBERS:used].reshape(players, WIDTH)
        share, to_come = (
            told[start : start + players] + sums @ weights["own"][part]
            for part, start in enumerate((0, POINT_OUTPUTS))
        )
        seats = [(int(game.state.record.seat) + distance) % players for distance in range(players)]
        won = [score.tokens + score.sets + score.chips for score in game.scores()]
        final = np.array(won)[seats] + to_come / POINTS
        assert features["final"][seats] == pytest.approx(final, abs=1e-3)
        left = len(cards_in_play(players)) - game.turn
        odds = np.exp(share + weights["clear"][left] * POINTS * final)
        assert features["share"][seats] == pytest.approx(odds / odds.sum(), abs=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_not_used_is_zero(players: int) -> None:
    """Columns and units beyond those in use are skipped, so their weights must be zero."""
    weights = load_weights(players)[0]
    width, units = int(weights["width"]), int(weights["units"])
    assert 0 < width <= WIDTH
    assert 0 < units <= UNITS
    for name in ("rows", "bias", "own"):
        assert not weights[name][..., width:].any()
    assert not weights["weigh"][:, units:].any()
    assert not weights["deepen"][units:].any()


# -- what must not matter


@EVERY
def test_names_of_seats_do_not_matter(options: Options) -> None:
    for number, game in enumerate(some_positions(options, seed=3, every=20)):
        shares, points = judged(game.state)
        by = 1 + number % (options.players - 1)
        other_shares, other_points = judged(turned(game, by).state)
        assert np.roll(shares, by) == pytest.approx(other_shares, abs=1e-5)
        assert np.roll(points, by) == pytest.approx(other_points, abs=1e-3)


@EVERY
def test_left_and_right_do_not_matter(options: Options) -> None:
    for game in some_positions(options, seed=4, every=20):
        mirror = mirrored(game)
        assert game.turn < 5 or mirror.state != game.state
        for one, two in zip(judged(game.state), judged(mirror.state), strict=True):
            assert one == pytest.approx(two, abs=1e-3)


@EVERY
def test_the_order_of_cards_in_a_hand_does_not_matter(options: Options) -> None:
    rng = Random(5)
    for game in some_positions(options, seed=5, every=20):
        state, cells = game.state, new_cells()
        cells[0] = state.record
        for hand in cells["hands"][0, : options.players]:
            hand[:] = rng.sample(hand.tolist(), 3)
        for one, two in zip(judged(state), judged(State(options, cells)), strict=True):
            assert one == pytest.approx(two, abs=1e-3)


@EVERY
def test_the_order_of_the_pile_does_not_matter(options: Options) -> None:
    rng = Random(6)
    for game in some_positions(options, seed=6, every=20):
        state, cells = game.state, new_cells()
        cells[0] = state.record
        left = int(cells["pile_left"][0])
        pile = cells["pile"][0, :left]
        pile[:] = rng.sample(pile.tolist(), left)
        for one, two in zip(judged(state), judged(State(options, cells)), strict=True):
            assert (one == two).all()


# -- what it knows


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_clear_leader_at_the_end_is_known(players: int) -> None:
    """With two turns to play, and the rest computed: who wins by twenty points has won."""
    found, turns = 0, len(cards_in_play(players))
    for seed in range(40):
        for game in random_game(Options(players), seed):
            if game.turn < turns - 2 or game.phase != "build":
                continue
            solution = solve(game.view(game.seat))
            assert solution is not None
            *_, second, first = sorted(solution.points)
            if first >= second + 20:
                shares, _ = judged(game.state)
                assert shares[solution.points.index(first)] > 0.9
                found += 1
        if found >= 10:
            break
    assert found


GAMES = [(2, ()), (2, ("messengers",)), (3, ()), (4, ("messengers",)), (5, ())]  # players, rules


def test_it_foresees_winners_better_than_chance() -> None:
    """In the second half of games that the bot plays against itself.

    A loss of 1 is that of somebody who thinks all equally likely; over many games it is 0.7.
    """
    losses, errors = [], []
    for seed, (players, rules) in enumerate(3 * GAMES, start=20):
        game, rng = Game(Options(players, rules), seed=seed), np.random.default_rng(seed)
        bots = [MctsBot(Budget(iterations=100)) for _ in range(players)]
        states = []
        while not game.is_over:
            assert game.seat is not None
            take_turn(game, bots[game.seat], rng)
            states.append(game.state)
        outcome = game.outcome()
        assert outcome is not None
        for state in states[len(states) // 2 : -1]:
            shares, points = judged(state)
            mean = sum(math.log(shares[seat]) for seat in outcome.winners) / len(outcome.winners)
            losses.append(-mean / math.log(players))
            errors.append(np.abs(points - np.array(outcome.points)).mean())
    assert len(losses) > 300
    assert np.mean(losses) < 0.9
    assert np.mean(errors) < 6


# -- where it comes from


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_weights_are_there_for_every_number_of_players(players: int) -> None:
    weights = load_weights(players)
    assert load_weights(players) is weights
    for name in weights.dtype.names or ():
        assert np.isfinite(weights[name]).all()
        may_be_zero = name in ("deepen_bias", "later_trust")
        assert may_be_zero or np.abs(weights[name]).max() > 0


def test_more_players_than_sit_at_a_table_have_no_weights() -> None:
    with pytest.raises(FileNotFoundError):
        load_weights(6)


PROGRAM = """
import json, sys
import numba, numpy as np
from patrizier import State
from patrizier.bots.learned.value import evaluate_cells, load_weights, new_features
from patrizier.rules.state import new_cells
assert numba.config.DISABLE_JIT
answers = []
for line in sys.stdin:
    state, cells, features = State.from_bytes(bytes.fromhex(line)), new_cells(), new_features()
    cells[0], players = state.record, state.options.players
    evaluate_cells(cells, features, load_weights(players))
    told = features[0]
    answers.append([*told["share"][:players].tolist(), *told["final"][:players].tolist()])
print(json.dumps(answers))
"""


def test_it_says_the_same_with_the_compiler_off() -> None:
    states = [game.state for game in good_games() if not game.is_over][::5]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        input="\n".join(state.to_bytes().hex() for state in states),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    answers = json.loads(done.stdout)
    assert len(answers) == len(states) > 10
    for state, answer in zip(states, answers, strict=True):
        assert np.concatenate(judged(state)) == pytest.approx(answer, rel=1e-4, abs=1e-4)
