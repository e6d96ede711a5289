"""Guest bots, which the operator of a server invites beside the levels.

Each is tried out in a process of its own before the server starts, so that a mistake is noticed by
the operator and not by players.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np

from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.bots.warmup import first_games
from patrizier.options import Options
from patrizier.server.names import BOT_NAMES, GUEST_BOT, MAX_NAME

from .child import Child

TRIAL_WITHIN = 300.0  # seconds for all decisions; the first may compile, or load a network
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{MAX_NAME - 1}}}")
_TRIALS = Options(players=2), Options(players=5, rules={"messengers"})


@dataclass(frozen=True, slots=True)
class GuestBot:
    """A bot that people can choose like a level."""

    level: str  # at tables: "guest:" and its name
    bot: str  # as in `make_bot`
    about: str  # for people, in its author's words


def invite(entries: Sequence[str], within: float = TRIAL_WITHIN) -> tuple[GuestBot, ...]:
    """Return the guest bots of a setting, NAME=BOT each; ValueError says why one cannot play."""
    guests = dict[str, GuestBot]()
    for entry in entries:
        name, equals, bot = (part.strip() for part in entry.partition("="))
        if not equals or not bot:
            raise ValueError(f"{entry!r} is not like NAME=BOT")
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{name!r} is no name for a bot: 1 to {MAX_NAME} letters, digits, - and _"
            )
        if name.lower() in BOT_NAMES:
            raise ValueError(f"a guest bot cannot be named {name}: that is one of our levels")
        if name in guests:
            raise ValueError(f"two guest bots are named {name}")
        about = _about(name, bot, within)
        guests[name] = GuestBot(f"{GUEST_BOT}{name}", bot, about)
    return tuple(guests.values())


def _about(name: str, bot: str, within: float) -> str:
    """Return what a bot that passes its trial says of itself."""
    child = Child(_try_out)
    child.start()
    line = child.line
    assert line is not None
    try:
        line.send(bot)
        if not line.poll(within):
            raise ValueError(f"{name}: no answer within {within:g} s")
        about, fault = line.recv()
    except (EOFError, OSError) as error:
        raise ValueError(f"{name}: its process died at its trial") from error
    finally:
        child.kill()
    if fault:
        raise ValueError(f"{name}: {fault}")
    return str(about)


def _try_out(line: Connection) -> None:
    """Make a bot and let it decide: the main function of the process of a trial."""
    bot = line.recv()
    try:
        about, fault = " ".join(make_bot(bot).about.split()), _fault_of(bot)
    except ValueError as error:
        about, fault = "", str(error)
    line.send((about, fault))


def _fault_of(bot: str) -> str:
    """Return what a bot does wrong in its first turns and near the end of games; empty: nothing."""
    for options in _TRIALS:
        for game in first_games(options):
            incidents = take_turn(game, make_bot(bot), np.random.default_rng(1))
            for incident in incidents:
                where = f"turn {incident.turn} of a game of {options.players}"
                return f"{incident.kind} in {where}: {incident.message}"
    return ""
