import numpy as np
import pytest
from scipy.optimize import minimize

from arena.made import duel
from bench.sequential import simulate, tilted
from patrizier.arena.sequential import (
    DealShares,
    Hypotheses,
    SequentialTest,
    Verdict,
    expected_share,
    log_likelihood_ratio,
)


def test_the_ratio_is_that_of_the_best_fitting_distributions() -> None:
    shares = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    deals = np.array([11.0, 3.0, 60.0, 4.0, 22.0])

    def best(mean: float) -> float:
        """Maximise the likelihood by a general solver."""
        found = minimize(
            lambda p: -float(deals @ np.log(p)),
            np.full(5, 0.2),
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ shares - mean},
            ],
            options={"ftol": 1e-12, "maxiter": 1000},
        )
        assert found.success
        return -float(found.fun)

    for mean0, mean1 in ((0.5, 0.52), (0.4, 0.7), (0.55, 0.56)):
        ratio = log_likelihood_ratio(shares, deals, mean0, mean1)
        assert float(ratio) == pytest.approx(best(mean1) - best(mean0), abs=1e-4)


@pytest.mark.parametrize("adjusted", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_errors_are_as_rare_as_asked_for(players: int, adjusted: bool) -> None:
    """The rates of 400 tests; `python tests/bench/sequential.py` measures those of 10,000."""
    asked = Hypotheses(0, 100)
    equal, _ = simulate(players, asked, 0, tests=400, seed=5, adjusted=adjusted)
    better, _ = simulate(players, asked, 100, tests=400, seed=6, adjusted=adjusted)
    assert equal[Verdict.STRONGER] < 0.09
    assert better[Verdict.NOT_STRONGER] < 0.09
    assert sum(equal.values()) == sum(better.values()) == 1


@pytest.mark.parametrize("adjusted", [False, True])
def test_a_test_follows_the_simulated_one(adjusted: bool) -> None:
    shares, odds = tilted(2, 60, adjusted=adjusted)
    test = SequentialTest(2, Hypotheses(0, 60), luck_adjusted=adjusted)
    rng = np.random.default_rng(3)
    counts = {share: 1e-3 if share in (0, 1) else 0.0 for share in shares.tolist()}
    while test.verdict is None:
        share = float(rng.choice(shares, p=odds))
        test.add(share)
        counts[share] += 1
        ratio = log_likelihood_ratio(
            shares, np.array([*counts.values()]), 0.5, expected_share(60, 2)
        )
        assert test.ratio == pytest.approx(float(ratio))
    assert test.verdict is Verdict.STRONGER
    deals, ratio_then = test.deals, test.ratio
    test.add(0.0)  # too late
    assert (test.deals, test.ratio) == (deals, ratio_then)


def test_a_one_sided_match_ends_soon() -> None:
    for share, verdict in ((1.0, Verdict.STRONGER), (0.0, Verdict.NOT_STRONGER)):
        test = SequentialTest(2, Hypotheses(0, 50))
        for _ in range(60):
            test.add(share)
        assert test.verdict is verdict


def test_a_deal_counts_when_all_its_games_are_played() -> None:
    deals = DealShares("A", 2)
    assert deals.add(duel(0, "AB", 1.0)) is None
    assert deals.add(duel(0, "BA", 1.0)) == 0.5
    assert deals.add(duel(1, "AB", 0.5)) is None
    assert deals.add(duel(1, "BA", 0.0)) == 0.75


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ((5, 5), "elo0 must be less"),
        ((0, 2000), "more than 1000 points"),
        ((float("nan"), 5), "elo0 must be less"),
        ((0, 10, 0), "alpha and beta"),
        ((0, 10, 0.05, 0.5), "alpha and beta"),
    ],
)
def test_hypotheses_that_cannot_be_tested(figures: tuple[float, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Hypotheses(*figures)


def test_what_is_no_share() -> None:
    with pytest.raises(ValueError, match="not a share"):
        SequentialTest(2, Hypotheses()).add(1.2)


@pytest.mark.parametrize("players", [2, 4])
def test_luck_adjusted_shares_lead_to_the_same_verdict_sooner(players: int) -> None:
    """Half the spread around the same mean: a quarter of the deals, more or less."""
    rng = np.random.default_rng(players)
    fair, asked = 1 / players, Hypotheses(0, 60)
    needed = []
    for spread in (0.3, 0.15):
        test = SequentialTest(players, asked, luck_adjusted=True)
        while test.verdict is None:
            test.add(float(rng.normal(fair + 0.12, spread)))
        assert test.verdict == Verdict.STRONGER
        needed.append(test.deals)
    assert needed[1] < needed[0]


def test_luck_is_taken_off_every_seat_of_a_bot() -> None:
    deals = DealShares("A", 2, luck=lambda result: (0.25, -0.25))
    assert deals.add(duel(0, "AB", 1.0)) is None
    assert deals.add(duel(0, "BA", 1.0)) == pytest.approx((1.0 - 0.25 + 0.0 + 0.25) / 2)
