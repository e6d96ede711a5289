"""Warm-up: compiles everything a bot needs, before anyone waits for it."""

from collections.abc import Callable, Iterator

import numpy as np

from patrizier.bots.base import Bot
from patrizier.bots.endgame.solver import turns_left
from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.options import Options

_LAST_TURNS = 4  # few enough for endings to be solved exactly


def warm_up(
    options: Options,
    name: str,
    make: Callable[[str], Bot] = make_bot,
    *,
    deal: Deal | None = None,
) -> None:
    """Let a bot take two throw-away turns: the first of a game, and one near its end.

    A bot with a budget gets the smallest of its kind.
    """
    for game in first_games(options, deal):
        take_turn(game, make(least_budget(name)), np.random.default_rng(0))


def first_games(options: Options, deal: Deal | None = None) -> Iterator[Game]:
    """Yield a game at its start, and one so near its end that bots solve it exactly."""
    deal = deal or Deal.random(options, seed=1)
    yield Game(options, deal=deal)
    game, rng = Game(options, deal=deal), np.random.default_rng(0)
    while turns_left(game.view(game.seat)) > _LAST_TURNS:
        game.play(game.legal_moves[int(rng.integers(len(game.legal_moves)))])
    yield game


def least_budget(spec: str) -> str:
    """Return a bot's name with the smallest budget of the same kind, if it has one.

    >>> least_budget("mcts:100ms*4"), least_budget("ismcts:2000"), least_budget("greedy")
    ('mcts:1ms', 'ismcts:1', 'greedy')
    """
    name, colon, budget = spec.partition(":")
    if not colon:
        return name
    return f"{name}:1ms" if budget.partition("*")[0].endswith("s") else f"{name}:1"
