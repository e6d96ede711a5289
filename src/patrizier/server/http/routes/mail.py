"""What the links in mails lead to: a page with a button, so that no preview presses it."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from patrizier.server.http.context import Here
from patrizier.server.http.plain_pages import question, sentence

router = APIRouter(prefix="/mail", include_in_schema=False)

Token = Annotated[str, Query(max_length=1000)]

_NO_GOOD = "This link is no good, or too old."


@router.get("/confirm", response_class=HTMLResponse)
async def ask_confirm(token: Token) -> HTMLResponse:
    """Ask whether to send mails to the address."""
    return question("Shall mails go to this address?", "/mail/confirm", token, "Yes, please")


@router.post("/confirm", response_class=HTMLResponse)
async def confirm(token: Token, here: Here) -> HTMLResponse:
    """Send mails to the address from now on."""
    if await here.addresses.confirm(token):
        return sentence("Thank you. You will hear when it is your turn.")
    return sentence(_NO_GOOD, 404)


@router.get("/stop", response_class=HTMLResponse)
async def ask_stop(token: Token) -> HTMLResponse:
    """Ask whether to stop the mails."""
    return question("Shall the mails stop?", "/mail/stop", token, "Yes, no more mails")


@router.post("/stop", response_class=HTMLResponse)
async def stop(token: Token, here: Here) -> HTMLResponse:
    """Stop the mails; mail programs press this button by themselves."""
    if await here.addresses.stop(token):
        return sentence("Done: no more mails.")
    return sentence(_NO_GOOD, 404)
