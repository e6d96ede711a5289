"""Hints: the best bot's advice, for people who play against bots only."""

from patrizier.server.protocol.messages import Hint, HintAnswer, HintBody
from patrizier.server.reasons import Reason
from patrizier.server.table.actor import Actor
from patrizier.server.table.commands import Refused
from patrizier.server.table.handlers.turns import may_be_advised, on_turn
from patrizier.server.table.setup import PersonId
from patrizier.server.table.state import TableState
from patrizier.server.workers.account import Account
from patrizier.server.workers.pool import Busy
from patrizier.view import View

from .service import TableService


async def hint(
    service: TableService, table_id: str, person: PersonId, body: HintBody, address: str = ""
) -> HintAnswer:
    """Return the best bot's turns for a seat's view; raises Refused."""
    table = await service.tables.get(table_id)
    view = view_to_advise(table, Actor(person, service.now()), body)
    try:
        found = await service.bots.advise(view, Account(address, person))
    except Busy:
        raise Refused(Reason.BOTS_BUSY) from None
    if not found:
        raise Refused(Reason.NO_ADVICE)
    return HintAnswer(
        turn=table.turn,
        step=table.step,
        candidates=tuple(
            Hint(move=each.move.text, share=each.shares, points=each.points, exact=each.exact)
            for each in found
        ),
    )


def view_to_advise(table: TableState, asking: Actor, body: HintBody) -> View:
    """Return a seat's view, if its person may have hints; raises Refused."""
    playing = on_turn(table, asking, body.seat, body.at_turn)
    if not may_be_advised(table, body.seat):
        raise Refused(Reason.NO_HINTS)
    return playing.game.view(body.seat)
