"""Bots by name."""

import pytest

from patrizier.bots.greedy import GreedyBot
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


@pytest.mark.parametrize("name", ["", "Greedy", "nobody"])
def test_unknown_names_list_what_there_is(name: str) -> None:
    with pytest.raises(ValueError, match=f"there are {bot_names()[0]}, .*random"):
        make_bot(name)
