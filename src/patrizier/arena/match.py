"""One game between bots: playing it, its result, and callbacks meanwhile."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from patrizier.bots.base import Bot
from patrizier.bots.guard import Incident, take_turn
from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.outcome import Outcome, Score
from patrizier.view import View

_PARTS = ("tokens", "sets", "chips", "minus", "floors")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one game. Tuples are by seat."""

    deal: int  # index of the deal in its series; groups games for the statistics
    names: tuple[str, ...]  # the bots
    start: int  # seat that began
    scores: tuple[Score, ...]
    seconds: tuple[float, ...]  # thinking time
    turns: tuple[int, ...]
    incidents: tuple[Incident, ...] = ()
    record: str = ""  # the game record; empty once it is written
    number: int = 0  # of the game in its plan
    node: str = ""  # the machine that played it

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.names)

    @property
    def points(self) -> tuple[int, ...]:
        """Every seat's points."""
        return tuple(score.total for score in self.scores)

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats."""
        return Outcome(self.scores).winners

    @property
    def shares(self) -> tuple[float, ...]:
        """Every seat's share of the victory."""
        winners = self.winners
        return tuple((seat in winners) / len(winners) for seat in range(self.players))

    @property
    def ranks(self) -> tuple[tuple[int, int], ...]:
        """Sort keys of the ranking: points, then fewer floors."""
        return tuple((score.total, -score.floors) for score in self.scores)

    def place(self, seat: int) -> int:
        """Return a seat's place in turn order, counted from 0."""
        return (seat - self.start) % self.players

    def to_json(self) -> dict[str, Any]:
        """Return the result for a journal."""
        return {
            "game": self.number,
            "deal": self.deal,
            "names": list(self.names),
            "start": self.start,
            "scores": [[getattr(score, part) for part in _PARTS] for score in self.scores],
            "seconds": [round(seconds, 6) for seconds in self.seconds],
            "turns": list(self.turns),
            "incidents": [incident.to_json() for incident in self.incidents],
            "record": self.record,
            "node": self.node,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "MatchResult":
        """Read what `to_json` wrote."""
        return cls(
            deal=data["deal"],
            names=tuple(data["names"]),
            start=data["start"],
            scores=tuple(Score(*parts) for parts in data["scores"]),
            seconds=tuple(data["seconds"]),
            turns=tuple(data["turns"]),
            incidents=tuple(Incident(**incident) for incident in data["incidents"]),
            record=data["record"],
            number=data["game"],
            node=data.get("node", ""),
        )


class Observer:
    """Base class with empty callbacks: override those of interest.

    `on_start` and `on_turn` are called by the process that plays the game. A tournament calls
    only `on_end`, for every game, in the order of the schedule.
    """

    def on_start(self, game: Game, names: Sequence[str]) -> None:
        """A game begins; names are those of the bots, by seat."""

    def on_turn(self, game: Game, incidents: Sequence[Incident]) -> None:
        """A turn has been played; incidents are what the bot did wrong in it."""

    def on_end(self, result: MatchResult) -> None:
        """A game has ended."""


class _Timed(Bot):
    """Wraps a bot and measures its thinking time."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seconds = 0.0

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        begin = time.perf_counter()
        try:
            return self.bot.choose(view, rng)
        finally:
            self.seconds += time.perf_counter() - begin


def play_match(
    options: Options,
    bots: Sequence[Bot],
    deal: Deal,
    seed: Sequence[int],
    *,
    names: Sequence[str] = (),
    number: int = 0,
    deal_number: int = 0,
    limit_seconds: float | None = None,
    observers: Sequence[Observer] = (),
    tags: dict[str, str] | None = None,
) -> MatchResult:
    """Play one game; every seat has its own random generator, derived from one seed."""
    if len(bots) != options.players:
        raise ValueError(f"{len(bots)} bots for {options.players} players")
    names = tuple(names) or tuple(bot.name for bot in bots)
    game = Game(options, deal=deal)
    timed = [_Timed(bot) for bot in bots]
    rngs = [np.random.default_rng([*seed, seat]) for seat in range(options.players)]
    turns, incidents = [0] * options.players, list[Incident]()
    for observer in observers:
        observer.on_start(game, names)
    while (seat := game.seat) is not None:
        found = take_turn(game, timed[seat], rngs[seat], limit_seconds)
        incidents += found
        turns[seat] += 1
        for observer in observers:
            observer.on_turn(game, found)
    result = MatchResult(
        deal=deal_number,
        names=names,
        start=deal.start,
        scores=game.scores(),
        seconds=tuple(bot.seconds for bot in timed),
        turns=tuple(turns),
        incidents=tuple(incidents),
        record=str(game.record(names, **(tags or {}))),
        number=number,
    )
    for observer in observers:
        observer.on_end(result)
    return result
