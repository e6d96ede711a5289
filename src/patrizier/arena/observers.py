"""Callbacks during games, for live tables, journals and record files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from patrizier.bots.guard import Incident
from patrizier.game import Game

if TYPE_CHECKING:
    from patrizier.arena.match import MatchResult


class Observer:
    """Base class with empty callbacks: override those of interest.

    `on_start` and `on_turn` are called by the process that plays the game. A tournament calls
    only `on_end`, for every game, in the order of the schedule.
    """

    def on_start(self, game: Game, names: Sequence[str]) -> None:
        """A game begins; names are those of the bots, by seat."""

    def on_turn(self, game: Game, incidents: Sequence[Incident]) -> None:
        """A turn has been played; incidents are what the bot did wrong in it."""

    def on_end(self, result: "MatchResult") -> None:
        """A game has ended."""
