"""Bodies and answers about replays. Import them from `messages`."""

from typing import Any

from patrizier.final_count import FinalCount
from patrizier.server.table.setup import Form, Rule
from patrizier.standing import Standings

from .views import LongRecord, View


class ReplayBody(Form):
    """One game as a record."""

    record: LongRecord


class Replay(Form):
    """A whole game: a frame before the first turn, and one after every turn."""

    players: int
    rules: tuple[Rule, ...]
    colours: tuple[str, ...]
    names: tuple[str, ...]  # by seat; empty if the record gives none
    tags: dict[str, str]  # of the record, as written there
    turns: tuple[dict[str, Any], ...]  # what happened, as in the history of a view
    standings: tuple[Standings, ...]  # by turn: after each step
    frames: tuple[View, ...]  # spectator's views with open tokens and piles
    hands: tuple[tuple[tuple[str, ...], ...], ...]  # by frame, then by seat
    scores: tuple[tuple[dict[str, int], ...], ...]  # points so far, by frame, then by seat
    comments: tuple[tuple[str, ...], ...]  # of the record, by frame
    outcome: dict[str, Any] | None  # None: the record ends before the game does
    final_count: FinalCount | None  # the outcome part by part
