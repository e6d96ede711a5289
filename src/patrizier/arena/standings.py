"""The result tables of a tournament: by bot, by line-up, by pair, by place."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from patrizier.arena.intervals import Clustered, Estimate
from patrizier.arena.match import MatchResult, Observer
from patrizier.arena.ratings import elo, openskill

PARTS = ("tokens", "sets", "chips", "minus")
PLACES = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class Standing:
    """How one bot did."""

    name: str
    wins: Estimate  # share of victories per seat
    points: Estimate
    parts: dict[str, float]  # mean points by source
    seconds: float  # thinking time per turn
    incidents: int
    rating: Estimate | None = None


@dataclass(frozen=True)
class Table:
    """How one bot did in one line-up."""

    lineup: tuple[str, ...]
    name: str
    wins: Estimate
    points: Estimate


@dataclass(frozen=True)
class Place:
    """How one place in turn order did, over all bots."""

    place: int  # counted from 0
    wins: Estimate
    points: Estimate


@dataclass(frozen=True)
class Standings:
    """All tables of a tournament."""

    players: int
    games: int
    deals: int
    rating: str  # Elo, openskill, or empty
    bots: tuple[Standing, ...]  # best first
    pairs: dict[tuple[str, str], Estimate]  # how often the first finishes ahead of the second
    places: tuple[Place, ...]
    tables: tuple[Table, ...]
    points: dict[str, tuple[int, ...]]  # of every game of a bot
    incidents: dict[str, Counter[str]]  # of a bot, by kind
    games_by_node: dict[str, int]  # by the name of the machine

    @property
    def fair(self) -> float:
        """The share of victories if all bots are equally strong."""
        return 1 / self.players

    def to_json(self) -> dict[str, Any]:
        """Return the tables as JSON."""
        return {
            "players": self.players,
            "games": self.games,
            "deals": self.deals,
            "rating": self.rating,
            "bots": [
                {
                    "name": bot.name,
                    "wins": bot.wins.to_json(),
                    "points": bot.points.to_json(),
                    "parts": bot.parts,
                    "seconds_per_turn": bot.seconds,
                    "incidents": dict(self.incidents[bot.name]),
                    "rating": bot.rating.to_json() if bot.rating else None,
                }
                for bot in self.bots
            ],
            "pairs": [
                {"bot": one, "other": other, "ahead": share.to_json()}
                for (one, other), share in self.pairs.items()
            ],
            "places": [
                {"place": p.place + 1, "wins": p.wins.to_json(), "points": p.points.to_json()}
                for p in self.places
            ],
            "lineups": [
                {
                    "lineup": list(table.lineup),
                    "bot": table.name,
                    "wins": table.wins.to_json(),
                    "points": table.points.to_json(),
                }
                for table in self.tables
            ],
        }


class Tally(Observer):
    """Running totals, cheap enough for a live display."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.games = 0
        self.wins = {name: Clustered() for name in names}
        self.points = {name: Clustered() for name in names}
        self.seconds = dict.fromkeys(names, 0.0)
        self.turns = dict.fromkeys(names, 0)
        self.incidents = {name: Counter[str]() for name in names}

    def on_end(self, result: MatchResult) -> None:
        """Count a game."""
        self.games += 1
        seats = zip(result.names, result.shares, result.points, strict=True)
        for seat, (name, share, points) in enumerate(seats):
            self.wins[name].add(result.deal, share)
            self.points[name].add(result.deal, points)
            self.seconds[name] += result.seconds[seat]
            self.turns[name] += result.turns[seat]
        for incident in result.incidents:
            self.incidents[result.names[incident.seat]][incident.kind] += 1

    def seconds_a_turn(self, name: str) -> float:
        """Return how long a bot thought on average."""
        return self.seconds[name] / max(1, self.turns[name])


def standings(names: Sequence[str], results: Sequence[MatchResult]) -> Standings:
    """Return all tables of the games played so far; bots that have not played are left out."""
    if not results:
        raise ValueError("no game has been played")
    players = results[0].players
    tally = Tally(names)
    for result in results:
        tally.on_end(result)
    played = [name for name in names if tally.wins[name].count]
    rate = elo if players == 2 else openskill
    ratings = rate(played, results)
    bots = [
        Standing(
            name,
            tally.wins[name].share(),
            tally.points[name].mean(),
            _parts(name, results),
            tally.seconds_a_turn(name),
            tally.incidents[name].total(),
            ratings.get(name),
        )
        for name in played
    ]
    bots.sort(key=lambda bot: -(bot.rating.value if bot.rating else bot.wins.value))
    order = [bot.name for bot in bots]
    return Standings(
        players=players,
        games=len(results),
        deals=len({result.deal for result in results}),
        rating=rate.__name__.replace("elo", "Elo") if ratings else "",
        bots=tuple(bots),
        pairs=_pairs(order, results),
        places=_places(players, results),
        tables=_tables(order, results),
        points={
            name: tuple(
                points
                for result in results
                for n, points in zip(result.names, result.points, strict=True)
                if n == name
            )
            for name in order
        },
        incidents=tally.incidents,
        games_by_node=dict(Counter(result.node for result in results)),
    )


def _parts(name: str, results: Iterable[MatchResult]) -> dict[str, float]:
    scores = [
        score
        for result in results
        for n, score in zip(result.names, result.scores, strict=True)
        if n == name
    ]
    return {part: sum(getattr(score, part) for score in scores) / len(scores) for part in PARTS}


def _pairs(names: Sequence[str], results: Iterable[MatchResult]) -> dict[tuple[str, str], Estimate]:
    """Compare every two seats of every game; equal results count half."""
    ahead = {pair: Clustered() for pair in permutations(names, 2)}
    for result in results:
        for one, other in permutations(range(result.players), 2):
            pair = result.names[one], result.names[other]
            if pair in ahead:
                mine, theirs = result.ranks[one], result.ranks[other]
                ahead[pair].add(result.deal, ((mine > theirs) + (mine >= theirs)) / 2)
    return {pair: sums.share() for pair, sums in ahead.items() if sums.count}


def _places(players: int, results: Iterable[MatchResult]) -> tuple[Place, ...]:
    wins, points = ([Clustered() for _ in range(players)] for _ in range(2))
    for result in results:
        for seat in range(players):
            place = result.place(seat)
            wins[place].add(result.deal, result.shares[seat])
            points[place].add(result.deal, result.points[seat])
    return tuple(Place(n, wins[n].share(), points[n].mean()) for n in range(players))


def _tables(names: Sequence[str], results: Iterable[MatchResult]) -> tuple[Table, ...]:
    sums: dict[tuple[tuple[str, ...], str], tuple[Clustered, Clustered]] = {}
    rank = {name: i for i, name in enumerate(names)}
    for result in results:
        lineup = tuple(sorted(result.names, key=rank.__getitem__))
        for seat, name in enumerate(result.names):
            wins, points = sums.setdefault((lineup, name), (Clustered(), Clustered()))
            wins.add(result.deal, result.shares[seat])
            points.add(result.deal, result.points[seat])
    order = sorted(sums, key=lambda key: ([rank[n] for n in key[0]], rank[key[1]]))
    return tuple(
        Table(lineup, name, sums[lineup, name][0].share(), sums[lineup, name][1].mean())
        for lineup, name in order
    )
