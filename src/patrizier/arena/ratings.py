"""One number for a bot's strength: Elo for two players, openskill for more."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from openskill.models import PlackettLuce

from patrizier.arena.intervals import NORMAL, Estimate, quantile
from patrizier.arena.match import MatchResult

_ELO = 400 / math.log(10)  # Elo points of one logit
_STEPS = 100
MIDDLE = 25.0  # mean of openskill ratings

Array = npt.NDArray[np.float64]


def elo(names: Sequence[str], results: Iterable[MatchResult]) -> dict[str, Estimate]:
    """Return the maximum-likelihood Elo ratings; their mean is 0.

    Every pair that met gets one virtual draw, which keeps ratings finite when one bot always won.
    Intervals are cluster-robust (sandwich estimator): games of one deal count as one observation.
    """
    index = {name: i for i, name in enumerate(names)}
    wins: dict[int, Array] = {}  # by deal: share of victories of row against column
    for result in results:
        one, other = (index[name] for name in result.names)
        if one != other:
            table = wins.setdefault(result.deal, np.zeros((len(names), len(names))))
            table[one, other] += result.shares[0]
            table[other, one] += result.shares[1]
    if not wins:
        return {}
    total: Array = np.sum(list(wins.values()), axis=0)
    prior = np.where(total + total.T > 0, 0.5, 0.0)
    strength = _most_likely(total + prior)
    inverse = np.linalg.pinv(_information(total + prior, strength))
    pushes = [_slope(table, strength) for table in wins.values()]
    for i, j in combinations(range(len(names)), 2):
        for table in (np.zeros_like(prior), np.zeros_like(prior)):
            table[i, j] = prior[i, j]
            pushes.append(_slope(table, strength))
            i, j = j, i
    scores = np.array(pushes)
    spread = np.sqrt(np.diag(inverse @ scores.T @ scores @ inverse))
    reach = spread * _ELO * (quantile(len(wins) - 1) if len(wins) > 1 else math.inf)
    games = (total + total.T).sum(axis=1)
    return {
        name: Estimate(
            float(strength[i] * _ELO),
            float(strength[i] * _ELO - reach[i]),
            float(strength[i] * _ELO + reach[i]),
            round(float(games[i])),
        )
        for name, i in index.items()
    }


def _expected(strength: Array) -> Array:
    """Return the expected share of row against column."""
    return np.asarray(1 / (1 + np.exp(strength[None, :] - strength[:, None])))


def _slope(wins: Array, strength: Array) -> Array:
    """Return the gradient of the log-likelihood."""
    surplus = wins - (wins + wins.T) * _expected(strength)
    return np.asarray(surplus.sum(axis=1))


def _information(wins: Array, strength: Array) -> Array:
    """Return the information matrix: the negative Hessian."""
    expected = _expected(strength)
    weight = (wins + wins.T) * expected * (1 - expected)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _most_likely(wins: Array) -> Array:
    strength = np.zeros(len(wins))
    for _ in range(_STEPS):
        step = np.linalg.pinv(_information(wins, strength)) @ _slope(wins, strength)
        longest = float(np.abs(step).max())
        strength += step * min(1.0, 1 / longest if longest else 1.0)
        if longest < 1e-10:
            break
    centred: Array = strength - strength.mean()
    return centred


def openskill(names: Sequence[str], results: Iterable[MatchResult]) -> dict[str, Estimate]:
    """Return openskill ratings (Plackett-Luce, from all places of every game), with 95 % bounds.

    Games are rated in schedule order. A bot with several seats in a game is rated at each of them
    and continues with the mean. Only differences are meaningful: ratings are shifted to a mean of
    25, the library's initial value.
    """
    # Bots do not change during a tournament, hence tau=0.
    model = PlackettLuce(tau=0.0)
    ratings = {name: model.rating() for name in names}
    games = dict.fromkeys(names, 0)
    for result in results:
        if len(set(result.names)) == 1:
            continue
        seats = [[model.rating(ratings[n].mu, ratings[n].sigma)] for n in result.names]
        order = sorted(set(result.ranks), reverse=True)
        rated = model.rate(seats, ranks=[order.index(rank) for rank in result.ranks])
        for name in set(result.names):
            own = [team[0] for team, n in zip(rated, result.names, strict=True) if n == name]
            mu, sigma = (sum(getattr(r, f) for r in own) / len(own) for f in ("mu", "sigma"))
            ratings[name] = model.rating(mu, sigma)
            games[name] += len(own)
    if not any(games.values()):
        return {}
    shift = MIDDLE - sum(rating.mu for rating in ratings.values()) / len(ratings)
    return {
        name: Estimate(
            rating.mu + shift,
            rating.mu + shift - NORMAL * rating.sigma,
            rating.mu + shift + NORMAL * rating.sigma,
            games[name],
        )
        for name, rating in ratings.items()
    }
