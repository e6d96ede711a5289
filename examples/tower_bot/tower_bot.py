"""A bot that wants to own towers, as an installable package: copy it and improve it."""

import time
from collections.abc import Iterator

import numpy as np

from patrizier import Move, State, View
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget


class TowerBot(Bot):
    """Tries every turn, plays random replies, and counts the towers it then leads."""

    name = "tower"
    about = "Wants to lead the towers that bring most."

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget(iterations=5)

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn that leads the best towers when it is our turn again."""
        values = dict.fromkeys(view.legal, 0)
        for _ in self._rounds():
            world = view.sample(rng)  # new hidden cards every time
            for move in view.legal:
                values[move] += prestige(play_a_round(world, move, rng), view.viewer)
        return max(view.legal, key=values.__getitem__)

    def _rounds(self) -> Iterator[int]:
        """Count until the budget is spent, at least once."""
        end = time.perf_counter() + (self.budget.seconds or 0)
        done = 0
        while done == 0 or done < (self.budget.iterations or 0) or time.perf_counter() < end:
            yield done
            done += 1


def play_a_round(state: State, move: Move, rng: np.random.Generator) -> State:
    """Return the position after a turn and random replies of all others."""
    turn, state = state.turn, state.play(move)
    while state.turn < turn + state.options.players and not state.is_over:
        decisions = state.legal_decisions()
        state = state.apply(decisions[rng.integers(len(decisions))])
    return state


def prestige(state: State, seat: int | None) -> int:
    """Return the points of all towers that a seat has won or leads, less those of the others."""
    points = 0
    for city in state.view(seat).cities:
        owners, tokens = city.leaders, city.tokens  # left and right site, taller and lower tower
        if city.winners:
            owners = city.winners
        elif city.taller == "R":
            tokens = tokens[::-1]
        for owner, token in zip(owners, tokens, strict=True):
            if owner is not None:
                points += token if owner == seat else -token
    return points
