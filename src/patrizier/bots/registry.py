"""All bots by name, with an optional budget: ``greedy``, ``ismcts:100ms``."""

import inspect
from dataclasses import asdict, dataclass
from typing import Any

from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.intuition import IntuitionBot
from patrizier.bots.levels import LEVELS
from patrizier.bots.plugins import Maker, Plugin, find_plugins, is_path, load_path, reason
from patrizier.bots.random_bot import RandomBot
from patrizier.bots.search.ismcts import IsmctsBot
from patrizier.bots.search.mcts import MctsBot
from patrizier.bots.search.zero import ZeroBot

PACKAGE = "patrizier"  # where the bots below come from

# One line per bot. A parameter `budget` makes it accept one on the command line.
_BUILT_IN: dict[str, Maker] = {
    RandomBot.name: RandomBot,
    GreedyBot.name: GreedyBot,
    IntuitionBot.name: IntuitionBot,
    IsmctsBot.name: IsmctsBot,
    MctsBot.name: MctsBot,
    ZeroBot.name: ZeroBot,
    **{level.name: level for level in LEVELS},
}


@dataclass(frozen=True, slots=True)
class BotInfo:
    """One entry of the list of bots."""

    name: str
    about: str  # one sentence; empty if the bot is broken
    takes_budget: bool
    package: str
    broken: str | None = None  # why it cannot be used

    def to_json(self) -> dict[str, Any]:
        """Return the fields for programs."""
        return asdict(self)


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots, those of other packages last, without importing them.

    >>> "greedy" in bot_names()
    True
    """
    others = (plugin.name for plugin in find_plugins() if plugin.is_well_named)
    return tuple(dict.fromkeys((*_BUILT_IN, *others)))


def is_built_in(name: str) -> bool:
    """Whether a bot is one of ours.

    >>> is_built_in("greedy"), is_built_in("mybot.MyBot")
    (True, False)
    """
    return name in _BUILT_IN


def make_bot(spec: str) -> Bot:
    """Return a new bot of this name, with a budget if given; ValueError says what is wrong.

    A path works too: ``mybot.MyBot`` is the class ``MyBot`` of ``mybot.py`` in the current folder.
    That imports any module: check untrusted input against `bot_names` first.

    >>> make_bot("ismcts:50ms").name
    'ismcts'
    """
    name, colon, budget = spec.partition(":")
    maker = _maker(name)
    if not colon:
        return _make(name, maker)
    if not takes_budget(maker):
        raise ValueError(f"the bot {name} takes no budget")
    return _make(name, maker, budget=Budget.parse(budget))


def takes_budget(maker: Maker) -> bool:
    """Whether a bot takes a budget: its class or factory has a parameter ``budget``.

    >>> takes_budget(IsmctsBot), takes_budget(GreedyBot)
    (True, False)
    """
    try:
        return "budget" in inspect.signature(maker).parameters
    except (TypeError, ValueError):  # some C callables have no signature
        return False


def list_bots() -> tuple[BotInfo, ...]:
    """Return all bots with a description; broken ones with the reason."""
    own = (_info(name, PACKAGE) for name in _BUILT_IN)
    others = (_info(p.name, p.package, _why_refused(p)) for p in find_plugins())
    return (*own, *others)


def _info(name: str, package: str, broken: str | None = None) -> BotInfo:
    try:
        if broken:
            raise ValueError(broken)
        return BotInfo(name, make_bot(name).about, takes_budget(_maker(name)), package)
    except ValueError as error:
        return BotInfo(name, "", False, package, str(error))


def _maker(name: str) -> Maker:
    """Return a bot's class or factory; ValueError if there is none that works."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    for plugin in find_plugins():
        if plugin.name == name:
            if refused := _why_refused(plugin):
                raise ValueError(refused)
            return plugin.load()
    if is_path(name):
        return load_path(name)
    raise ValueError(f"there is no bot {name!r}: there are {', '.join(bot_names())}")


def _why_refused(plugin: Plugin) -> str | None:
    """Return why a plug-in's name cannot be used; None if it can."""
    name, package = plugin.name, plugin.package
    if not plugin.is_well_named:
        return f"{package} names a bot {name!r}: only letters, digits, - and _ make a name"
    if name in _BUILT_IN:
        return f"{package} cannot have a bot named {name}: {PACKAGE} has one"
    rivals = sorted({other.package for other in find_plugins() if other.name == name})
    if len(rivals) > 1:
        return f"{' and '.join(rivals)} have a bot named {name} each: only one may be installed"
    return None


def _make(name: str, maker: Maker, **arguments: Any) -> Bot:
    """Make a bot; errors in third-party code become ValueError."""
    try:
        bot: object = maker(**arguments)
    except (Exception, SystemExit) as error:
        raise ValueError(f"the bot {name} cannot be made: {reason(error)}") from error
    if not isinstance(bot, Bot):
        raise ValueError(f"{name} is not a bot: its factory returned a {type(bot).__name__}")
    for field in ("name", "about"):
        if not isinstance(getattr(bot, field, None), str):
            raise ValueError(f"the bot {name} has no {field}: add one to {type(bot).__name__}")
    return bot
