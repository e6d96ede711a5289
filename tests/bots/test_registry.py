"""Bots by name."""

import pytest

from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.ismcts import IsmctsBot
from patrizier.bots.random_bot import RandomBot
from patrizier.bots.registry import bot_names, make_bot


def test_every_name_makes_its_bot() -> None:
    assert {"greedy", "random"} <= set(bot_names())
    assert isinstance(make_bot("greedy"), GreedyBot)
    assert isinstance(make_bot("random"), RandomBot)
    for name in bot_names():
        assert make_bot(name).name == name
        assert make_bot(name).about.endswith(".")
        assert make_bot(name) is not make_bot(name)


def test_a_budget_stands_behind_the_name() -> None:
    bot = make_bot("ismcts:2000")
    assert isinstance(bot, IsmctsBot)
    assert bot.budget == Budget(iterations=2000)


@pytest.mark.parametrize("spec", ["greedy:", "greedy:100ms", "ismcts:", "ismcts:soon"])
def test_budgets_that_do_not_fit(spec: str) -> None:
    with pytest.raises(ValueError, match="budget"):
        make_bot(spec)


@pytest.mark.parametrize("name", ["", "Greedy", "nobody", "nobody:100ms"])
def test_unknown_names_list_what_there_is(name: str) -> None:
    with pytest.raises(ValueError, match=f"there are {bot_names()[0]}, .*{bot_names()[-1]}"):
        make_bot(name)
