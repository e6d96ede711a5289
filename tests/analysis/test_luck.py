"""The luck of cards as a control variate: its mean is zero, and it sums to zero."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.games import random_game
from patrizier.analysis.luck import luck_of_cards
from patrizier.game import Game


@pytest.mark.parametrize(("players", "turn"), [(2, 3), (4, 7)])
def test_over_all_turns_of_the_pile_its_mean_is_zero(players: int, turn: int) -> None:
    """Each card lies in each place equally often, so what is left is bias."""
    game = random_game(players, 5, turns=turn)
    drawn, pile = len(game.deal.pile) - int(game.state.record["pile_left"]), game.deal.pile
    rest, lucks = pile[drawn:], []
    for shift in range(len(rest)):
        deal = replace(game.deal, pile=pile[:drawn] + rest[shift:] + rest[:shift])
        again = Game(game.options, deal=deal)
        for move in game.moves:
            again.play(move)
        before = luck_of_cards(again, iterations=6, cards=4)
        again.play(again.legal_moves[0])
        lucks.append(luck_of_cards(again, iterations=6, cards=4) - before)
    assert np.abs(lucks).max() > 1e-4
    assert np.abs(np.mean(lucks, axis=0)).max() < 1e-9


def test_what_one_seat_wins_others_lose() -> None:
    for players in (2, 5):
        luck = luck_of_cards(random_game(players, 2, ("messengers",)), iterations=4, cards=2)
        assert luck.shape == (players,)
        assert abs(luck.sum()) < 1e-9
        assert np.abs(luck).max() > 1e-3
