"""Third-party bots: registered by installed packages, or given as the path of a class.

Names come from package metadata; third-party code is imported only when a bot is used.
"""

import importlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from patrizier.bots.base import Bot

Maker = Callable[..., Bot]  # a bot's class, or a function that returns a bot

GROUP = "patrizier.bots"  # the group of entry points

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")  # a dot would be a path, a colon a budget
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Plugin:
    """A bot that an installed package registers."""

    name: str  # as on the command line
    package: str
    entry: EntryPoint

    @property
    def is_well_named(self) -> bool:
        """Whether the name cannot be confused with a path, budget or list."""
        return _NAME.fullmatch(self.name) is not None

    def load(self) -> Maker:
        """Import the bot's maker; ValueError says why that fails."""
        try:
            found = self.entry.load()
        except (Exception, SystemExit) as error:
            raise ValueError(f"{self.entry.value} cannot be imported: {reason(error)}") from error
        if isinstance(found, type) and not issubclass(found, Bot):
            raise ValueError(f"{self.entry.value} is a class, but not a Bot")
        if not callable(found):
            raise ValueError(f"{self.entry.value} is neither a Bot nor a function that makes one")
        maker: Maker = found
        return maker


def find_plugins() -> tuple[Plugin, ...]:
    """Return the bots that installed packages register, by name, without importing them."""
    return _find_on(tuple(sys.path))


@lru_cache(maxsize=1)  # scanning all packages is slow
def _find_on(_: tuple[str, ...]) -> tuple[Plugin, ...]:
    plugins = [
        Plugin(entry.name, (entry.dist and entry.dist.name) or "a package without a name", entry)
        for entry in entry_points(group=GROUP)
    ]
    return tuple(sorted(plugins, key=lambda plugin: (plugin.name, plugin.package)))


def is_path(name: str) -> bool:
    """Whether this may be the path of a class: ``package.module.Class``."""
    return "." in name and all(part.isidentifier() for part in name.split("."))


def load_path(path: str) -> Maker:
    """Import a bot's class by its path; the current folder is searched last.

    The folder stays on ``sys.path``, which the arena's worker processes inherit.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    module, _, name = path.rpartition(".")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise ValueError(
                f"there is no bot {path!r}: no module {error.name} is here or installed"
            ) from error
        raise ValueError(f"{module} cannot be imported: {reason(error)}") from error
    except (Exception, SystemExit) as error:
        raise ValueError(f"{module} cannot be imported: {reason(error)}") from error
    bot = getattr(found, name, None)
    if bot is None:
        raise ValueError(f"there is no {name} in {getattr(found, '__file__', None) or module}")
    if not (isinstance(bot, type) and issubclass(bot, Bot)):
        raise ValueError(f"{path} is not a bot: it does not derive from Bot")
    return bot


def reason(error: BaseException) -> str:
    """Return an error of third-party code in one printable line."""
    text = f"{type(error).__name__}: {error}"
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"
