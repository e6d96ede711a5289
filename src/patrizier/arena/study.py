"""Statistics over game records: what places, cities, portraits and cards are worth.

The figures are correlations, not effects: good players also take more tokens. "Above the table"
means points above the mean of the same game. Intervals count games on the same deal as one
observation.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from patrizier.arena.intervals import Clustered, Estimate
from patrizier.game import Game
from patrizier.ptr import GameRecord
from patrizier.rules.board import CITIES, CITY_INDEX, cards_in_play, cities_in_play
from patrizier.rules.deck import NOBLES, Deck
from patrizier.rules.score import SET_POINTS, SET_SIZE

TOPICS = ("place", "seat", "token", "city", "sets", "noble", "card")


@dataclass(frozen=True)
class Worth:
    """Results of the seats that held something."""

    wins: Estimate  # share of victories
    points: Estimate
    above: Estimate  # points above the mean of the game

    @property
    def count(self) -> int:
        """Number of seats that held it."""
        return self.wins.count

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        return {
            "count": self.count,
            "wins": self.wins.to_json(),
            "points": self.points.to_json(),
            "above_table": self.above.to_json(),
        }


class _Sums:
    """The observations behind a `Worth`."""

    def __init__(self) -> None:
        self.wins, self.points, self.above = Clustered(), Clustered(), Clustered()

    def worth(self) -> Worth:
        return Worth(self.wins.share(), self.points.mean(), self.above.mean())


@dataclass
class Group:
    """Games with the same number of players, rules and deck."""

    players: int
    rules: str
    deck: Deck
    games: int = 0
    deals: set[Hashable] = field(default_factory=set)
    points: list[int] = field(default_factory=list)  # of every seat
    winning: list[int] = field(default_factory=list)  # points of the winners
    margins: list[int] = field(default_factory=list)  # points between the first two
    tie_breaks: int = 0
    shared: int = 0  # shared victories
    _sums: dict[str, dict[str, _Sums]] = field(
        default_factory=lambda: {topic: defaultdict(_Sums) for topic in TOPICS}
    )
    _leads: Clustered = field(default_factory=Clustered)  # victories of sole leaders at half-time

    @property
    def title(self) -> str:
        """The group in words."""
        rules = self.rules.replace(",", ", ") or "base game"
        deck = "" if self.deck == Deck.classic() else f", deck {self.deck.name}"
        return f"{self.players} players, {rules}{deck}"

    @property
    def lead(self) -> Estimate | None:
        """How often a sole leader at half-time wins."""
        return self._leads.share() if self._leads.count else None

    def worths(self, topic: str) -> dict[str, Worth]:
        """Return the worth of every item of a topic, in natural order."""
        sums = self._sums[topic]
        return {name: sums[name].worth() for name in _names(topic, self.players) if name in sums}

    def add(self, game: Game) -> None:
        """Count a finished game."""
        outcome = game.outcome()
        assert outcome is not None
        deal = game.deal.hands, game.deal.display, game.deal.pile
        shares = [(seat in outcome.winners) / len(outcome.winners) for seat in range(self.players)]
        mean = sum(outcome.points) / self.players
        for seat, topic, name in _holdings(game):
            sums = self._sums[topic][name]
            sums.wins.add(deal, shares[seat])
            sums.points.add(deal, outcome.points[seat])
            sums.above.add(deal, outcome.points[seat] - mean)
        ahead = leaders_at_half_time(game)
        if len(ahead) == 1:
            self._leads.add(deal, shares[ahead[0]])
        best, second = sorted(outcome.points, reverse=True)[:2]
        self.games += 1
        self.deals.add(deal)
        self.points += outcome.points
        self.winning.append(best)
        self.margins.append(best - second)
        self.tie_breaks += outcome.tie_break
        self.shared += len(outcome.winners) > 1

    def to_json(self) -> dict[str, Any]:
        """Return all figures as JSON."""
        return {
            "players": self.players,
            "rules": self.rules.split(",") if self.rules else [],
            "deck": self.deck.name,
            "games": self.games,
            "deals": len(self.deals),
            "spread": self.spread(),
            "half_time": {
                "sole_leader": self._leads.count / self.games,
                "leader_wins": self.lead.to_json() if self.lead else None,
            },
            "worth": {
                topic: {name: worth.to_json() for name, worth in self.worths(topic).items()}
                for topic in TOPICS
            },
        }

    def spread(self) -> dict[str, float]:
        """Return the distribution of the points."""
        import numpy as np

        low, middle, high = np.percentile(self.points, [10, 50, 90]).tolist()
        return {
            "mean": float(np.mean(self.points)),
            "deviation": float(np.std(self.points)),
            "percentile_10": low,
            "median": middle,
            "percentile_90": high,
            "winner": float(np.mean(self.winning)),
            "margin": float(np.mean(self.margins)),
            "tie_breaks": self.tie_breaks / self.games,
            "shared": self.shared / self.games,
        }


def study(records: Iterable[GameRecord]) -> tuple[list[Group], int]:
    """Return the finished games, grouped by kind, and how many unfinished ones were skipped."""
    groups: dict[tuple[int, str, Deck], Group] = {}
    left_out = 0
    for record in records:
        game = record.game()
        if not game.is_over:
            left_out += 1
            continue
        options = game.options
        key = options.players, options.rules_text, options.deck
        groups.setdefault(key, Group(*key)).add(game)
    return [groups[key] for key in sorted(groups, key=lambda k: (k[0], k[1], k[2].name))], left_out


def leaders_at_half_time(game: Game) -> list[int]:
    """Return who has most points after half of the rounds (rounded down)."""
    players = game.options.players
    half = game.turn // players // 2 * players
    points = [0] * players
    heads = [Counter[str]() for _ in range(players)]
    for record in game.records[:half]:
        face = game.options.deck[record.move.card]
        if face.noble:
            heads[record.seat][face.noble] += face.heads
        if record.scored:
            for winner, token in zip(
                (record.scored.taller, record.scored.lower), record.scored.tokens, strict=True
            ):
                points[winner] += token + record.scored.chips
    for seat in range(players):
        points[seat] += SET_POINTS * sum(count // SET_SIZE for count in heads[seat].values())
    return [seat for seat in range(players) if points[seat] == max(points)]


def _holdings(game: Game) -> Iterator[tuple[int, str, str]]:
    """Yield who had what: seat, topic, name."""
    players = game.options.players
    heads = [Counter[str]() for _ in range(players)]
    for record in game.records:
        face = game.options.deck[record.move.card]
        if face.noble:
            heads[record.seat][face.noble] += face.heads
        yield record.seat, "card", record.move.card
        if record.scored:
            city = record.scored
            for seat, token, which in zip(
                (city.taller, city.lower), city.tokens, ("taller", "lower"), strict=True
            ):
                yield seat, "token", str(token)
                yield seat, "city", f"{city.city} {which}"
            if city.taller == city.lower:
                yield city.taller, "city", f"{city.city} both"
    for seat in range(players):
        yield seat, "seat", str(seat + 1)
        yield seat, "place", str((seat - game.deal.start) % players + 1)
        sets = {noble: count // SET_SIZE for noble, count in heads[seat].items()}
        yield seat, "sets", str(sum(sets.values()))
        for noble, count in sets.items():
            if count:
                yield seat, "noble", NOBLES[noble]


def _names(topic: str, players: int) -> list[str]:
    """Return all possible items of a topic, in order."""
    if topic in ("place", "seat"):
        return [str(n + 1) for n in range(players)]
    if topic == "token":
        values = {token for city in CITIES for token in city.tokens}
        return [str(value) for value in sorted(values, reverse=True)]
    if topic == "city":
        cities = sorted(cities_in_play(players), key=lambda c: (-c.capacity, CITY_INDEX[c.code]))
        return [f"{c.code} {which}" for c in cities for which in ("taller", "lower", "both")]
    if topic == "sets":
        return [str(n) for n in range(20)]
    if topic == "noble":
        return list(NOBLES.values())
    return list(cards_in_play(players))
