"""A mailer with a real mail server and a real database."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from urllib.parse import parse_qs, urlsplit

from aiosmtpd.smtp import SMTP, Envelope
from pydantic_core import to_json
from sqlalchemy import insert, select, update

from patrizier.server.mail.links import MailLinks
from patrizier.server.mail.mailer import (
    GRACE,
    Addresses,
    Mailer,
)
from patrizier.server.mail.smtp import MailServer
from patrizier.server.store.models import tables
from patrizier.server.store.queries.mail import SqlMail
from patrizier.server.store.rows import Person, SeatSummary, TableSummary
from patrizier.server.store.sql import SqlStore

SECRET = "a secret of more than thirty-two characters"
URL = "https://patrizier.example"
BEN = Person("person-ben-0123456789a", "Ben", 0.0, 0.0)
ANNA = Person("person-anna-0123456789", "Anna", 0.0, 0.0, email="anna@example.org")


class PostOffice:
    """A mail server's handler: what it got, and what it answers."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []  # the same as it came
        self.to: list[str] = []
        self.answer = "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: object, session: object, envelope: Envelope, to: str, options: list[str]
    ) -> str:
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(to)
        return self.answer

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        self.raw.append(content)
        mail = message_from_bytes(content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.to += envelope.rcpt_tos
        return "250 OK"


@asynccontextmanager
async def opened(office: PostOffice, **options: Any) -> AsyncIterator[int]:
    """Run a mail server; yields its port."""
    loop = asyncio.get_running_loop()

    def protocol() -> SMTP:
        return SMTP(office, hostname="test.example", loop=loop, **options)

    server = await loop.create_server(protocol, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


class Mailing:
    """A mailer with its database, links and clock."""

    def __init__(self, store: SqlStore, smtp: MailServer) -> None:
        self.time = 1_000_000.0
        self.store = store
        self.links = MailLinks(SECRET, URL, self.now)
        self.addresses = Addresses(store.people, self.links)
        self.queue = SqlMail(store.database)
        self.send = smtp.send
        self.mailer = self.another(self.send)

    def now(self) -> float:
        return self.time

    def another(self, send: Callable[[EmailMessage], Awaitable[None]]) -> Mailer:
        sender = "Patrizier <turns@patrizier.example>"
        return Mailer(self.store, self.links, send, sender, self.now)

    async def table(self, turn: int, person: Person = ANNA, pace: str = "correspondence:3") -> None:
        """Make it a person's turn at the only table."""
        seat = SeatSummary(0, person.id, person.name, None, to_move=True)
        table = TableSummary(
            "table-0123456789", "playing", False, 2, "", pace, False, person.id, turn, None, False,
            (seat,), False, self.time, self.time,
        )  # fmt: skip
        body = to_json(asdict(table)).decode()
        new = {
            "id": table.id, "seq": 1, "phase": table.phase, "public": False, "pace": pace,
            "turn": turn, "to_move": person.id, "due": None, "bot_to_move": False,
            "settled": False, "members": person.id, "created": 0.0, "updated": self.time,
            "summary": body,
        }  # fmt: skip

        def work(connection: Any) -> None:
            known = connection.scalar(select(tables.c.id))
            connection.execute(update(tables).values(new) if known else insert(tables).values(new))

        await self.store.database.write(work)
        self.time += GRACE + 1


def token(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]


def links_in(mail: EmailMessage) -> list[str]:
    return re.findall(r"https://\S+", mail.get_content())
