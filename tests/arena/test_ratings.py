import math
from importlib.metadata import requires

import numpy as np
import pytest

from arena.made import duel, made
from patrizier.arena.match import MatchResult
from patrizier.arena.ratings import elo, openskill
from patrizier.arena.standings import standings
from patrizier.bots.guard import Incident

# -- Elo


def test_elo_of_a_known_share() -> None:
    """75 of 100 victories, plus the virtual draw that every pair gets."""
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


def test_ratings_need_no_extra() -> None:
    needed = requires("patrizier") or []
    assert [each for each in needed if each.startswith("openskill") and "extra" not in each]


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
