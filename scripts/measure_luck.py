"""How much of the variance in an arena is luck of the cards, and what luck-adjusting takes out.

    python scripts/measure_luck.py mcts:40 mcts:60 --players 2 --deals 500 --replays 8
    python scripts/measure_luck.py mcts:5 mcts:20 --deals 5000                    # 10,000 games

Deals are played in all rotations, the first bot among copies of the second. Told are:

- its share of the victory, as played and luck-adjusted, and their difference with its standard
  error: without bias it is zero;
- the standard error of the adjusted mean, as a part of the usual one;
- what rotations take out: the variance of a deal's mean, as a part of that of independent games;
- the luck of the cards: the mean square of what the cards turned up in a game changed, as a part of
  the variance of a game;
- with replays: how much of the variance of a deal's mean remains when the same deal and pile are
  played again, with other random numbers of the bots. No adjustment by deal and pile alone could
  take that out; luck of the cards depends on the turns as well, so it can take out a part.

Iterations are the only budget that makes sense here; processor time is told at the end.
"""

import argparse
import time

import numpy as np
import numpy.typing as npt

from patrizier.analysis.luck import CARDS, ITERATIONS, luck_by_turn
from patrizier.arena.luck import coefficients
from patrizier.arena.match import MatchResult, play_match
from patrizier.arena.schedule import Plan
from patrizier.bots.registry import make_bot
from patrizier.game import Game
from patrizier.options import Options


def play(plan: Plan, number: int, replay: int) -> tuple[MatchResult, int]:
    """Return a game of the plan, played again with other random numbers, and the first bot's seat.

    The first replay is the game of an arena.
    """
    slot = plan.slot(number)
    bots = [make_bot(name) for name in slot.names]
    seed = (*plan.seed_of(slot), *([replay] if replay else []))
    result = play_match(plan.options, bots, plan.deal(slot.deal), seed, names=slot.names)
    return result, slot.names.index(plan.entrants[0])


def tell(games: npt.NDArray[np.float64], luck: npt.NDArray[np.float64]) -> None:
    """Print means, errors and parts. Both arrays are by deal and rotation, luck by turn as well."""
    deals, players = games.shape
    count, shares, lucks = np.full(deals, float(players)), games.sum(1), luck.sum((1, 2))
    adjusted = (shares - coefficients(count, shares, lucks) * lucks) / players
    raw, root = shares / players, np.sqrt(deals)
    gap = adjusted - raw
    print(f"deals {deals}, games {games.size}")
    print(f"as played      {raw.mean():.4f} ± {raw.std(ddof=1) / root:.4f} (standard error)")
    print(f"luck-adjusted  {adjusted.mean():.4f} ± {adjusted.std(ddof=1) / root:.4f}")
    print(f"difference     {gap.mean():+.4f} ± {gap.std(ddof=1) / root:.4f}")
    print(f"standard error {adjusted.std() / raw.std():.3f} of the usual")
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
    # by Fisher's F distribution, roughly normal: the standard error of the part between deals
    error = np.sqrt(2 / (deals - 1)) * (between + within / replays)
    print(f"within a deal  {within:.4f}, between deals {between:.4f} ± {error:.4f}")


def main() -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs=2)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--replays", type=int, default=0, help="of each of a fifth of the deals")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="of an appraisal")
    parser.add_argument("--cards", type=int, default=CARDS, help="to compare a card with")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options = Options(given.players)
    plan = Plan(tuple(given.bots), options, given.deals, given.seed, "first-among")
    games = np.zeros((given.deals, given.players))
    luck = np.zeros((*games.shape, 60))
    spent = np.zeros(2)
    for number in range(plan.games):
        place = divmod(number, given.players)
        began = time.process_time()
        result, seat = play(plan, number, 0)
        ended = time.process_time()
        turns = luck_by_turn(Game.from_record(result.record), given.iterations, given.cards)
        spent += ended - began, time.process_time() - ended
        games[place] = result.shares[seat]
        luck[place][: len(turns)] = turns[:, seat]
    tell(games, luck)
    if given.replays:
        replayed(plan, max(2, given.deals // 5), given.replays)
    playing, measuring = 1000 * spent / plan.games
    print(f"processor time {playing:.0f} ms a game to play, {measuring:.0f} ms to measure its luck")


if __name__ == "__main__":
    main()
