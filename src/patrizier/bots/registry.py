"""All bots by name."""

from .base import Bot
from .greedy import GreedyBot
from .random_bot import RandomBot

_BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in (GreedyBot, RandomBot)}


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots.

    >>> "greedy" in bot_names()
    True
    """
    return tuple(_BOTS)


def make_bot(name: str) -> Bot:
    """Return a new bot of this name; ValueError lists the names there are."""
    if name not in _BOTS:
        raise ValueError(f"there is no bot {name!r}: there are {', '.join(_BOTS)}")
    return _BOTS[name]()
