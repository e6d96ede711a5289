"""The network alone: what it judges is what the network says of the positions after each turn."""

import numpy as np
import pytest

from bots.duels import won
from patrizier import Game, Options, View
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.guard import take_turn
from patrizier.bots.intuition import IntuitionBot
from patrizier.bots.learned.value import evaluate_cells, load_weights, new_features
from patrizier.rules.state import new_cells


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def view_with(turns_left: int, options: Options, seed: int = 1) -> View:
    """Return the view before one of the last turns of a game between greedy bots."""
    game, chance = Game(options, seed=seed), rng(seed)
    while (5 if options.players == 5 else 0) + 48 - game.turn > turns_left:
        take_turn(game, GreedyBot(), chance)
    return game.view(game.seat)


def expected(view: View) -> list[float]:
    """Judge every turn by hand, where nothing is hidden."""
    assert view.viewer is not None
    weights, found = load_weights(view.options.players), []
    for move in view.legal:
        state = view.sample(rng())
        while not state.is_over and state.turn == view.turn:
            state = state.apply(move.decision(state.phase))
        if state.is_over:
            totals = [score.total for score in state.scores()]
            outcome = state.outcome()
            assert outcome is not None
            winners = outcome.winners
            shares = [(seat in winners) / len(winners) for seat in range(len(totals))]
        else:
            cells, features = new_cells(), new_features()
            cells[0] = state.record
            evaluate_cells(cells, features, weights)
            shares, totals = features["share"][0].tolist(), features["final"][0].tolist()
        own, players = totals[view.viewer], view.options.players
        others = (sum(totals[:players]) - own) / (players - 1)
        margin = float(weights["margin"][0])
        found.append(shares[view.viewer] + margin * (own - others))
    return found


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("turns_left", [1, 3, 6])
def test_it_judges_the_position_after_every_turn(players: int, turns_left: int) -> None:
    view = view_with(turns_left, Options(players, {"open-ledger"}))
    assert view.pile_left == 0
    assert IntuitionBot().judge(view, rng()) == pytest.approx(expected(view), abs=1e-6)


def test_it_plays_the_turn_it_judges_best() -> None:
    for turns_left in (40, 20, 5):
        view = view_with(turns_left, Options(3, {"messengers"}))
        bot = IntuitionBot()
        best = int(np.argmax(bot.judge(view, rng(3))))
        assert bot.choose(view, rng(3)) == view.legal[best]


def test_it_beats_those_who_look_one_turn_ahead_without_having_learned() -> None:
    """In almost four of five games; here, more than half of them."""
    assert won(IntuitionBot, GreedyBot, games=30) > 15
