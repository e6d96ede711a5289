"""Finished games of a person, their figures, and ratings."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from patrizier.server.http.answers.figures import MOST_GAMES, figures_of
from patrizier.server.http.answers.listings import game_line, ranked_line, rating_line
from patrizier.server.http.context import Here, MaybeWho
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import Figures, GameList, Leaderboard, RatingList

router = APIRouter(prefix="/api", tags=["games"], responses=PROBLEMS)

_PAGE = 50
_MOST_PAGES = 20

Before = Annotated[
    float | None,
    Query(ge=0, le=1e12, allow_inf_nan=False, description="Only games finished before (unix s)."),
]
Page = Annotated[int, Query(ge=1, le=_MOST_PAGES, description="50 people each.")]
Players = Annotated[int, Path(ge=2, le=5)]


@router.get("/my/games", summary="List my finished games")
async def list_my_games(here: Here, who: MaybeWho, before: Before = None) -> GameList:
    """List my finished games, the newest first."""
    me = who.person.id if who else None
    found = await here.store.results.results_of(me, _PAGE, before) if me else []
    return GameList(
        games=tuple(game_line(result, me) for result in found),
        before=found[-1].finished if len(found) == _PAGE else None,
    )


@router.get("/my/ratings", summary="Get my ratings")
async def get_my_ratings(here: Here, who: MaybeWho) -> RatingList:
    """List my ratings, one for each player count."""
    if who is None:
        return RatingList(ratings=())
    person = who.person
    found = await here.store.results.ratings_of(person.id)
    lines = (rating_line(each, person.name, person.avatar, person.id) for each in found)
    return RatingList(ratings=tuple(lines))


@router.get("/my/figures", summary="Get my games in figures")
async def get_my_figures(here: Here, who: MaybeWho) -> Figures:
    """Return my finished games in figures."""
    if who is None:
        return figures_of([], "")
    here.limits.check("figures", who.person.id)
    found = await here.store.results.results_of(who.person.id, MOST_GAMES + 1)
    friends = {each.id for each in await here.friends.of(who.person.id) if each.asked}
    return figures_of(found, who.person.id, friends)


@router.get("/ratings/{players}", summary="List the highest ratings")
async def list_leaders(
    players: Players, request: Request, here: Here, who: MaybeWho, page: Page = 1
) -> Leaderboard:
    """List the highest ratings for a player count, of everybody who wants to be listed."""
    here.limits.check("list", address_of(request))
    me = who.person.id if who else None
    found = await here.store.results.best(players, _PAGE + 1, (page - 1) * _PAGE)
    mine = await here.store.results.rank_of(me, players) if me else None
    return Leaderboard(
        ratings=tuple(ranked_line(each, me) for each in found[:_PAGE]),
        mine=ranked_line(mine, me) if mine else None,
        more=len(found) > _PAGE and page < _MOST_PAGES,
    )
