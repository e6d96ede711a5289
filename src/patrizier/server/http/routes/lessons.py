"""Lessons of the quick start: list, begin, play. Stateless: the page sends what was played."""

from typing import Annotated

from fastapi import APIRouter, Path

from patrizier.server import lessons
from patrizier.server.http.context import RulesReady
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import LessonAnswer, LessonBody, LessonList, LessonName

router = APIRouter(
    prefix="/api/lessons", tags=["lessons"], responses=PROBLEMS, dependencies=[RulesReady]
)

Name = Annotated[LessonName, Path(description="The lesson's name, as in the list.")]


@router.get("", summary="List the lessons")
async def list_lessons() -> LessonList:
    """List the lessons in the order in which they are taught."""
    return lessons.listed()


@router.get("/{name}", summary="Begin a lesson")
async def begin_lesson(name: Name) -> LessonAnswer:
    """Return the start of a lesson."""
    return lessons.play(name, LessonBody())


@router.post("/{name}/play", summary="Try a turn in a lesson")
async def play_lesson(name: Name, body: LessonBody) -> LessonAnswer:
    """Start a lesson, or try a turn in it. Stateless: the page sends what was played."""
    return lessons.play(name, body)
