"""Bots by name."""

import pytest

from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.random_bot import RandomBot
from patrizier.bots.registry import PACKAGE, bot_names, list_bots, make_bot, takes_budget
from patrizier.bots.search.ismcts import IsmctsBot

OWN = [info for info in list_bots() if info.package == PACKAGE]


def test_every_name_makes_its_bot() -> None:
    assert {"greedy", "random"} <= set(bot_names())
    assert isinstance(make_bot("greedy"), GreedyBot)
    assert isinstance(make_bot("random"), RandomBot)
    for info in OWN:
        assert make_bot(info.name).name == info.name
        assert make_bot(info.name) is not make_bot(info.name)


def test_the_list_tells_about_every_bot() -> None:
    assert [info.name for info in OWN] == list(bot_names())[: len(OWN)]
    for info in OWN:
        assert info.about.endswith(".")
        assert info.about == make_bot(info.name).about
        assert info.broken is None
    assert {info.name: info.takes_budget for info in OWN if info.name in ("greedy", "ismcts")} == {
        "greedy": False,
        "ismcts": True,
    }


def test_a_budget_stands_behind_the_name() -> None:
    bot = make_bot("ismcts:2000")
    assert isinstance(bot, IsmctsBot)
    assert bot.budget == Budget(iterations=2000)


@pytest.mark.parametrize("spec", ["greedy:", "greedy:100ms", "ismcts:", "ismcts:soon"])
def test_budgets_that_do_not_fit(spec: str) -> None:
    with pytest.raises(ValueError, match="budget"):
        make_bot(spec)


def test_a_bot_with_a_parameter_for_it_takes_a_budget() -> None:
    def with_budget(*, budget: Budget | None = None) -> Bot:
        return IsmctsBot(budget)

    def without() -> Bot:
        return IsmctsBot(Budget(iterations=5))

    assert takes_budget(with_budget)
    assert not takes_budget(without)
    assert not takes_budget(dict)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "Greedy", "nobody", "nobody:100ms", "a/b.c", "..", "1.5s"])
def test_unknown_names_list_what_there_is(name: str) -> None:
    with pytest.raises(ValueError, match=f"there are {bot_names()[0]}, .*{bot_names()[-1]}"):
        make_bot(name)
