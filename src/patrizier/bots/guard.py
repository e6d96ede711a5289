"""Asks a bot for its turn; no bot can stop a game."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from patrizier.bots.base import Bot
from patrizier.errors import IllegalMove
from patrizier.game import Game
from patrizier.move import Move
from patrizier.view import View

ERROR = "error"  # it raised
NO_MOVE = "no move"  # it returned something else
ILLEGAL = "illegal move"
OVERTIME = "overtime"

_LONGEST_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class Incident:
    """Something a bot did wrong. A legal move was played for it."""

    seat: int
    turn: int  # counted from 1
    kind: str  # error, no move, illegal move or overtime
    message: str

    def to_json(self) -> dict[str, Any]:
        """Return the fields for programs."""
        return asdict(self)


def take_turn(
    game: Game,
    bot: Bot,
    rng: np.random.Generator,
    limit_seconds: float | None = None,
    *,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Incident]:
    """Play one whole turn for the seat to move; return what the bot did wrong.

    A bot is asked at the start of its turn and again when a messenger may be laid, which comes
    after the refill: the messenger of its first answer is ignored. Each answer has the time limit.
    An answer that fails is replaced by a legal move. An overrun is noticed when the answer comes:
    a bot that never answers is not stopped here.
    """
    turn, incidents = game.turn, list[Incident]()
    while game.turn == turn and not game.is_over:
        assert game.seat is not None
        view = game.view(game.seat)
        begin = clock()
        answer = _ask(game, bot, view, rng)
        seconds = clock() - begin
        if limit_seconds is not None and seconds > limit_seconds and isinstance(answer, Move):
            answer = _Fault(OVERTIME, f"{seconds:.3f} s, allowed are {limit_seconds:g} s")
        if isinstance(answer, _Fault):
            incidents.append(Incident(game.seat, turn + 1, answer.kind, _short(answer.message)))
            answer = view.legal[int(rng.integers(len(view.legal)))]
        game.play_until(answer, "messenger")
    return incidents


class _Fault(NamedTuple):
    """What is wrong with an answer."""

    kind: str
    message: str


def _ask(game: Game, bot: Bot, view: View, rng: np.random.Generator) -> Move | _Fault:
    """Return the bot's answer, or what is wrong with it."""
    try:
        answer: object = bot.choose(view, rng)
    except (Exception, SystemExit) as error:
        return _Fault(ERROR, f"{type(error).__name__}: {error}")
    if type(answer) is not Move:
        return _Fault(NO_MOVE, f"{type(answer).__name__} instead of a move")
    if answer not in view.legal:
        return _Fault(ILLEGAL, _why_illegal(game, answer))
    return answer


def _why_illegal(game: Game, move: Move) -> str:
    try:
        game.copy().play(move)
    except IllegalMove as error:
        return str(error)
    return str(move)


def _short(message: str) -> str:
    line = "".join(c if c.isprintable() else " " for c in message).strip()
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…"
