"""Warm-up: a first and a late turn, with the smallest budget."""

from collections.abc import Sequence

import numpy as np
import pytest

from patrizier import Move, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.endgame.solver import settled
from patrizier.bots.warmup import GUIDED, SEARCH, first_games, least_budget, steps_before, warm_up


class Witness(Bot):
    """Plays the first legal turn, and notes what it was asked."""

    def __init__(self, seen: list[View]) -> None:
        self.seen = seen

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        self.seen.append(view)
        legal: Sequence[Move] = view.legal
        return legal[0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_bot_is_asked_at_the_start_and_where_endings_are_solved(players: int) -> None:
    asked, seen = list[str](), list[View]()

    def make(spec: str) -> Bot:
        asked.append(spec)
        return Witness(seen)

    warm_up(Options(players), "mcts:3s*2", make)
    assert asked == ["mcts:1ms", "mcts:1ms"]
    assert seen[0].turn == 0
    assert settled(seen[-1])


def test_the_two_games_stand_on_one_deal() -> None:
    first, last = first_games(Options(3))
    assert first.deal == last.deal
    assert first.turn == 0 < last.turn


def test_only_budgets_are_cut() -> None:
    assert least_budget("random") == "random"
    assert least_budget("mybots.Mine:5000") == "mybots.Mine:1"


def test_the_strongest_level_waits_for_the_search_it_uses_in_the_game() -> None:
    assert SEARCH in steps_before("doge", Options(2))
    assert GUIDED in steps_before("doge", Options(2, {"messengers"}))
    assert SEARCH in steps_before("doge", Options(3, {"messengers"}))
    assert SEARCH in steps_before("senator", Options(2, {"messengers"}))
