"""Sends "your turn" e-mails for correspondence games: one per turn, with an unsubscribe link."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.message import EmailMessage
from typing import Protocol

from patrizier.server.logs import log
from patrizier.server.names import mailbox_of
from patrizier.server.store.base import MailStore, PeopleStore
from patrizier.server.store.rows import MailJob, TableSummary, YourTurn

from . import texts as mail_text
from .links import MailLinks
from .message import address
from .smtp import PermanentFailure, TemporaryFailure

GRACE = 120.0  # seconds in which a person may notice the turn themselves
EVERY = 30.0  # seconds between rounds
ASK_PERSON_EVERY = 120.0  # seconds between confirmation e-mails to one person
ASK_MAILBOX_EVERY = 3600.0  # the same, to one mailbox, whoever enters it
ASK_MAILBOX_MOST = 3  # confirmation e-mails to one mailbox in a day
_DAY = 86_400.0
_LEASE = 300.0  # seconds for which a process has taken a mail
_BATCH = 50
_WAITS = (60.0, 300.0, 1800.0, 7200.0, 28800.0)  # seconds before each retry; then it is given up


class MailingStore(Protocol):
    """The parts of the store that mail needs."""

    @property
    def mail(self) -> MailStore:
        """The mail queue."""

    @property
    def people(self) -> PeopleStore:
        """Guests and accounts."""

    async def summary(self, table_id: str) -> TableSummary | None:
        """Return one table's summary."""


class Mailer:
    """Queues "your turn" e-mails, and sends the queue to a mail server."""

    def __init__(
        self,
        store: MailingStore,
        links: MailLinks,
        send: Callable[[EmailMessage], Awaitable[None]],
        sender: str,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._queue = store.mail
        self._links = links
        self._send = send
        self._sender = sender
        self._now = now
        self._something = asyncio.Event()

    async def run(self, every: float = EVERY) -> None:
        """Run until cancelled; a failed round is only logged."""
        while True:
            self._something.clear()
            try:
                await self.round()
            except Exception:
                log.exception("a round of e-mails failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._something.wait(), every)

    async def ask(self, person: str, address: str) -> bool:
        """Queue a confirmation mail; False if the person asked for one just before.

        Nothing here depends on the address: whether its mailbox may get another mail is checked
        when sending, so that neither the answer nor its timing reveals anything.
        """
        now = self._now()
        key = f"confirm {person} {int(now // ASK_PERSON_EVERY)}"
        is_new = await self._queue.put(MailJob(key, person, address), now)
        self._something.set()
        return is_new

    async def _may_ask(self, job: MailJob) -> bool:
        """Whether another confirmation may go to a mailbox, whichever of its addresses is used."""
        now, mailbox = self._now(), _digest(mailbox_of(job.address))

        async def claim(what: str) -> bool:
            return await self._queue.claim(f"asked {mailbox} {what}", _digest(job.key)[:32], now)

        if not await claim(str(int(now // ASK_MAILBOX_EVERY))):
            return False
        for number in range(ASK_MAILBOX_MOST):
            if await claim(f"day {int(now // _DAY)} {number}"):
                return True
        return False

    async def round(self) -> int:
        """Queue and send what is due; return how many e-mails were sent."""
        for turn in await self._queue.your_turns(_BATCH):
            await self._note(turn)
        jobs = await self._queue.take(self._now(), self._now() + _LEASE, _BATCH)
        return sum([await self._carry_out(job) for job in jobs])

    async def _note(self, turn: YourTurn) -> None:
        """Queue a "your turn" mail, unless the turn is so new that the person may be present."""
        summary = await self._store.summary(turn.table_id)
        if summary is not None and self._now() - summary.updated < GRACE:
            return
        key = f"turn {turn.table_id} {turn.turn} {turn.person}"
        job = MailJob(key, turn.person, turn.email, turn.table_id, turn.turn)
        await self._queue.put(job, self._now())

    async def _carry_out(self, job: MailJob) -> bool:
        message = await self._message(job)
        if message is None:
            await self._queue.finish(job.key)
            return False
        try:
            await self._send(message)
        except PermanentFailure as reason:
            log.warning(f"a mail was given up: {reason}")
        except TemporaryFailure as reason:
            if job.tries < len(_WAITS):
                await self._queue.delay(job.key, self._now() + _WAITS[job.tries])
                return False
            log.warning(f"a mail was given up: {reason}")
        else:
            await self._queue.finish(job.key)
            return True
        await self._queue.finish(job.key)
        return False

    async def _message(self, job: MailJob) -> EmailMessage | None:
        """Return the message to send; None if it is out of date or no longer wanted."""
        person = await self._store.people.get(job.person)
        if person is None or person.erased:
            return None
        if not job.table_id:
            if not job.tries and not await self._may_ask(job):
                return None
            letter = mail_text.confirm(person, self._links.confirm(person.id, job.address))
        elif person.mail and person.email == job.address and await self._is_still_true(job):
            link = self._links.table(job.table_id)
            letter = mail_text.your_turn(person, link, self._links.stop(person.id))
        else:
            return None
        try:
            return address(letter, self._sender, job.address, self._now())
        except ValueError:
            log.warning("a mail was given up: invalid address")
            return None

    async def _is_still_true(self, job: MailJob) -> bool:
        summary = await self._store.summary(job.table_id)
        return (
            summary is not None
            and summary.phase == "playing"
            and summary.turn == job.turn
            and any(seat.to_move and seat.person == job.person for seat in summary.seats)
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Addresses:
    """Carries out the links in e-mails."""

    def __init__(self, people: PeopleStore, links: MailLinks) -> None:
        self._people = people
        self._links = links

    async def confirm(self, token: str) -> bool:
        """Store a confirmed address and turn e-mails on; False if the link is invalid."""
        found = self._links.read_confirm(token)
        return found is not None and await self._set(found[0], email=found[1], mail=True)

    async def stop(self, token: str) -> bool:
        """Turn e-mails off; False if the link is invalid."""
        person = self._links.read_stop(token)
        return person is not None and await self._set(person, mail=False)

    async def _set(self, person_id: str, *, mail: bool, email: str | None = None) -> bool:
        person = await self._people.get(person_id)
        if person is None or person.erased:
            return False
        address = {"email": email} if email else {}
        await self._people.change(person_id, mail=mail, **address)
        return True
