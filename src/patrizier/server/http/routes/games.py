"""Finished games of a person, and ratings."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query

from patrizier.server.http.context import Here, MaybeWho
from patrizier.server.http.listings import game_line, rating_line
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import GameList, RatingList

router = APIRouter(prefix="/api", tags=["games"], responses=PROBLEMS)

_PAGE = 50

Before = Annotated[
    float | None,
    Query(ge=0, le=1e12, allow_inf_nan=False, description="Only games finished before (unix s)."),
]
Players = Annotated[int, Path(ge=2, le=5)]


@router.get("/my/games")
async def my_games(here: Here, who: MaybeWho, before: Before = None) -> GameList:
    """List my finished games, the newest first."""
    me = who.person.id if who else None
    found = await here.store.results.results_of(me, _PAGE, before) if me else []
    return GameList(
        games=tuple(game_line(result, me) for result in found),
        before=found[-1].finished if len(found) == _PAGE else None,
    )


@router.get("/my/ratings")
async def my_ratings(here: Here, who: MaybeWho) -> RatingList:
    """List my ratings, one for each player count."""
    if who is None:
        return RatingList(ratings=())
    person = who.person
    found = await here.store.results.ratings_of(person.id)
    return RatingList(ratings=tuple(rating_line(each, person.name, person.id) for each in found))


@router.get("/ratings/{players}")
async def best(players: Players, here: Here, who: MaybeWho) -> RatingList:
    """List the highest ratings for a player count."""
    found = await here.store.results.best(players, _PAGE)
    people = await asyncio.gather(*(here.store.people.get(each.person) for each in found))
    me = who.person.id if who else None
    return RatingList(
        ratings=tuple(
            rating_line(each, person.name, me)
            for each, person in zip(found, people, strict=True)
            if person is not None
        )
    )
