"""Requests to a worker process, and its answers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from patrizier.bots.base import Bot, Candidate
from patrizier.bots.warmup import ENDINGS, first_games, steps_before
from patrizier.move import Move
from patrizier.options import Options
from patrizier.server.logs import log
from patrizier.view import View

MOST_ADVICE = 3  # turns in one answer
_LONGEST = 100  # bytes of an answer
_LONGEST_ADVICE = 4000  # bytes of an answer with several turns


@dataclass(frozen=True, slots=True)
class Question:
    """All that a worker process gets to know."""

    view: View
    bot: str  # as in `make_bot`
    seed: int
    bot_id: int | None = None  # id of the seat's bot, which keeps state; None: a new bot
    seconds: float | None = None  # time limit; None: the bot's own
    advice: bool = False  # whether several turns are wanted
    about: str = ""  # a turn to include in any case, beside the best ones

    @property
    def longest(self) -> int:
        """Most bytes of an answer."""
        return _LONGEST_ADVICE if self.advice else _LONGEST


def first_questions(guests: Sequence[str] = ()) -> Iterator[tuple[frozenset[str], Question]]:
    """Yield questions that make a worker load everything it will need, after these steps."""
    options = Options(players=2)
    start, end = (game.view(game.seat) for game in first_games(options))
    for bot in ("merchant", "mcts:1", *guests):
        yield steps_before(bot, options), Question(start, bot, 1)
    yield frozenset({ENDINGS}), Question(end, "mcts:2000", 1, advice=True)
    yield steps_before("zero", options), Question(start, "zero:1", 1)


def answer(question: Question, bot: Bot) -> str:
    """Return the text of the bot's move, or of several; the bot's exceptions pass through."""
    rng = np.random.default_rng(question.seed)
    bot.hurry(question.seconds)
    if question.advice:
        return _advice(bot.explain(question.view, rng), question.view, question.about)
    chosen: object = bot.choose(question.view, rng)
    return str(chosen) if isinstance(chosen, Move) else "!no move"


def read_move(text: str, view: View) -> Move | None:
    """Return the move of an answer; None if it is not legal."""
    return next((move for move in view.legal if str(move) == text), None)


def read_advice(text: str, view: View) -> tuple[Candidate, ...]:
    """Return the valid candidates of an answer; none if the bot failed."""
    legal = {move.text: move for move in view.legal}
    if text.startswith("!"):
        log.warning("a bot gave no advice", extra={"code": text})
        return ()
    return tuple(
        Candidate(legal[move], tuple(shares), tuple(points), 0.0, exact)
        for move, shares, points, exact in json.loads(text)
        if move in legal
    )


def _advice(found: Sequence[Candidate], view: View, about: str) -> str:
    """Return the best of a bot's candidates as text, and the one asked about; no duplicates.

    Before the refill, turns that differ only in the messenger are duplicates: it is decided later,
    with the new card in view.
    """

    def decided(turn: str) -> str:
        return turn if view.phase == "messenger" else turn.partition("@")[0]

    best: dict[str, Candidate] = {}
    for candidate in found:
        best.setdefault(decided(candidate.move.text), candidate)
    chosen = list(best)[:MOST_ADVICE]
    if about and decided(about) in best and decided(about) not in chosen:
        chosen.append(decided(about))
    return json.dumps([_fields(best[turn]) for turn in chosen])


def _fields(candidate: Candidate) -> list[object]:
    return [
        candidate.move.text,
        [round(share, 4) for share in candidate.shares],
        [round(points, 2) for points in candidate.points],
        candidate.exact,
    ]
