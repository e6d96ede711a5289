"""Pictures of finished games, to share."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from patrizier.printing.fonts import FontsMissing
from patrizier.server.errors import Declined
from patrizier.server.http.context import Here, MaybeWho, RulesReady
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.pages.pictures import picture_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.language import Language
from patrizier.server.reasons import Reason
from patrizier.server.table.actor import role_of
from patrizier.server.table.commands import Refused

from .tables import Key, TablePath

router = APIRouter(prefix="/api", tags=["replays"], responses=PROBLEMS, dependencies=[RulesReady])

Lang = Annotated[Language, Query(alias="lang", description="Language of the texts.")]


class Png(Response):
    """A PNG response."""

    media_type = "image/png"


@router.get(
    "/tables/{table}/picture",
    response_class=Png,
    responses={200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
    summary="Get a picture of a finished game",
)
async def get_picture(
    table: TablePath,
    request: Request,
    here: Here,
    who: MaybeWho,
    key: Key = "",
    language: Lang = "en",
) -> Png:
    """Return a picture of a finished game: its skyline, who won, and everybody's points."""
    here.limits.check("picture", address_of(request))
    found = await here.service.tables.get_finished(table)
    if role_of(found, who.person.id if who else None, key) == "outsider":
        raise Refused(Reason.NOT_WATCHED)
    if found.finished is None:
        raise Refused(Reason.NOT_OVER)
    try:
        content = await picture_of(found, language)
    except FontsMissing:
        raise Declined(404, Reason.NO_PRINT) from None
    headers = {
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": f'inline; filename="patrizier-{table[:8]}.png"',
        "Cross-Origin-Resource-Policy": "cross-origin",  # other sites show it with the link
    }
    return Png(content, headers=headers)
