"""Lessons: positions from real games with one task each, and checks that it was solved.

Each lesson is a record in this folder: a game up to the learner's turn, with tags for the task,
found by `scripts/find_lessons.py`. Stateless: nothing about a learner is stored.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import cast, get_args

from patrizier.prospects import prospects
from patrizier.ptr import GameRecord, read_games
from patrizier.server.continuation import play_on
from patrizier.server.errors import Refused
from patrizier.server.protocol.messages import (
    LessonAnswer,
    LessonBody,
    LessonGoal,
    LessonLine,
    LessonList,
    LessonName,
    View,
)
from patrizier.server.reasons import Reason
from patrizier.server.table.setup import Rule
from patrizier.standing import legal_standings, standings_of
from patrizier.why import barred

from .goals import CHECKS, Attempt

LEARNER = 0  # the seat
NAMES: tuple[LessonName, ...] = get_args(LessonName)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position and its task."""

    record: GameRecord
    goal: LessonGoal


def listed() -> LessonList:
    """Return all lessons in the order in which they are taught."""
    return LessonList(lessons=tuple(_line(name) for name in NAMES))


def play(name: LessonName, body: LessonBody) -> LessonAnswer:
    """Return the lesson after what the learner has played; raises Refused."""
    lesson = load(name)
    game = lesson.record.game()
    before, start, taken = game.view(LEARNER), game.state, len(game.decisions)
    if body.moves and body.decisions:
        raise Refused(Reason.TURN_AND_DECISIONS)
    play_on(game, body.moves, body.decisions)
    done = game.turn > before.turn
    record, view = (game.records[-1] if done else None), game.state.view(LEARNER)
    why = CHECKS[name](Attempt(lesson.goal, before, record, view)) if record else ""
    return LessonAnswer(
        name=name,
        goal=lesson.goal,
        view=View(view.to_json()),
        seat=LEARNER,
        done=done,
        reached=done and not why,
        why=why,
        record=record.to_json() if record else None,
        standings=standings_of(start, game.decisions[taken:])
        | (legal_standings(game.state) if not done else {}),
        prospects=None if done else prospects(view),
        barred=barred(game.state) if not done else {},
    )


@cache
def load(name: LessonName) -> Lesson:
    """Return a lesson by name."""
    text = (resources.files(__package__) / f"{name}.ptr").read_text("utf-8")
    (record,) = read_games(text)
    tags = record.tags
    goal = LessonGoal(
        kind=name, card=tags.get("Card"), city=tags.get("City"), pair=tags.get("Pair")
    )
    return Lesson(record, goal)


def _line(name: LessonName) -> LessonLine:
    lesson = load(name)
    options = lesson.record.game().options
    rules = cast("tuple[Rule, ...]", tuple(options.rules_text.split(",")) if options.rules else ())
    return LessonLine(name=name, players=options.players, rules=rules, goal=lesson.goal)
