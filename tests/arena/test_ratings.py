import math
import sys

import numpy as np
import pytest
from scipy import stats

from arena.made import duel, made
from patrizier.arena.extras import MissingExtra
from patrizier.arena.intervals import Clustered, Estimate, quantile, wilson
from patrizier.arena.match import MatchResult
from patrizier.arena.ratings import elo, openskill
from patrizier.arena.standings import standings
from patrizier.bots.guard import Incident

# -- intervals


@pytest.mark.parametrize("freedom", [3, 5, 10, 30, 200])
def test_the_quantile_is_that_of_students_t(freedom: int) -> None:
    assert quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.02)


def test_wilson_is_the_known_interval() -> None:
    known = stats.binomtest(81, 263).proportion_ci(method="wilson")
    assert wilson(81 / 263, 263) == pytest.approx((known.low, known.high))


def test_one_observation_a_deal_is_the_usual_mean() -> None:
    values = [3.0, 5.0, 4.0, 9.0, 7.0, 1.0]
    estimate = Clustered(enumerate(values)).mean()
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    assert estimate.value == pytest.approx(np.mean(values))
    assert estimate.high - estimate.value == pytest.approx(quantile(5) * error)
    assert estimate.count == 6


def test_repeating_a_deal_adds_no_certainty() -> None:
    once = Clustered((deal, deal % 3 == 0) for deal in range(30))
    often = Clustered((deal, deal % 3 == 0) for deal in range(30) for _ in range(8))
    for kind in ("mean", "share"):
        one, many = getattr(once, kind)(), getattr(often, kind)()
        assert (one.low, one.high) == pytest.approx((many.low, many.high))
        assert many.count == 8 * one.count


def test_luck_that_cancels_out_narrows_the_interval() -> None:
    """Where the first seat wins every time, duplicate deals say: equally strong, exactly."""
    rng = np.random.default_rng(1)
    blurred = Clustered((deal, float(rng.integers(2))) for deal in range(400))
    cancelled = Clustered((deal, won) for deal in range(400) for won in (0.0, 1.0))
    cancelled.add(400, 1.0)
    wide, narrow = blurred.share(), cancelled.share()
    assert narrow.high - narrow.low < 0.1 * (wide.high - wide.low)


def test_shares_stay_shares() -> None:
    always = Clustered((deal, 1.0) for deal in range(20)).share()
    never = Clustered((deal, 0.0) for deal in range(20)).share()
    assert always.value == always.high == 1
    assert never.value == never.low == 0
    assert 0.75 < always.low < 0.9
    assert always.low == pytest.approx(1 - never.high)


def test_a_single_deal_says_nothing_about_the_spread() -> None:
    one = Clustered([(0, 1.0), (0, 0.0)])
    assert one.share() == Estimate(0.5, 0, 1, 2)
    assert one.mean().to_json() == {"value": 0.5, "low": None, "high": None, "count": 2}
    with pytest.raises(ValueError, match="no observations"):
        Clustered().mean()


@pytest.mark.parametrize(
    ("share", "luck", "deals"), [(0.5, 2.0, 40), (0.8, 0.5, 60), (0.9, 0, 100)]
)
def test_the_interval_covers_the_truth_as_often_as_it_says(
    share: float, luck: float, deals: int
) -> None:
    """Four games a deal; the deal favours a bot by chance, the same in all its games."""
    rng = np.random.default_rng(7)
    runs = 400
    strength = math.log(share / (1 - share))
    shifts = rng.normal(0, luck, 200_000)
    truth = float(np.mean(1 / (1 + np.exp(-strength - shifts))))
    covered_share = covered_mean = naive = 0
    for _ in range(runs):
        chances = 1 / (1 + np.exp(-strength - rng.normal(0, luck, deals)))
        won = (rng.random((deals, 4)) < chances[:, None]).astype(float)
        sums = Clustered((deal, w) for deal in range(deals) for w in won[deal].tolist())
        estimate, mean = sums.share(), sums.mean()
        covered_share += estimate.low <= truth <= estimate.high
        covered_mean += mean.low <= truth <= mean.high
        low, high = wilson(float(won.mean()), won.size)
        naive += low <= truth <= high
    assert 0.92 <= covered_share / runs <= 0.985
    assert 0.90 <= covered_mean / runs <= 0.985
    if luck > 1:
        assert naive / runs < 0.9  # counting games instead of deals promises too much


# -- Elo


def test_elo_of_a_known_share() -> None:
    """75 of 100 victories, and the one drawn game that everybody is given."""
    results = [duel(n, "AB", 1.0 if n < 75 else 0.0) for n in range(100)]
    ratings = elo("AB", results)
    wanted = 400 * math.log10(75.5 / 25.5)
    assert ratings["A"].value - ratings["B"].value == pytest.approx(wanted)
    assert ratings["A"].value + ratings["B"].value == pytest.approx(0)
    assert ratings["A"].count == 100


def test_draws_and_seats_make_no_difference_to_elo() -> None:
    """A draw counts as half a victory, and who sits where does not matter."""
    wins = [duel(n, "AB", 1.0 if n % 4 else 0.0) for n in range(40)]
    same = [duel(n, "BA", 0.0 if n % 4 else 1.0) for n in range(40)]
    assert elo("AB", wins)["A"] == elo("AB", same)["A"]
    draws = [duel(n, "AB", 0.5) for n in range(40)]
    assert elo("AB", draws)["A"].value == pytest.approx(0, abs=1e-6)


def test_elo_adds_up_along_a_ladder() -> None:
    """A beats B and B beats C with the odds of 100 points: A is 200 ahead of C."""
    share = 1 / (1 + 10 ** (-100 / 400))
    results = []
    for deal in range(4000):
        won = (deal * 0.6180339887) % 1 < share  # evenly spread
        results += [duel(deal, "AB", float(won)), duel(deal, "BC", float(won))]
    ratings = elo("ABC", results)
    assert ratings["A"].value == pytest.approx(100, abs=2)
    assert ratings["B"].value == pytest.approx(0, abs=1e-6)
    assert ratings["C"].value == pytest.approx(-100, abs=2)


def test_elo_intervals_agree_with_those_of_the_share() -> None:
    """For two bots both say the same: the difference is the logit of the share."""
    rng = np.random.default_rng(2)
    won = rng.random(400) < 0.65
    results = [duel(n, "AB", float(w)) for n, w in enumerate(won)]
    rating = elo("AB", results)["A"]
    p = float(won.mean())
    error = math.sqrt(p * (1 - p) / 400) / (p * (1 - p)) * 400 / math.log(10)
    assert rating.high - rating.low == pytest.approx(2 * 1.96 * error / 2, rel=0.03)


def test_elo_stays_finite_for_one_that_always_wins() -> None:
    few, many = (elo("AB", [duel(n, "AB", 1.0) for n in range(size)])["A"] for size in (10, 1000))
    assert 0 < few.value < many.value < 2000
    assert few.high - few.low > 100
    assert many.high > 700


def test_elo_intervals_cover_the_truth() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(200):
        won = rng.random(150) < 1 / (1 + 10 ** (-120 / 400))
        rating = elo("AB", [duel(n, "AB", float(w)) for n, w in enumerate(won)])["A"]
        covered += rating.low <= 60 <= rating.high
    assert 0.9 <= covered / 200 <= 0.99


def test_one_bot_against_itself_has_no_rating() -> None:
    assert elo("A", [duel(n, "AA", 1.0) for n in range(4)]) == {}
    assert openskill("A", [made(0, "AAA", [3, 2, 1])]) == {}


# -- openskill


def three_players(deals: int) -> list[MatchResult]:
    """A is usually first, C usually last; everyone sits everywhere."""
    rng = np.random.default_rng(5)
    results = []
    for deal in range(deals):
        for names in ("ABC", "BCA", "CAB"):
            luck = rng.normal(0, 6, 3)
            points = [round(40 - 4 * "ABC".index(n) + x) for n, x in zip(names, luck, strict=True)]
            results.append(made(deal, names, points))
    return results


def test_openskill_finds_the_order() -> None:
    ratings = openskill("CAB", three_players(60))
    assert ratings["A"].low > ratings["C"].high
    assert ratings["A"].value > ratings["B"].value > ratings["C"].value
    assert sum(rating.value for rating in ratings.values()) / 3 == pytest.approx(25)
    assert ratings["A"].count == 180


def test_more_games_make_openskill_surer() -> None:
    few, many = openskill("ABC", three_players(5)), openskill("ABC", three_players(100))
    assert many["A"].high - many["A"].low < few["A"].high - few["A"].low


def test_openskill_with_one_among_others() -> None:
    results = []
    for deal in range(60):
        best = 50 if deal % 4 else 30
        results += [
            made(deal, "ABBB", [best, 40, 40, 40]),
            made(deal, "BAAA", [80 - best, 40, 40, 40]),
        ]
    ratings = openskill("AB", results)
    assert ratings["A"].low > ratings["B"].high


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(
        MissingExtra, match=r"openskill is not installed: pip install patrizier\[arena\]"
    ):
        openskill("ABC", three_players(1))


# -- tables


def test_counts_of_a_small_tournament() -> None:
    results = [
        made(0, "AB", [40, 30], start=0, seconds=2.0),
        made(0, "BA", [35, 35], start=0, seconds=1.0),  # shared
        made(1, "AB", [20, 50], start=1),
        made(1, "BA", [31, 33], start=1, incidents=[Incident(1, 3, "error", "")]),
    ]
    tables = standings("AB", results)
    assert (tables.players, tables.games, tables.deals, tables.fair) == (2, 4, 2, 0.5)
    bots = {bot.name: bot for bot in tables.bots}
    assert bots["A"].wins.value == pytest.approx(2.5 / 4)
    assert bots["B"].wins.value == pytest.approx(1.5 / 4)
    assert bots["A"].points.value == pytest.approx((40 + 35 + 20 + 33) / 4)
    assert bots["A"].parts == pytest.approx({"tokens": 26, "sets": 6, "chips": 0, "minus": 0})
    assert bots["A"].seconds == pytest.approx(5 / 40)
    assert (bots["A"].incidents, bots["B"].incidents) == (1, 0)
    assert tables.incidents["A"] == {"error": 1}
    assert tables.pairs["A", "B"].value == pytest.approx(2.5 / 4)
    assert [bot.name for bot in tables.bots] == ["A", "B"]
    assert tables.rating == "Elo"
    assert tables.points == {"A": (40, 35, 20, 33), "B": (30, 35, 50, 31)}
    first, second = tables.places
    assert first.wins.value == pytest.approx((1 + 0.5 + 1 + 1) / 4)
    assert first.points.value == pytest.approx((40 + 35 + 50 + 33) / 4)
    assert first.wins.value + second.wins.value == pytest.approx(1)


def test_pairs_of_more_players_compare_places() -> None:
    """Second is ahead of third even if neither wins; equal results count half."""
    results = [made(0, "ABC", [50, 40, 30]), made(1, "ABC", [50, 40, 40])]
    pairs = standings("ABC", results).pairs
    assert pairs["A", "B"].value == 1
    assert pairs["B", "C"].value == pytest.approx(0.75)
    assert pairs["C", "B"].value == pytest.approx(0.25)


def test_line_ups_are_told_apart() -> None:
    results = [made(0, "ABBB", [50, 40, 30, 20]), made(0, "AAAB", [50, 40, 30, 60])]
    tables = standings("AB", results).tables
    found = {("".join(sorted(t.lineup)), t.name): (t.wins.value, t.wins.count) for t in tables}
    assert found == {
        ("ABBB", "A"): (1.0, 1),
        ("ABBB", "B"): (0.0, 3),
        ("AAAB", "A"): (0.0, 3),
        ("AAAB", "B"): (1.0, 1),
    }


def test_bots_that_have_not_played_yet_are_left_out() -> None:
    tables = standings("ABC", [duel(0, "AB", 1.0)])
    assert [bot.name for bot in tables.bots] == ["A", "B"]
    with pytest.raises(ValueError, match="no game has been played"):
        standings("AB", [])
