"""A puzzle: a game up to a choice, its solution, and its explanation."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.puzzles.answers import accepted, before_messenger
from patrizier.view import View

_ID_LENGTH = 8


@dataclass(frozen=True)
class Source:
    """A game as far as a puzzle needs it."""

    options: Options
    deal: Deal
    moves: tuple[Move, ...]
    begun: Move | None = None  # the turn so far, where only its messenger is asked for

    def game(self) -> Game:
        """Return the game, with the solver to decide."""
        game = Game(self.options, deal=self.deal)
        for move in self.moves:
            game.play(move)
        if self.begun is not None:
            game.play_until(self.begun, "messenger")
        return game

    @property
    def id(self) -> str:
        """A short name, a hash of the game up to here."""
        options = self.options
        facts = (options.players, options.rules_text, self.deal.start, self.deal, *self.moves)
        text = "\n".join(map(str, (*facts, self.begun or "")))
        return hashlib.sha256(text.encode()).hexdigest()[:_ID_LENGTH]


@dataclass(frozen=True)
class Puzzle:
    """A position with one best turn.

    In a turn that lays a messenger, the messenger comes after the refill: so the answer is the turn
    up to the messenger, or the messenger alone.
    """

    source: Source
    solution: Move
    line: tuple[Move, ...]  # how play could go on
    why: tuple[Mapping[str, Any], ...]  # reasons in their JSON form
    themes: tuple[str, ...]
    rating: int
    exact: bool  # solved, not searched
    lead: float  # share of the victory that the best other turn loses
    error: float = 0.0  # standard error of that; 0 if exact
    trap: Move | None = field(default=None)  # what looks best at first sight

    @property
    def id(self) -> str:
        """The puzzle's name."""
        return self.source.id

    @property
    def players(self) -> int:
        """The number of players."""
        return self.source.options.players

    @cached_property
    def game(self) -> Game:
        """The game, with the solver to decide."""
        return self.source.game()

    @cached_property
    def view(self) -> View:
        """What the solver knows."""
        return self.game.view(self.game.seat)

    @cached_property
    def accepted(self) -> frozenset[str]:
        """Every turn that counts as the solution: the turn itself, and its mirror images."""
        return accepted(self.view, self.solution)

    def is_solved_by(self, move: Move | str) -> bool:
        """Whether a turn is the solution; its messenger counts only where that is the question."""
        move = Move(move) if isinstance(move, str) else move
        return before_messenger(self.view, move).text in self.accepted

    def to_json(self) -> dict[str, Any]:
        """Return what the file holds beside the game."""
        data: dict[str, Any] = {
            "turn": len(self.source.moves),
            "begun": self.source.begun and self.source.begun.text,
            "solution": self.solution.text,
            "line": [move.text for move in self.line],
            "why": [dict(reason) for reason in self.why],
            "themes": list(self.themes),
            "rating": self.rating,
            "exact": self.exact,
            "lead": round(self.lead, 4),
            "error": round(self.error, 5),
            "trap": self.trap and self.trap.text,
        }
        return {key: value for key, value in data.items() if value or key == "turn"}

    @classmethod
    def from_json(
        cls, data: Mapping[str, Any], options: Options, deal: Deal, moves: tuple[Move, ...]
    ) -> "Puzzle":
        """Read what `to_json` wrote, with the game that it belongs to."""
        begun, trap = data.get("begun"), data.get("trap")
        source = Source(options, deal, moves[: data["turn"]], Move(begun) if begun else None)
        return cls(
            source=source,
            solution=Move(data["solution"]),
            line=tuple(Move(text) for text in data.get("line", ())),
            why=tuple(data.get("why", ())),
            themes=tuple(data.get("themes", ())),
            rating=data["rating"],
            exact=data.get("exact", False),
            lead=data["lead"],
            error=data.get("error", 0.0),
            trap=Move(trap) if trap else None,
        )
