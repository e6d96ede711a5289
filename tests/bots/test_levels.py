"""The four levels: each clearly stronger than the one below, and none of them silly."""

from itertools import pairwise

import numpy as np
import pytest

from patrizier import Game, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot, evaluate_turns
from patrizier.bots.guard import take_turn
from patrizier.bots.levels import LEVELS, Apprentice, Banker, Doge, Merchant
from patrizier.bots.random_bot import RandomBot
from patrizier.bots.registry import bot_names, list_bots, make_bot
from patrizier.bots.search.mcts import MctsBot

QUICK = Budget(iterations=1500)  # for the strongest: less than a second allows, but repeatable


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def views(seed: int, every: int = 3) -> list[View]:
    """Return views of a game between greedy bots, whoever is to move."""
    game, chance, found = Game(Options(3, {"messengers"}), seed=seed), rng(seed), []
    while not game.is_over:
        if game.turn % every == 0:
            found.append(game.view(game.seat))
        take_turn(game, GreedyBot(), chance)
    return found


def test_they_are_named_and_described_from_the_weakest_to_the_strongest() -> None:
    names = [level.name for level in LEVELS]
    assert names == ["apprentice", "merchant", "banker", "doge"]
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
    assert doge._mcts.budget == Budget(seconds=0.01)


def test_they_answer_within_a_second_or_two() -> None:
    assert Doge.budget.seconds is not None
    assert Doge.budget.seconds <= 2
    assert Doge.budget.cores == 1
    assert Banker.budget.iterations is not None  # as strong on every machine
    assert Banker.budget.iterations < 1000


@pytest.mark.parametrize("level", [Banker, Doge])
def test_who_searches_plays_and_tells_what_the_search_does(
    level: type[Banker | Doge], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Doge, "budget", Budget(iterations=90))
    for view in views(seed=1, every=5):
        assert level().choose(view, rng()) == MctsBot(level.budget).choose(view, rng())
        told = level().explain(view, rng())
        assert told == MctsBot(level.budget).explain(view, rng())
        assert told[0].move == level().choose(view, rng())


def test_who_does_not_search_cannot_explain() -> None:
    view = Game(Options(2), seed=1).view(Game(Options(2), seed=1).seat)
    assert Apprentice().explain(view, rng()) == ()
    assert Merchant().explain(view, rng()) == ()


def test_the_merchant_plays_greedily() -> None:
    for view in views(seed=2, every=5):
        assert Merchant().choose(view, rng(3)) == GreedyBot().choose(view, rng(3))


def test_the_apprentice_overlooks_things_but_does_not_play_just_anything() -> None:
    """By the evaluation, its turns lose something, but much less than random ones."""
    lost, chance = [], []
    for number, view in enumerate(views(seed=3, every=2)):
        values = evaluate_turns(view, rng(number))
        for seed in range(6):
            chosen = Apprentice().choose(view, rng(seed))
            lost.append(values.max() - values[view.legal.index(chosen)])
            chance.append(values.max() - values.mean())
    assert np.mean(np.array(lost) > 0) > 0.1
    assert 0 < np.mean(lost) < 0.7 * np.mean(chance)


def test_the_apprentice_plays_the_only_turn_though_it_may_overlook_it() -> None:
    game = Game(Options(4), seed=1)
    while len(game.legal_moves) > 1:
        game.play(game.legal_moves[0])
    view = game.view(game.seat)
    assert {Apprentice().choose(view, rng(seed)) for seed in range(10)} == set(view.legal)


def won(better: type[Bot], worse: type[Bot], games: int) -> float:
    """Return how many games of two one level wins: every deal from both seats."""
    wins = 0.0
    for number in range(games):
        game, chance, own = Game(Options(2), seed=number // 2), rng(number), number % 2
        bots = [better() if seat == own else worse() for seat in range(2)]
        while not game.is_over:
            assert game.seat is not None
            assert take_turn(game, bots[game.seat], chance) == []
        outcome = game.outcome()
        assert outcome is not None
        wins += (own in outcome.winners) / len(outcome.winners)
    return wins


def test_the_apprentice_beats_chance() -> None:
    """In nineteen games of twenty."""
    assert won(Apprentice, RandomBot, games=20) >= 16


@pytest.mark.parametrize(("worse", "better"), list(pairwise(LEVELS)))
def test_each_level_beats_the_one_below(
    worse: type[Bot], better: type[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """About four games of five, and here three of five at least."""
    monkeypatch.setattr(Doge, "budget", QUICK)
    assert won(better, worse, games=24) >= 14.4
