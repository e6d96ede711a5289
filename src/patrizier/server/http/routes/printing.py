"""Sheets to print, made on first request."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from patrizier.printing.fonts import FontsMissing
from patrizier.printing.paper import PaperName
from patrizier.printing.sheet import What, file_name
from patrizier.server.errors import Declined
from patrizier.server.http.context import Here
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.language import Language
from patrizier.server.reasons import Reason

router = APIRouter(prefix="/api", tags=["printing"], responses=PROBLEMS)

_PRESS = ThreadPoolExecutor(1, "press")  # one sheet at a time, off the event loop
_AN_HOUR = "public, max-age=3600"

Paper = Annotated[
    PaperName | None,
    Query(description="Paper size. Default: Letter for North America, else A4."),
]
Words = Annotated[Language, Query(description="Language of the texts.")]
Wanted = Annotated[What, Query(description="Messengers, reference cards, or both.")]


class Pdf(Response):
    """A PDF response."""

    media_type = "application/pdf"


@router.get(
    "/print",
    response_class=Pdf,
    responses={
        200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}
    },
    summary="Make a sheet to print",
)
async def print_sheet(
    request: Request,
    here: Here,
    paper: Paper = None,
    language: Words = "en",
    what: Wanted = "all",
) -> Pdf:
    """Make a sheet to print: messengers to cut out, reference cards for the players, or both."""
    here.limits.check("print", address_of(request))
    paper = paper or _usual_paper(request)
    press = asyncio.get_running_loop().run_in_executor
    try:
        content = await press(_PRESS, here.make_sheet, paper, language, what)
    except FontsMissing:
        raise Declined(404, Reason.NO_PRINT) from None
    name = file_name(paper, language, what)
    headers = {
        "Cache-Control": _AN_HOUR,
        "Content-Disposition": f'attachment; filename="{name}"',
        "Vary": "Accept-Language",
    }
    return Pdf(content, headers=headers)


def _usual_paper(request: Request) -> PaperName:
    """Return the usual paper of the reader's country, as far as the browser says."""
    first = request.headers.get("accept-language", "").split(",")[0].strip().upper()
    return "letter" if first.endswith(("-US", "-CA", "-MX")) else "a4"
