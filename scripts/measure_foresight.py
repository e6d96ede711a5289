"""How much of a result can be foreseen at some turn, and by whom.

    python scripts/measure_foresight.py mcts:40 mcts:60 --like mcts:45 mcts:55 --deals 200 --jobs 16

From positions of games, play goes on several times with the pile in another order and other random
numbers of the bots: by the same bots, and by others like them. A table shows, for some turns, which
part of the variance of results is

- settled: the variance of what the same bots win on the average from there. Nobody who does not
  know the pile can foresee more;
- foreseen by bots like them: what the average of their games explains of the results of those who
  play. What is settled beyond that depends on what only these bots would do;
- foreseen by the appraisal: what the curve of an analysis explains.

Between two turns, the first grows by the luck of the cards turned up and by what bots choose at
random. A control variate takes out as much as it foresees, turn by turn.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from patrizier.analysis.outlook import Appraiser
from patrizier.arena.schedule import Plan
from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.options import Options

Numbers = npt.NDArray[np.float64]

RESAMPLES = 400  # of the bootstrap
_SMALL = 1e-9


@dataclass(frozen=True)
class Look:
    """Where to look, and how often to play on from there."""

    like: tuple[str, ...]
    turns: tuple[int, ...]
    replays: int


def shuffled(deal: Deal, left: int, rng: np.random.Generator) -> Deal:
    """Return the deal with those cards in another order that are still in the pile."""
    seen, rest = deal.pile[: len(deal.pile) - left], deal.pile[len(deal.pile) - left :]
    return replace(deal, pile=(*seen, *(rest[place] for place in rng.permutation(left))))


def won(game: Game, names: Sequence[str], seat: int, rng: np.random.Generator) -> float:
    """Play a game to its end; return what a seat has of the victory."""
    bots = [make_bot(name) for name in names]
    while game.seat is not None:
        take_turn(game, bots[game.seat], rng)
    outcome = game.outcome()
    assert outcome is not None
    return (seat in outcome.winners) / len(outcome.winners)


@cache
def appraiser_for(options: Options) -> Appraiser:
    """Return the appraiser of this process."""
    return Appraiser(options)


def look_at(number: int, plan: Plan, look: Look) -> Numbers:
    """Play a game; return by turn the appraisal, and the results of all replays of both kinds."""
    slot, rng = plan.slot(number), np.random.default_rng([plan.seed, number])
    game, bots = Game(plan.options, deal=plan.deal(slot.deal)), [make_bot(n) for n in slot.names]
    seat = slot.names.index(plan.entrants[0])
    alike = [look.like[plan.entrants.index(name)] for name in slot.names]
    found = []
    while game.seat is not None:
        if game.turn in look.turns:
            cells = game.state._cells
            row = [float(appraiser_for(plan.options).outlook(cells).shares[seat])]
            for names in (slot.names, alike):
                for _ in range(look.replays):
                    deal = shuffled(game.deal, int(cells["pile_left"][0]), rng)
                    again = Game(plan.options, deal=deal)
                    for move in game.moves:
                        again.play(move)
                    row.append(won(again, names, seat, rng))
            found.append(row)
        take_turn(game, bots[game.seat], rng)
    return np.array(found)


def explained(rows: Numbers, replays: int) -> tuple[float, float, float]:
    """Return the three parts of the variance at one turn; rows are positions."""
    appraisal, same, alike = rows[:, 0], rows[:, 1 : replays + 1], rows[:, replays + 1 :]
    whole, result = float(same.var()), same.mean(axis=1)
    like = _common(alike.mean(axis=1), result) / max(_between(alike), _SMALL)
    estimate = _common(appraisal, result) / max(appraisal.var(ddof=1), _SMALL)
    return _between(same) / whole, like / whole, float(estimate) / whole


def _common(some: Numbers, others: Numbers) -> float:
    """Return the square of what two columns have in common."""
    return float(np.cov(some, others)[0, 1] ** 2)


def _between(replays: Numbers) -> float:
    """Return the variance between positions, without that of the replays."""
    within = replays.var(axis=1, ddof=1).mean() / replays.shape[1]
    return float(replays.mean(axis=1).var(ddof=1) - within)


def main() -> None:
    """Play, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs=2, help="the two bots that play each other")
    parser.add_argument(
        "--like", nargs=2, required=True, help="two bots of the same strength, to replay with"
    )
    parser.add_argument("--players", type=int, default=2, help="number of players")
    parser.add_argument("--deals", type=int, default=100, help="number of deals to play")
    parser.add_argument(
        "--replays", type=int, default=8, help="how often to replay a game from each position"
    )
    parser.add_argument(
        "--turns",
        type=int,
        nargs="*",
        default=[6, 12, 18, 24, 30, 36, 42],
        help="turns after which to replay",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and the bots")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    given = parser.parse_args()
    plan = Plan(tuple(given.bots), Options(given.players), given.deals, given.seed, "first-among")
    look = Look(tuple(given.like), tuple(given.turns), given.replays)
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        found = np.array(list(pool.map(partial(look_at, plan=plan, look=look), range(plan.games))))
    rng = np.random.default_rng(1)
    print(f"games {plan.games}, replays {given.replays}; parts of the variance, standard errors")
    print("| turns played | settled | foreseen by bots like them | by the appraisal |")
    print("|---|---|---|---|")
    for place, turn in enumerate(given.turns):
        rows = found[:, place]
        # Games of one deal belong together.
        deals = rows.reshape(given.deals, -1, rows.shape[1])
        tries = [
            explained(
                np.concatenate(deals[rng.integers(0, given.deals, given.deals)]), given.replays
            )
            for _ in range(RESAMPLES)
        ]
        parts = zip(explained(rows, given.replays), np.std(tries, axis=0), strict=True)
        told = " | ".join(f"{part:.0%} ± {error:.0%}" for part, error in parts)
        print(f"| {turn} | {told} |")


if __name__ == "__main__":
    main()
