"""What-if lines: positions, bots' turns and advice beyond a record. Stateless."""

import asyncio
import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request

from patrizier.bots.base import Candidate
from patrizier.move import Move
from patrizier.server.errors import Declined
from patrizier.server.http.answers.lines import game_of, position
from patrizier.server.http.answers.records import read_record
from patrizier.server.http.context import Here, RulesReady, Who
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import (
    Hint,
    KeptLines,
    KeptLinesBody,
    LineAdvice,
    LineAdviceBody,
    LineAnswer,
    LineBody,
    LineReply,
    LineReplyBody,
)
from patrizier.server.reasons import Reason
from patrizier.server.table.commands import Refused
from patrizier.server.workers.account import Account
from patrizier.server.workers.pool import Busy

router = APIRouter(
    prefix="/api/lines", tags=["lines"], responses=PROBLEMS, dependencies=[RulesReady]
)


Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$", description="As in the link.")]


@router.post("", summary="Get the end of a line")
async def follow_line(body: LineBody, request: Request, here: Here) -> LineAnswer:
    """Return the position at the end of a line."""
    here.limits.check("line", address_of(request))
    record = await read_record(body.record)
    return await asyncio.to_thread(position, record, body)


@router.post("/reply", summary="Let a bot continue a line")
async def reply_to_line(body: LineReplyBody, request: Request, here: Here, who: Who) -> LineReply:
    """Let a bot play the next turn of a line."""
    here.limits.check("line", address_of(request))
    here.limits.check("line-bot", who.person.id)
    here.service.bots.check(body.level)
    game = await asyncio.to_thread(game_of, await read_record(body.record), body)
    turn = game.turn
    if game.is_over:
        raise Refused(Reason.RULE_OVER, why="the game is over")
    account = Account(address_of(request), who.person.id)
    while game.turn == turn:  # a messenger is chosen separately, with the new card in view
        try:
            move = await here.service.bots.reply(game.view(game.seat), body.level, account)
        except Busy:
            raise Refused(Reason.BOTS_BUSY) from None
        game.play_until(move, "messenger")
    return LineReply(move=game.records[-1].move.text)


@router.post("/advice", summary="Get advice at the end of a line")
async def advise_on_line(
    body: LineAdviceBody, request: Request, here: Here, who: Who
) -> LineAdvice:
    """Ask the best bot for advice at the end of a line."""
    here.limits.check("line", address_of(request))
    here.limits.check("line-bot", who.person.id)
    game = await asyncio.to_thread(game_of, await read_record(body.record), body)
    if game.is_over:
        return LineAdvice(candidates=(), about=None)
    view, account = game.view(game.seat), Account(address_of(request), who.person.id)
    about = next((move for move in view.legal if move.text == body.about), None)
    try:
        found = await here.service.bots.advise(view, account, about)
    except Busy:
        raise Refused(Reason.BOTS_BUSY) from None
    if not found:
        raise Refused(Reason.NO_ADVICE)
    asked = next((each for each in found if about and _is_like(each.move, about)), None)
    return LineAdvice(
        candidates=tuple(_hint(each) for each in found), about=_hint(asked) if asked else None
    )


@router.post("/kept", status_code=201, summary="Store lines")
async def keep_lines(body: KeptLinesBody, request: Request, here: Here, who: Who) -> KeptLines:
    """Store lines that are too long for a URL."""
    here.limits.check("keep-lines", who.person.id)
    here.limits.check("keep-lines-network", address_of(request))
    name = secrets.token_urlsafe(12)
    await here.store.lines.keep(name, body.study, who.person.id, here.now())
    return KeptLines(id=name, study=body.study)


@router.get("/kept/{name}", summary="Get stored lines")
async def get_lines(name: Name, request: Request, here: Here) -> KeptLines:
    """Return stored lines."""
    here.limits.check("line", address_of(request))
    study = await here.store.lines.get(name)
    if study is None:
        raise Declined(404, Reason.NO_LINES)
    return KeptLines(id=name, study=study)


def _is_like(move: Move, about: Move) -> bool:
    return about.text in (move.text, move.text.partition("@")[0])


def _hint(found: Candidate) -> Hint:
    return Hint(move=found.move.text, share=found.shares, points=found.points, exact=found.exact)
