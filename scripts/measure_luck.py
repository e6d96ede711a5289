"""How much of the variance in an arena is luck of the cards, and how much luck adjustment removes.

    python scripts/measure_luck.py mcts:40 mcts:60 --players 2 --deals 500 --replays 8
    python scripts/measure_luck.py mcts:40 mcts:60 --deals 5000 --jobs 16         # 10,000 games
    python scripts/measure_luck.py mcts:40 mcts:60 --deals 1000 --answers 3

Deals are played in all rotations, the first bot among copies of the second. Printed are:

- its share of the victory, as played and luck-adjusted, and their difference with its standard
  error: without bias it is zero;
- the standard error of the adjusted mean, relative to the unadjusted one;
- what rotations remove: the variance of a deal's mean, relative to that of independent games;
- the luck of the cards: the mean square of the luck of a game's cards, relative to the variance of
  a game;
- with answers: every bot is asked again so many times at every turn, and the value of its turn
  beyond the mean of those answers is removed as well. Its mean is zero, too;
- with replays: how much of the variance of a deal's mean remains when the same deal and pile are
  played again, with other random numbers of the bots. No adjustment by deal and pile alone could
  remove that; the luck of the cards also depends on the turns, so it can remove a part.

Iterations are the only budget that makes sense here; processor time is printed at the end.
"""

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from patrizier.analysis.luck import CARDS, ITERATIONS, luck_by_turn
from patrizier.analysis.outlook import Appraiser
from patrizier.arena.luck import coefficients
from patrizier.arena.match import MatchResult, play_match
from patrizier.arena.schedule import Plan
from patrizier.bots.registry import make_bot
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.state import State

Numbers = npt.NDArray[np.float64]

_TURNS = 60  # more than any game has
_AGAIN = 99  # seeds these answers, unlike those of the seats


@dataclass(frozen=True)
class Effort:
    """How hard to look at a game."""

    iterations: int  # of an appraisal
    cards: int  # to compare a card with
    answers: int = 0  # that every bot gives once more at each turn


@dataclass(frozen=True)
class Measured:
    """A game of the first bot."""

    share: float
    luck: Numbers  # of the card turned up, by turn
    choice: float  # what its and others' turns were worth beyond the mean of other answers
    seconds: tuple[float, float]  # to play, and to measure


def play(plan: Plan, number: int, replay: int) -> tuple[MatchResult, int]:
    """Return a game of the plan, played again with other random numbers, and the first bot's seat.

    The first replay is the game of an arena.
    """
    slot = plan.slot(number)
    bots = [make_bot(name) for name in slot.names]
    seed = (*plan.seed_of(slot), *([replay] if replay else []))
    result = play_match(plan.options, bots, plan.deal(slot.deal), seed, names=slot.names)
    return result, slot.names.index(plan.entrants[0])


def measure(number: int, plan: Plan, effort: Effort) -> Measured:
    """Play a game, and measure its luck."""
    began = time.process_time()
    result, seat = play(plan, number, 0)
    ended = time.process_time()
    game, luck, choice = Game.from_record(result.record), np.zeros(_TURNS), 0.0
    turns = luck_by_turn(game, effort.iterations, effort.cards)
    luck[: len(turns)] = turns[:, seat]
    if effort.answers:
        choice = choices(game, result.names, plan.seed_of(plan.slot(number)), effort)[seat]
    return Measured(result.shares[seat], luck, choice, (ended - began, time.process_time() - ended))


def choices(game: Game, names: Sequence[str], seed: tuple[int, ...], effort: Effort) -> Numbers:
    """Return by seat what all turns were worth beyond the mean of the bots' other answers."""
    appraiser = Appraiser(game.options, iterations=effort.iterations)
    rng = np.random.default_rng([*seed, _AGAIN])
    state, found = State.start(game.options, game.deal), np.zeros(game.options.players)
    for move in game.moves:
        assert state.seat is not None
        view, worth = state.view(state.seat), dict[tuple[int, ...], Numbers]()
        played = decisions(state, move)
        if len(view.legal) > 1:
            bots = [make_bot(names[state.seat]) for _ in range(effort.answers)]
            others = [decisions(state, bot.choose(view, rng)) for bot in bots]
            for codes in {played, *others}:
                left = int(state.record["pile_left"])
                places = np.linspace(0, left - 1, min(effort.cards, left)).astype(int).tolist()
                worth[codes] = appraiser.after(state._cells, codes, places)[0].shares
            found += worth[played] - np.mean([worth[codes] for codes in others], axis=0)
        state = state.play(move)
    return found


def decisions(state: State, move: Move) -> tuple[int, ...]:
    """Return the decisions of a turn, but for its messenger."""
    return tuple(state.walk(move, until="messenger")[1])


def tell(games: Numbers, luck: Numbers, choice: Numbers) -> None:
    """Print means, errors and ratios; arrays are by deal and rotation, luck by turn as well."""
    deals, players = games.shape
    count, shares, lucks = np.full(deals, float(players)), games.sum(1), luck.sum((1, 2))
    adjusted = (shares - coefficients(count, shares, lucks) * lucks) / players
    raw, root = shares / players, np.sqrt(deals)
    print(f"deals {deals}, games {games.size}")
    print(f"as played      {raw.mean():.4f} ± {raw.std(ddof=1) / root:.4f} (standard error)")
    told = {"luck-adjusted": adjusted}
    if choice.any():
        chosen = choice.sum(1)
        told["and choices"] = adjusted - coefficients(count, adjusted * players, chosen) * (
            chosen / players
        )
    for name, values in told.items():
        gap = values - raw
        print(f"{name:14} {values.mean():.4f} ± {values.std(ddof=1) / root:.4f}")
        print(f"difference     {gap.mean():+.4f} ± {gap.std(ddof=1) / root:.4f}")
        print(f"standard error {values.std() / raw.std():.3f} of the usual")
    print(f"rotations      {players * raw.var() / games.var():.3f} of the variance of single games")
    squares = (luck**2).sum(2).mean()
    print(f"luck of cards  {squares / games.var():.3f} of the variance of a game")


def replayed(plan: Plan, deals: int, replays: int) -> None:
    """Print how much of the variance of a deal's mean its cards do not explain."""
    means = np.zeros((deals, replays))
    for deal in range(deals):
        for replay in range(replays):
            for rotation in range(plan.options.players):
                result, seat = play(plan, deal * plan.games_per_deal + rotation, replay)
                means[deal, replay] += result.shares[seat] / plan.options.players
    within = means.var(axis=1, ddof=1).mean()
    between = means.mean(axis=1).var(ddof=1) - within / replays
    # the standard error of the variance between deals: F distribution, taken as normal
    error = np.sqrt(2 / (deals - 1)) * (between + within / replays)
    print(f"within a deal  {within:.4f}, between deals {between:.4f} ± {error:.4f}")


def main() -> None:
    """Play, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs=2, help="the two bots that play each other")
    parser.add_argument("--players", type=int, default=2, help="number of players")
    parser.add_argument("--deals", type=int, default=200, help="number of deals to play")
    parser.add_argument(
        "--replays", type=int, default=0, help="how often to replay each deal, for a fifth of them"
    )
    parser.add_argument(
        "--answers", type=int, default=0, help="how often to ask every bot again at each turn"
    )
    parser.add_argument(
        "--iterations", type=int, default=ITERATIONS, help="search iterations per appraisal"
    )
    parser.add_argument(
        "--cards", type=int, default=CARDS, help="number of other cards to compare a card with"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and the bots")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    given = parser.parse_args()
    plan = Plan(tuple(given.bots), Options(given.players), given.deals, given.seed, "first-among")
    effort = Effort(given.iterations, given.cards, given.answers)
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        look = partial(measure, plan=plan, effort=effort)
        found = list(pool.map(look, range(plan.games), chunksize=given.players))
    shape = given.deals, given.players
    tell(
        np.reshape([each.share for each in found], shape),
        np.reshape([each.luck for each in found], (*shape, _TURNS)),
        np.reshape([each.choice for each in found], shape),
    )
    if given.replays:
        replayed(plan, max(2, given.deals // 5), given.replays)
    playing, measuring = 1000 * np.mean([each.seconds for each in found], axis=0)
    print(f"processor time {playing:.0f} ms a game to play, {measuring:.0f} ms to measure its luck")


if __name__ == "__main__":
    main()
