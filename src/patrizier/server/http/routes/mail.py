"""The targets of links in e-mails: pages with a button, since previews follow links."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from patrizier.server.http.context import Here, Reads
from patrizier.server.http.pages.plain_pages import question, sentence

router = APIRouter(prefix="/mail", include_in_schema=False)

Token = Annotated[str, Query(max_length=1000)]


@router.get("/confirm", response_class=HTMLResponse)
async def ask_confirm(token: Token, reads: Reads) -> HTMLResponse:
    """Ask whether to send e-mails to the address."""
    return question("confirm", "/mail/confirm", token, reads)


@router.post("/confirm", response_class=HTMLResponse)
async def confirm(token: Token, here: Here, reads: Reads) -> HTMLResponse:
    """Send e-mails to the address from now on."""
    if await here.addresses.confirm(token):
        return sentence("confirmed", reads)
    return sentence("no_good", reads, 404)


@router.get("/stop", response_class=HTMLResponse)
async def ask_stop(token: Token, reads: Reads) -> HTMLResponse:
    """Ask whether to stop the e-mails."""
    return question("stop", "/mail/stop", token, reads)


@router.post("/stop", response_class=HTMLResponse)
async def stop(token: Token, here: Here, reads: Reads) -> HTMLResponse:
    """Stop the e-mails; mail programs call this for one-click unsubscribing."""
    if await here.addresses.stop(token):
        return sentence("stopped", reads)
    return sentence("no_good", reads, 404)
