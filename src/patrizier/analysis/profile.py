"""Many games at once: errors by kind, phase and city, and luck over time, by player."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from patrizier.analysis.annotation import seat_names
from patrizier.analysis.verdicts import Verdict

PHASES = ("opening", "middle", "ending")  # thirds of the game


@dataclass
class Played:
    """What one player did in one game."""

    result: float
    fair: float
    luck: float
    adjusted: float
    own: float


@dataclass
class Profile:
    """One player over many games."""

    name: str
    games: list[Played] = field(default_factory=list)  # in the order given, for luck over time
    verdicts: Counter[str] = field(default_factory=Counter)
    kinds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    phases: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    cities: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, analysis: Mapping[str, Any], seat: int) -> None:
        """Add a game that this player played at a seat."""
        account = analysis["seats"][seat]
        self.games.append(
            Played(
                account["result"],
                account["fair"],
                account["luck"]["total"],
                account["adjusted"],
                account["own"],
            )
        )
        turns = analysis["turns"]
        for turn in turns:
            if turn["seat"] == seat:
                self.verdicts[turn["verdict"]] += 1
                for kind, cost in turn["costs"].items():
                    self.kinds[kind] += cost
                phase = min(len(PHASES) * (turn["turn"] - 1) // len(turns), len(PHASES) - 1)
                self.phases[PHASES[phase]] += turn["cost"]
                self.cities[turn["move"][:2]] += turn["cost"]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; costs are sums of shares of the victory."""
        games = self.games
        return {
            "name": self.name,
            "games": [
                {
                    "result": game.result,
                    "fair": round(game.fair, 6),
                    "luck": round(game.luck, 6),
                    "adjusted": round(game.adjusted, 6),
                    "own": round(game.own, 6),
                }
                for game in games
            ],
            "verdicts": {verdict.value: self.verdicts[verdict.value] for verdict in Verdict},
            "kinds": {kind: round(cost, 6) for kind, cost in sorted(self.kinds.items())},
            "phases": {phase: round(self.phases[phase], 6) for phase in PHASES},
            "cities": {city: round(cost, 6) for city, cost in sorted(self.cities.items())},
        }


def profiles(analyses: Iterable[Mapping[str, Any]]) -> list[Profile]:
    """Return every player's profile, by name; only complete analyses count."""
    found: dict[str, Profile] = {}
    for analysis in analyses:
        if not analysis["complete"]:
            continue
        for seat, name in enumerate(seat_names(dict(analysis))):
            found.setdefault(name, Profile(name)).add(analysis, seat)
    return sorted(found.values(), key=lambda profile: (-len(profile.games), profile.name))
