from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from patrizier import Deal, Options
from patrizier.rules.chance import below, next_word, word_from
from patrizier.rules.scratch import new_scratch

START = 1
DEAL = (
    "RO5 PA4 BO5/PA3 BO4 FE4|"
    "RO6 BO7 VE4 FI4 FI3 MI2 PA1 SI2 MI3|"
    "PA2 SI4 VE3 MI1 LU1 SI1 FI2 FI7 BO2 LU2 RO1 RO3 FE3 BO6 SI3 LU5 "
    "VE2 RO4 FE1 BO3 FI1 RO2 SI5 VE1 RO7 MI4 LU4 FE2 FI6 BO1 LU3 MI5 FI5"
)


@pytest.mark.plain
def test_the_generator_is_splitmix64() -> None:
    """The first numbers for seed 1234567, as its author published them."""
    scratch = new_scratch(1234567)[0]
    assert [int(next_word(scratch)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.plain
def test_bounded_numbers_stay_in_bounds() -> None:
    scratch = new_scratch(1)[0]
    for bound in (1, 2, 3, 55, 209):
        drawn = {below(scratch, bound) for _ in range(bound * 20)}
        assert drawn == set(range(bound))


def test_bounded_numbers_are_uniform() -> None:
    scratch = new_scratch(2)[0]
    counts = Counter(below(scratch, 7) for _ in range(70_000))
    assert chisquare([counts[i] for i in range(7)]).pvalue > 0.001


def test_every_star_card_is_dealt_to_every_seat_equally_often() -> None:
    options = Options(players=3)
    counts: Counter[tuple[str, int]] = Counter()
    for seed in range(3000):
        deal = Deal.random(options, seed)
        counts.update((card, seat) for seat, hand in enumerate(deal.hands) for card in hand)
    assert len(counts) == 15 * 3
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_every_seat_starts_equally_often() -> None:
    starts = Counter(Deal.random(Options(players=5), seed).start for seed in range(2000))
    assert chisquare([starts[seat] for seat in range(5)]).pvalue > 0.001


@pytest.mark.plain
def test_the_same_seed_gives_the_same_deal_for_good() -> None:
    """Written down once: no upgrade of anything may change it."""
    deal = Deal.random(Options(players=2), 2007)
    assert deal.start == START
    assert str(deal) == DEAL


def test_a_numpy_generator_is_asked_for_one_word() -> None:
    one, two = np.random.default_rng(5), np.random.default_rng(5)
    word = word_from(one)
    assert 0 <= word < 2**64
    assert word == int(two.integers(0, 2**64, dtype=np.uint64))
    assert one.random() == two.random()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match="from 0 to"):
        word_from(seed)


@pytest.mark.parametrize("seed", [None, 1.5, "7", True])
def test_seeds_that_are_none(seed: object) -> None:
    with pytest.raises(TypeError, match="a seed is an int or a numpy Generator"):
        word_from(seed)  # type: ignore[arg-type]
