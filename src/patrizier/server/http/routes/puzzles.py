"""Puzzles: the list, chunks of positions, and my attempts."""

import asyncio
from typing import Annotated

import brotli
from fastapi import APIRouter, Path, Request, Response

from patrizier.server.http.context import Here, MaybeWho, RulesReady, Who
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import (
    PuzzleAttempts,
    PuzzleChunk,
    PuzzleList,
    PuzzleProgress,
)
from patrizier.server.puzzles import pack
from patrizier.server.puzzles.progress import nobody

router = APIRouter(prefix="/api", tags=["puzzles"], responses=PROBLEMS)

_FOR_EVER = "public, max-age=31536000, immutable"

Number = Annotated[int, Path(ge=0, le=1000, description="As in the list.")]


@router.get("/puzzles", response_model=PuzzleList, summary="List the puzzles")
async def list_puzzles(request: Request, here: Here) -> Response:
    """List all puzzles with their ratings."""
    here.limits.check("list", address_of(request))
    ratings = await here.store.puzzles.ratings()
    return _answer(request, await asyncio.to_thread(pack.listing, ratings))


@router.get(
    "/puzzles/chunks/{number}",
    response_model=PuzzleChunk,
    dependencies=[RulesReady],
    summary="Get a chunk of puzzles",
)
async def get_chunk(number: Number, request: Request, here: Here) -> Response:
    """Return some puzzles with everything needed to try them, solutions included.

    With the list's ``?version=``, browsers cache it forever.
    """
    here.limits.check("puzzles", address_of(request))
    response = _answer(request, await asyncio.to_thread(pack.chunk, number))
    if "version" in request.query_params:
        response.headers["Cache-Control"] = _FOR_EVER
    return response


def _answer(request: Request, content: bytes) -> Response:
    """Return data that is the same for everybody, so that compressing it leaks no secret."""
    headers = {"Vary": "Accept-Encoding"}
    if "br" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "br"
    else:
        content = brotli.decompress(content)
    return Response(content, media_type="application/json", headers=headers)


@router.get("/my/puzzles", summary="Get my puzzles")
async def get_my_puzzles(here: Here, who: MaybeWho) -> PuzzleProgress:
    """Return my rating, my streaks, and the puzzles I have done."""
    return await here.puzzles.of(who.person.id) if who else nobody()


@router.post("/my/puzzles", summary="Report my attempts at puzzles")
async def report_attempts(
    body: PuzzleAttempts, request: Request, here: Here, who: Who
) -> PuzzleProgress:
    """Report my attempts; the server checks them, and counts the first one at each puzzle."""
    here.limits.check("puzzle", who.person.id)
    here.limits.check("puzzles", address_of(request))
    await here.people.keep(who.person)
    return await here.puzzles.note(who.person.id, body.attempts)
