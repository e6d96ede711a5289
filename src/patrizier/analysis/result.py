"""An analysis as a value, with a documented JSON form (`docs/analysis.md`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from patrizier.analysis.reasons import Reason
from patrizier.analysis.shares import WHOLE, Parts
from patrizier.analysis.verdicts import Verdict
from patrizier.move import Move

VERSION = 6  # of the analyser: raised whenever its figures or reasons change


@dataclass(frozen=True, slots=True)
class Chances:
    """Every seat's expected result at one moment."""

    shares: Parts
    points: tuple[float, ...]
    exact: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"shares": _floats(self.shares), "points": _tenths(self.points), "exact": self.exact}


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible turn, and its expected result."""

    move: Move
    shares: Parts
    points: tuple[float, ...]
    cost: int  # compared with the best, in millionths
    exact: bool
    line: tuple[Move, ...]  # how play would go on

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "move": self.move.text,
            "shares": _floats(self.shares),
            "points": _tenths(self.points),
            "cost": self.cost / WHOLE,
            "exact": self.exact,
            "line": [move.text for move in self.line],
        }


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement on a turn, given what its seat knew."""

    verdict: Verdict
    error: Parts  # what it cost its seat (never above zero) and brought others; adds up to zero
    points: float  # own points lost
    costs: Mapping[str, int]  # by what was decided: build, move, draw, messenger
    spread: tuple[float, ...]  # standard error of `error`, by seat, in millionths
    exact: bool
    only: bool  # there was no choice
    choices: tuple[Choice, ...]  # the best ones; the turn played is among them
    why: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, before and after."""

    number: int  # counted from 1
    seat: int
    move: Move
    before: Chances
    after: Chances
    refill: str | None
    judgement: Judgement | None = None  # None: this and all later turns are not judged yet
    card: Parts | None = None  # luck of the card turned up
    hidden: Parts | None = None  # luck in what the seat could not know

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        judged = self.judgement
        return {
            "turn": self.number,
            "seat": self.seat,
            "move": self.move.text,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "refill": self.refill,
            "luck": None
            if self.card is None or self.hidden is None
            else {"card": _floats(self.card), "hidden": _floats(self.hidden)},
            "verdict": judged and judged.verdict.value,
            "error": judged and _floats(judged.error),
            "cost": judged and -judged.error[self.seat] / WHOLE,
            "points_cost": judged and round(judged.points, 2),
            "costs": judged and {kind: cost / WHOLE for kind, cost in judged.costs.items()},
            "exact": judged and judged.exact,
            "only": judged and judged.only,
            "choices": judged and [choice.to_json() for choice in judged.choices],
            "why": judged and [reason.to_json() for reason in judged.why],
        }


@dataclass(frozen=True, slots=True)
class Account:
    """The parts of one seat's result; they add up exactly, in millionths.

    ``fair + deal + cards + hidden + own + others == result``
    """

    result: int  # share of the victory; of an unfinished game, the last estimate
    fair: int  # before the deal
    deal: int  # luck of the deal and of who begins
    cards: int  # luck of cards turned up
    hidden: int  # luck in what could not be known
    own: int  # errors, never above zero
    others: tuple[int, ...]  # by seat: what its errors gave (or took); zero for its own
    spread: float  # standard error of own and others
    verdicts: Mapping[Verdict, int]

    @property
    def luck(self) -> int:
        """All luck."""
        return self.deal + self.cards + self.hidden

    @property
    def adjusted(self) -> int:
        """The luck-adjusted result."""
        return self.result - self.luck

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        reach = 1.96 * self.spread
        return {
            "result": self.result / WHOLE,
            "fair": self.fair / WHOLE,
            "luck": {
                "total": self.luck / WHOLE,
                "deal": self.deal / WHOLE,
                "cards": self.cards / WHOLE,
                "hidden": self.hidden / WHOLE,
            },
            "own": self.own / WHOLE,
            "others": _floats(self.others),
            "adjusted": self.adjusted / WHOLE,
            "interval": [
                round((self.adjusted - reach) / WHOLE, 6),
                round((self.adjusted + reach) / WHOLE, 6),
            ],
            "verdicts": {verdict.value: count for verdict, count in self.verdicts.items()},
        }


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that decided the game."""

    turn: int  # 0: the deal
    kind: str  # deal, card or error
    seat: int  # whom it helped or hurt most; who erred
    change: Parts  # of the shares

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "turn": self.turn,
            "kind": self.kind,
            "seat": self.seat,
            "change": _floats(self.change),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """A whole game, or as much of it as has been analysed."""

    record: str  # hash of the game
    names: tuple[str, ...]
    players: int
    deep: bool
    seed: int
    finished: bool  # whether the game was played to its end
    deal: Chances
    luck_of_deal: Parts
    turns: tuple[Turn, ...]
    accounts: tuple[Account, ...] = ()  # by seat; empty until all turns are judged
    moments: tuple[Moment, ...] = ()
    points: tuple[int, ...] = field(default=())  # of a finished game

    @property
    def judged(self) -> int:
        """How many turns have been judged."""
        return sum(turn.judgement is not None for turn in self.turns)

    @property
    def complete(self) -> bool:
        """Whether every turn has been judged."""
        return bool(self.accounts)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "version": VERSION,
            "record": self.record,
            "names": list(self.names),
            "players": self.players,
            "deep": self.deep,
            "seed": self.seed,
            "finished": self.finished,
            "complete": self.complete,
            "judged": self.judged,
            "points": list(self.points),
            "deal": {**self.deal.to_json(), "luck": _floats(self.luck_of_deal)},
            "turns": [turn.to_json() for turn in self.turns],
            "seats": [account.to_json() for account in self.accounts],
            "moments": [moment.to_json() for moment in self.moments],
        }


def _floats(parts: Parts) -> list[float]:
    return [part / WHOLE for part in parts]


def _tenths(points: tuple[float, ...]) -> list[float]:
    return [round(float(value), 1) for value in points]
