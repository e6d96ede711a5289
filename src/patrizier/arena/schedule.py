"""Who plays whom on which deal: the whole schedule follows from a plan."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import numpy as np

from patrizier.deal import Deal
from patrizier.options import Options
from patrizier.rules import RULES_VERSION

MODES = ("auto", "all", "one-among", "first-among")

_DEALS, _SEATS, _ORDERS = range(3)  # separate random streams for separate purposes


@dataclass(frozen=True)
class Slot:
    """One game of the schedule."""

    number: int  # counted from 0
    deal: int
    lineup: int
    names: tuple[str, ...]  # by seat


@dataclass(frozen=True)
class Plan:
    """A tournament: entrants, rules, deals. It determines every game, reproducibly.

    Every deal is played by every line-up in all rotations, so that each bot holds each hand
    once. The seating order changes from deal to deal.

    >>> plan = Plan.of(["greedy", "random"], Options(players=2), games=10)
    >>> plan.deals, plan.games, plan.lineups
    (5, 10, (('greedy', 'random'),))
    >>> plan.slot(0).names == plan.slot(1).names[::-1]
    True
    """

    entrants: tuple[str, ...]  # bots as on the command line
    options: Options
    deals: int
    seed: int = 0
    mode: str = "auto"
    limit_seconds: float | None = None  # for each answer of a bot

    def __post_init__(self) -> None:
        if not self.entrants:
            raise ValueError("a tournament needs at least one bot")
        for name, count in Counter(self.entrants).items():
            if count > 1:
                raise ValueError(f"{name} is entered twice")
        if self.deals < 1:
            raise ValueError("a tournament needs at least one deal")
        if self.mode not in MODES:
            raise ValueError(f"there is no mode {self.mode!r}: there are {', '.join(MODES)}")
        if not 0 <= self.seed < 2**64:
            raise ValueError("a seed is a whole number from 0 to 2**64 - 1")

    @classmethod
    def of(
        cls,
        entrants: Sequence[str],
        options: Options,
        *,
        games: int,
        seed: int = 0,
        mode: str = "auto",
        limit_seconds: float | None = None,
    ) -> "Plan":
        """Make a plan with at least this many games for each line-up."""
        deals = -(-games // options.players)
        return cls(tuple(entrants), options, deals, seed, mode, limit_seconds)

    @cached_property
    def lineups(self) -> tuple[tuple[str, ...], ...]:
        """Which bots sit at a table together."""
        return make_lineups(self.entrants, self.options.players, self.mode)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.deals * self.games_per_deal

    @property
    def games_per_deal(self) -> int:
        """How many games are played on the same deal."""
        return len(self.lineups) * self.options.players

    def slot(self, number: int) -> Slot:
        """Return one game. Games of one deal are consecutive, so that a plan can be extended."""
        deal, rest = divmod(number, self.games_per_deal)
        lineup, rotation = divmod(rest, self.options.players)
        bots = self.lineups[lineup]
        order = np.random.default_rng([self.seed, _ORDERS, deal, lineup]).permutation(len(bots))
        names = tuple(bots[order[(seat + rotation) % len(bots)]] for seat in range(len(bots)))
        return Slot(number, deal, lineup, names)

    def units(self, first: int = 0) -> Iterator[range]:
        """Yield the numbers of the games from ``first`` on, deal by deal.

        >>> plan = Plan.of(["greedy", "random"], Options(players=2), games=4)
        >>> list(plan.units(1))
        [range(1, 2), range(2, 4)]
        """
        while first < self.games:
            end = (first // self.games_per_deal + 1) * self.games_per_deal
            yield range(first, end)
            first = end

    def deal(self, number: int) -> Deal:
        """Return a deal of the series."""
        return Deal.random(self.options, np.random.default_rng([self.seed, _DEALS, number]))

    def seed_of(self, slot: Slot) -> tuple[int, ...]:
        """Return the seed sequence of a game."""
        return (self.seed, _SEATS, slot.number)

    def header(self) -> dict[str, Any]:
        """Return what two runs must share for one to resume the other: all but the length."""
        return {
            "arena": 1,
            "rules_version": RULES_VERSION,
            "bots": list(self.entrants),
            "players": self.options.players,
            "rules": self.options.rules_text,
            "deck": self.options.deck.name,
            "cards": self.options.deck.cards_text,
            "seed": self.seed,
            "lineups": [list(lineup) for lineup in self.lineups],
            "limit": self.limit_seconds,
        }


def make_lineups(entrants: Sequence[str], players: int, mode: str) -> tuple[tuple[str, ...], ...]:
    """Return which bots meet.

    ``all``: every combination of different entrants; with fewer entrants than players, all of them
    play, and the other seats are shared out as evenly as possible, in every way.
    ``one-among``: one copy of an entrant among copies of another, for every ordered pair.
    ``first-among``: the same for the first entrant only; with two players it meets each of the
    others, which do not meet each other.
    ``auto``: one-among for two entrants and more than two players, otherwise all.

    >>> make_lineups("AB", 4, "auto")
    (('A', 'B', 'B', 'B'), ('A', 'A', 'A', 'B'))
    >>> make_lineups("AB", 4, "first-among")
    (('A', 'B', 'B', 'B'),)
    >>> make_lineups("AB", 3, "all")
    (('A', 'A', 'B'), ('A', 'B', 'B'))
    >>> make_lineups("ABC", 2, "auto")
    (('A', 'B'), ('A', 'C'), ('B', 'C'))
    """
    if mode == "auto":
        mode = "one-among" if len(entrants) == 2 < players else "all"
    rank = {name: i for i, name in enumerate(entrants)}
    if mode != "all" and len(entrants) > 1:
        tables = (
            tuple(sorted((one, *[other] * (players - 1)), key=rank.__getitem__))
            for one, other in permutations(entrants, 2)
            if mode == "one-among" or one == entrants[0]
        )
        return tuple(dict.fromkeys(tables))
    if len(entrants) >= players:
        return tuple(combinations(entrants, players))
    least = players // len(entrants)
    return tuple(
        table
        for table in combinations_with_replacement(entrants, players)
        if all(least <= table.count(name) <= least + 1 for name in entrants)
    )
