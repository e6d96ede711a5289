"""All bots by name, with a budget behind it where they take one: ``greedy``, ``ismcts:100ms``."""

from collections.abc import Callable

from .base import Bot
from .budget import Budget
from .greedy import GreedyBot
from .ismcts import IsmctsBot
from .random_bot import RandomBot

_BOTS: dict[str, Callable[[], Bot]] = {bot.name: bot for bot in (RandomBot, GreedyBot)}
_THINKERS: dict[str, Callable[..., Bot]] = {IsmctsBot.name: IsmctsBot}


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots.

    >>> "greedy" in bot_names()
    True
    """
    return (*_BOTS, *_THINKERS)


def make_bot(spec: str) -> Bot:
    """Return a new bot of this name, with a budget if given; ValueError says what is wrong.

    >>> make_bot("ismcts:50ms").name
    'ismcts'
    """
    name, colon, budget = spec.partition(":")
    if name in _THINKERS:
        return _THINKERS[name](Budget.parse(budget)) if colon else _THINKERS[name]()
    if name not in _BOTS:
        raise ValueError(f"there is no bot {name!r}: there are {', '.join(bot_names())}")
    if colon:
        raise ValueError(f"the bot {name} takes no budget")
    return _BOTS[name]()
