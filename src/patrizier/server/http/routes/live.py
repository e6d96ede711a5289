"""The socket: `/api/live`."""

from fastapi import APIRouter, WebSocket

from patrizier.server.errors import TooMuch
from patrizier.server.http.context import parts_of, recognised
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import refusal, too_much
from patrizier.server.http.socket import Live
from patrizier.server.reasons import Reason

router = APIRouter()


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    """Follow tables and act at them."""
    here = parts_of(socket)
    who = await recognised(socket)
    if who is None:
        return await socket.send_denial_response(refusal(403, Reason.STRANGER))
    address = address_of(socket)
    try:
        here.limits.check("connect", address)
        with here.limits.connection(address, who.person.id):
            await socket.accept()
            line = Live(socket, here, who, address)
            with (
                here.metrics.connections.track_inprogress(),
                here.sockets.holding(who.identity.key, line),
            ):
                await line.run()
    except TooMuch as error:
        answer = too_much(error)
        await socket.send_denial_response(answer)
