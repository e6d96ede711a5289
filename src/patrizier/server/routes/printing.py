"""Sheets to print, made when they are first asked for."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from patrizier.printing.fonts import FontsMissing
from patrizier.printing.paper import PaperName
from patrizier.printing.sheet import What, file_name, make
from patrizier.printing.texts import Language
from patrizier.server.answers import PROBLEMS, Declined
from patrizier.server.context import Here
from patrizier.server.limits import address_of

router = APIRouter(prefix="/api", tags=["printing"], responses=PROBLEMS)

_PRESS = ThreadPoolExecutor(1, "press")  # one sheet at a time, beside the event loop
_AN_HOUR = "public, max-age=3600"

Paper = Annotated[PaperName, Query(description="The size of the paper.")]
Words = Annotated[Language, Query(description="The language of the words.")]
Wanted = Annotated[What, Query(description="The messengers, the reference cards, or both.")]

_made = cache(make)  # there are only 24, and each is small


class Pdf(Response):
    """An answer that is a PDF."""

    media_type = "application/pdf"


@router.get(
    "/print",
    response_class=Pdf,
    responses={
        200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def print_sheet(
    request: Request,
    here: Here,
    paper: Paper = "a4",
    language: Words = "en",
    what: Wanted = "all",
) -> Pdf:
    """Make a sheet to print: messengers to cut out, reference cards for the players, or both."""
    here.limits.check("print", address_of(request))
    press = asyncio.get_running_loop().run_in_executor
    try:
        content = await press(_PRESS, _made, paper, language, what)
    except FontsMissing:
        text = "This server runs without its page, and without fonts there is no print."
        raise Declined(404, "unknown", text) from None
    name = file_name(paper, language, what)
    headers = {
        "Cache-Control": _AN_HOUR,
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Pdf(content, headers=headers)
