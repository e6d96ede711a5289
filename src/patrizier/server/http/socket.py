"""One WebSocket of one person: subscriptions, commands, messages."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import from_json
from starlette.websockets import WebSocket, WebSocketDisconnect

from patrizier.server.errors import Refusal, TooMuch
from patrizier.server.logs import log
from patrizier.server.protocol.messages import (
    Act,
    ByeMessage,
    ClientMessage,
    Ping,
    PongMessage,
    RefusedMessage,
    Unwatch,
    Watch,
)
from patrizier.server.reasons import Reason
from patrizier.server.runtime.hub import Dropped, Subscription
from patrizier.server.table.commands import CommandId, Refused
from patrizier.server.table.setup import TableLink

from .context import Parts, Visitor
from .refusals import reason_of
from .submission import act

CHECK_EVERY = 60.0  # seconds between checks that the person is still signed in
MOST_REFUSED = 100  # messages over the limit in a row before the socket is closed

_TABLE: TypeAdapter[str] = TypeAdapter(TableLink)
_COMMAND: TypeAdapter[str] = TypeAdapter(CommandId)
_READ: TypeAdapter[Watch | Unwatch | Act | Ping] = TypeAdapter(ClientMessage)
_CLOSE = {"slow": 4008, "signed-out": 4001, "too-much": 4029, "restart": 1012}


@dataclass(slots=True)
class _Followed:
    task: asyncio.Task[None]
    subscription: Subscription | None = None  # None until it has begun


class Live:
    """An accepted socket."""

    def __init__(self, socket: WebSocket, here: Parts, who: Visitor, address: str) -> None:
        self._socket = socket
        self._here = here
        self._who = who
        self._address = address
        self._followed: dict[str, _Followed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._refused = 0  # messages over the limit in a row
        self._recheck = asyncio.Event()
        if who.identity.session is not None:
            self._recheck.set()  # the session may have ended before the socket was registered

    @property
    def person_id(self) -> str:
        """Whose socket it is."""
        return self._who.person.id

    def recheck(self) -> None:
        """Check soon whether the person is still signed in."""
        self._recheck.set()

    async def run(self) -> None:
        """Serve until the socket is closed."""
        self._start(self._tell_turns)
        self._start(self._stay_signed_in)
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._hear(message.get("text"))
        except WebSocketDisconnect:
            return
        except Exception:
            await self._fail()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def tell(self, message: BaseModel) -> None:
        """Send a message; no error if the socket is gone."""
        try:
            await self._socket.send_text(message.model_dump_json())
        except (WebSocketDisconnect, RuntimeError):
            return

    # -- from the client

    async def _hear(self, text: str | None) -> None:
        try:
            self._here.limits.check("address", self._address)
            self._here.limits.check("person", self.person_id)
            self._refused = 0
            message = self._read(text)
        except TooMuch as error:
            await self._refuse_too_much(error, text)
            return
        except Refused as error:
            await self._refuse(error, *_named_in(text))
            return
        match message:
            case Watch():
                await self._watch(message)
            case Unwatch(table=table):
                await self._unwatch(table)
            case Act():
                await self._act(message)
            case Ping(nonce=nonce):
                await self.tell(PongMessage(nonce=nonce, now=self._here.now()))

    def _read(self, text: str | None) -> Watch | Unwatch | Act | Ping:
        if text is None or len(text) > self._here.settings.max_message:
            raise Refused(Reason.UNREADABLE_MESSAGE)
        try:
            return _READ.validate_json(text)
        except ValidationError as error:
            reason, values = reason_of(error.errors(include_url=False))
            raise Refused(reason, **values) from None

    async def _watch(self, watch: Watch) -> None:
        await self._unwatch(watch.table)
        if len(self._followed) >= self._here.settings.subscriptions_per_connection:
            await self._refuse(Refused(Reason.MANY_TABLES), watch.table)
            return
        self._followed[watch.table] = _Followed(self._start(lambda: self._follow(watch)))

    async def _unwatch(self, table: str) -> None:
        followed = self._followed.pop(table, None)
        if followed is not None:
            followed.task.cancel()
            await asyncio.gather(followed.task, return_exceptions=True)

    async def _act(self, message: Act) -> None:
        followed = self._followed.get(message.table)
        via = followed.subscription if followed else None
        try:
            answer = await act(
                self._here,
                self._who,
                message.table,
                message.command,
                key=via.key if via else "",
                via=via,
                address=self._address,
            )
        except (Refused, TooMuch) as error:
            await self._refuse(error, message.table, message.command.id)
        else:
            await self.tell(answer)

    # -- to the client

    async def _follow(self, watch: Watch) -> None:
        """Send a table's messages."""
        service, presence = self._here.service, self._here.presence
        try:
            async with service.subscribe(
                watch.table,
                self.person_id,
                since=watch.since,
                key=watch.key,
                address=self._address,
            ) as subscription:
                self._followed[watch.table].subscription = subscription
                presence.come(watch.table, self)
                try:
                    async for message in subscription:
                        await self.tell(message)
                        # Kept until the next one, thousands would burden the garbage collector.
                        del message
                finally:
                    presence.go(watch.table, self)
        except Refused as error:
            self._followed.pop(watch.table, None)
            await self._refuse(error, watch.table)
        except Dropped:
            await self._bye("slow", "This connection was too slow. Please come back.")

    async def _tell_turns(self) -> None:
        """Send "your turn" for tables that this socket does not follow."""
        try:
            with self._here.service.turns_of(self.person_id) as turns:
                async for message in turns:
                    if message.table not in self._followed:
                        await self.tell(message)
                    del message
        except Dropped:
            await self._bye("slow", "This connection was too slow. Please come back.")

    async def _stay_signed_in(self) -> None:
        """Close the socket when its session has ended."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_EVERY):
                    await self._recheck.wait()
            self._recheck.clear()
            if await self._here.people.of(self._who.identity) is None:
                return await self._bye("signed-out", "You have signed out elsewhere.")

    async def _refuse(
        self, refusal: Refusal, table: str | None = None, command: str | None = None
    ) -> None:
        await self.tell(RefusedMessage.of(refusal, table, command))

    async def _refuse_too_much(self, error: TooMuch, text: str | None) -> None:
        self._refused += 1
        self._here.metrics.refused.labels("too-much").inc()
        if self._refused > self._here.most_refused:
            await self._bye("too-much", error.text)
            return
        await self._refuse(error, *_named_in(text))
        # Meanwhile nothing is read from the client.
        await asyncio.sleep(min(1.0, error.retry_after))

    async def _fail(self) -> None:
        """Close the socket after an internal error: the client reconnects and catches up."""
        log.exception("a socket failed")
        await self._bye("restart", "Something went wrong here. Please come back.")

    async def _bye(
        self, reason: Literal["slow", "signed-out", "too-much", "restart"], text: str
    ) -> None:
        await self.tell(ByeMessage(reason=reason, text=text))
        try:
            await self._socket.close(_CLOSE[reason])
        except (WebSocketDisconnect, RuntimeError):
            return

    def _start(self, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _watched(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()  # started here, so that a task cancelled at once has no dangling coroutine
        except Exception:
            await self._fail()


def _named_in(text: str | None) -> tuple[str | None, str | None]:
    """Return the table and the command id of a refused message, as far as readable.

    The client waits for an answer to that command.
    """
    try:
        message = from_json(text or "")
    except ValueError:
        return None, None
    if not isinstance(message, dict):
        return None, None
    command = message.get("command")
    return (
        _checked(_TABLE, message.get("table")),
        _checked(_COMMAND, command.get("id") if isinstance(command, dict) else None),
    )


def _checked(kind: TypeAdapter[str], value: object) -> str | None:
    try:
        return kind.validate_python(value, strict=True)
    except ValidationError:
        return None
