from dataclasses import replace

import pytest

from patrizier import Deal, Options
from patrizier.rules.board import cards_in_play


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_random_deal_is_by_the_rules_and_round_trips(players: int) -> None:
    options = Options(players=players)
    for seed in range(50):
        deal = Deal.random(options, seed)
        deal.check(options)
        assert Deal.from_text(str(deal), deal.start) == deal
        assert len(deal.display) == (10 if players == 5 else 9)
        assert 3 * players + len(deal.display) + len(deal.pile) == len(cards_in_play(players))


def test_different_seeds_differ_and_the_same_does_not() -> None:
    options = Options(players=4)
    deals = [Deal.random(options, seed) for seed in range(20)]
    assert len(set(deals)) == 20
    assert Deal.random(options, 7) == deals[7]


DEAL = Deal.random(Options(players=2), 1)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (replace(DEAL, hands=DEAL.hands[:1]), "1 hands for 2 players"),
        (replace(DEAL, hands=(DEAL.hands[0], DEAL.hands[1][:2])), "seat 2 has 2 cards, not 3"),
        (replace(DEAL, display=DEAL.display[:8]), "8 cards lie face up for 9 cities"),
        (replace(DEAL, pile=DEAL.pile[:-1]), "is missing from the deal"),
        (replace(DEAL, pile=(*DEAL.pile[:-1], DEAL.pile[0])), "is dealt twice"),
        (replace(DEAL, pile=(*DEAL.pile, "PI1")), "'PI1' is not a card of a game of 2"),
        (replace(DEAL, start=2), "seat 3 cannot start a game of 2"),
        (
            replace(
                DEAL,
                hands=(("BO1", *DEAL.hands[0][1:]), DEAL.hands[1]),
                pile=tuple(DEAL.hands[0][0] if card == "BO1" else card for card in DEAL.pile),
                display=tuple(DEAL.hands[0][0] if c == "BO1" else c for c in DEAL.display),
            ),
            "BO1 in the hand of seat 1 has no star",
        ),
    ],
)
def test_a_wrong_deal_says_what(deal: Deal, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deal.check(Options(players=2))


def test_a_deal_has_three_parts() -> None:
    with pytest.raises(ValueError, match="three parts"):
        Deal.from_text("BO1|BO2")
