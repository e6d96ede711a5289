"""The levels: each clearly stronger than the one below, and none of them silly."""

from collections.abc import Collection
from itertools import pairwise

import numpy as np
import pytest

from bots.duels import won
from patrizier import Game, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot, evaluate_turns
from patrizier.bots.guard import take_turn
from patrizier.bots.levels import LEVELS, Apprentice, Banker, Doge, Merchant, Senator
from patrizier.bots.random_bot import RandomBot
from patrizier.bots.registry import bot_names, list_bots, make_bot
from patrizier.bots.search.mcts import MctsBot
from patrizier.bots.search.zero import ZeroBot


class QuickDoge(Doge):
    """The strongest with fewer iterations than a second allows, but repeatable."""

    budget = Budget(iterations=1500)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def views(
    seed: int, every: int = 3, players: int = 3, rules: Collection[str] = ("messengers",)
) -> list[View]:
    """Return views of a game between greedy bots, whoever is to move."""
    game, chance, found = Game(Options(players, rules), seed=seed), rng(seed), []
    while not game.is_over:
        if game.turn % every == 0:
            found.append(game.view(game.seat))
        take_turn(game, GreedyBot(), chance)
    return found


def test_they_are_named_and_described_from_the_weakest_to_the_strongest() -> None:
    names = [level.name for level in LEVELS]
    assert names == ["apprentice", "merchant", "banker", "senator", "doge"]
    assert [name for name in bot_names() if name in names] == names
    for number, level in enumerate(LEVELS, start=1):
        assert level.about.startswith(f"Level {number}: ")
        assert isinstance(make_bot(level.name), level)
    told = {info.name: info for info in list_bots()}
    assert not any(told[name].takes_budget for name in names)


def test_every_level_can_be_hurried() -> None:
    (view, *_) = views(1)
    for level in LEVELS:
        bot = make_bot(level.name)
        bot.hurry(0.01)
        assert bot.choose(view, rng()) in view.legal
    doge = Doge()
    doge.hurry(0.01)
    assert doge.mcts.budget == doge.zero.budget == Budget(seconds=0.01)
    doge.scale_time(3)
    assert doge.mcts.budget == doge.zero.budget == Budget(seconds=3.0)


def test_they_answer_within_a_second_or_two() -> None:
    assert Doge.budget.seconds is not None
    assert Doge.budget.seconds <= 2
    assert Doge.budget.cores == 1
    for budget in (Banker.budget, Senator.budget, Senator.among_more):
        assert budget is not None
        assert budget.iterations is not None  # as strong on every machine
        assert budget.iterations < 1000


class BriefDoge(Doge):
    budget = Budget(iterations=90)


@pytest.mark.parametrize("level", [Banker, Senator, BriefDoge])
def test_who_searches_plays_and_tells_what_the_search_does(
    level: type[Banker | Senator | Doge],
) -> None:
    for budget, players in ((level.budget, 2), (level.among_more or level.budget, 3)):
        for rules in ((), ("messengers",)):
            search = ZeroBot if level is BriefDoge and players == 2 and rules else MctsBot
            for view in views(seed=1, every=5, players=players, rules=rules):
                assert level().choose(view, rng()) == search(budget).choose(view, rng())
                told = level().explain(view, rng())
                assert told == search(budget).explain(view, rng())
                assert told[0].move == level().choose(view, rng())


def test_who_does_not_search_cannot_explain() -> None:
    view = Game(Options(2), seed=1).view(Game(Options(2), seed=1).seat)
    assert Apprentice().explain(view, rng()) == ()
    assert Merchant().explain(view, rng()) == ()


def test_the_merchant_plays_greedily_against_one_opponent() -> None:
    for view in views(seed=2, every=5, players=2):
        assert evaluate_turns(view, rng())[view.legal.index(Merchant().choose(view, rng()))] == max(
            evaluate_turns(view, rng())
        )


def lost(level: type[Bot], view: View, seed: int) -> tuple[float, float]:
    """Return what a turn loses by the evaluation: to the best of all, to the best of its card."""
    chosen, values = level().choose(view, rng(seed)), evaluate_turns(view, rng())
    own = values[view.legal.index(chosen)]
    same = [move.card == chosen.card for move in view.legal]
    return values.max() - own, values[same].max() - own


def test_with_more_opponents_the_merchant_loses_track_a_little() -> None:
    losses = [lost(Merchant, view, seed)[0] for view in views(seed=2) for seed in range(3)]
    assert 0 < np.mean(losses) < 0.5
    assert max(losses) < 4


def test_the_apprentice_overlooks_things_but_does_not_play_just_anything() -> None:
    """By the evaluation, its turns lose something, but much less than random ones."""
    losses, chance = [], []
    for view in views(seed=3, every=2):
        values = evaluate_turns(view, rng())
        for seed in range(6):
            losses.append(lost(Apprentice, view, seed)[0])
            chance.append(values.max() - values.mean())
    assert np.mean(np.array(losses) > 1) > 0.1
    assert 0 < np.mean(losses) < 0.7 * np.mean(chance)


def test_what_the_apprentice_does_with_a_card_makes_sense() -> None:
    """It may choose a poor card, but hardly ever a poor site for it."""
    of_card = np.array(
        [
            lost(Apprentice, view, seed)[1]
            for number, players in enumerate((2, 3, 4))
            for view in views(seed=number, every=2, players=players)
            for seed in range(4)
        ]
    )
    assert np.mean(of_card > 3) < 0.01
    assert np.mean(of_card) < 0.4


def test_the_apprentice_plays_the_only_turn_though_it_may_overlook_it() -> None:
    game = Game(Options(4), seed=1)
    while len(game.legal_moves) > 1:
        game.play(game.legal_moves[0])
    view = game.view(game.seat)
    assert {Apprentice().choose(view, rng(seed)) for seed in range(10)} == set(view.legal)


def test_the_apprentice_beats_chance() -> None:
    """In nineteen games of twenty."""
    assert won(Apprentice, RandomBot, games=20) >= 16


@pytest.mark.parametrize(("worse", "better"), list(pairwise([*LEVELS[:-1], QuickDoge])))
def test_each_level_beats_the_one_below(worse: type[Bot], better: type[Bot]) -> None:
    """About four games of five, and here three of five at least."""
    assert won(better, worse, games=24) >= 14.4
