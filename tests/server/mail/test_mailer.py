"""Mails for slow games, through a real mail server and a real database."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from pydantic_core import to_json
from sqlalchemy import insert, select, update

from patrizier.server.mail.links import CONFIRM_WITHIN, MailLinks
from patrizier.server.mail.mailer import (
    ASK_MAILBOX_EVERY,
    ASK_MAILBOX_MOST,
    ASK_PERSON_EVERY,
    GRACE,
    Addresses,
    Mailer,
)
from patrizier.server.mail.message import address
from patrizier.server.mail.smtp import MailServer, PermanentFailure, TemporaryFailure
from patrizier.server.mail.texts import Letter
from patrizier.server.store.mail import SqlMail
from patrizier.server.store.models import mail_queue, tables
from patrizier.server.store.rows import Person, SeatSummary, TableSummary
from patrizier.server.store.sql import SqlStore, open_store
from server.statements import statements

SECRET = "a secret of more than thirty-two characters"
URL = "https://patrizier.example"
BEN = Person("person-ben-0123456789a", "Ben", 0.0, 0.0)
ANNA = Person("person-anna-0123456789", "Anna", 0.0, 0.0, email="anna@example.org")


class PostOffice:
    """What a mail server got, and what it is told to answer."""

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


@pytest.fixture
def office() -> PostOffice:
    return PostOffice()


@asynccontextmanager
async def opened(office: PostOffice, **options: Any) -> AsyncIterator[int]:
    """Open a mail server; gives its port."""
    loop = asyncio.get_running_loop()

    def protocol() -> SMTP:
        return SMTP(office, hostname="test.example", loop=loop, **options)

    server = await loop.create_server(protocol, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


class Desk:
    """A mailer with its database, links and clock."""

    def __init__(self, store: SqlStore, smtp: MailServer) -> None:
        self.time = 1_000_000.0
        self.store = store
        self.links = MailLinks(SECRET, URL, self.now)
        self.addresses = Addresses(store.people, self.links)
        self.queue = SqlMail(store.database)
        self.mailer = self.another(smtp.send)

    def now(self) -> float:
        return self.time

    def another(self, send: Callable[[EmailMessage], Awaitable[None]]) -> Mailer:
        sender = "Patrizier <turns@patrizier.example>"
        return Mailer(self.store, self.links, send, sender, self.now)

    async def table(self, turn: int, person: Person = ANNA, pace: str = "correspondence:3") -> None:
        """Let it be a person's turn at the one table there is."""
        seat = SeatSummary(0, person.id, person.name, None, to_move=True)
        table = TableSummary(
            "table-0123456789", "playing", False, 2, "", pace, False, person.id, turn, None, False,
            (seat,), self.time, self.time,
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


Check = Callable[[Desk], Awaitable[None]]
WithDesk = Callable[[Check], None]


@pytest.fixture
def with_desk(tmp_path: Path, office: PostOffice) -> WithDesk:
    async def main(check: Check) -> None:
        store = await open_store(f"sqlite:///{tmp_path / 'test.db'}")
        try:
            async with opened(office) as port:
                await check(Desk(store, MailServer.from_url(f"smtp://127.0.0.1:{port}")))
        finally:
            await store.close()

    return lambda check: asyncio.run(main(check))


def token(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]


def links_in(mail: EmailMessage) -> list[str]:
    return re.findall(r"https://\S+", mail.get_content())


# -- "your turn"


def test_one_mail_a_turn_with_a_link_that_stops_them(
    with_desk: WithDesk, office: PostOffice
) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        assert await desk.mailer.round() == 1
        assert await desk.mailer.round() == 0
        assert await desk.another(desk.mailer._send).round() == 0  # another process
        (mail,) = office.mails
        assert office.to == ["anna@example.org"]
        assert "Anna" in mail.get_content()
        table, stop = links_in(mail)
        assert table == f"{URL}/t/table-0123456789"
        assert mail["List-Unsubscribe"] == f"<{stop}>"
        assert f"\r\nList-Unsubscribe: <{stop}>\r\n".encode() in office.raw[0]  # in one piece
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert mail["From"] == "Patrizier <turns@patrizier.example>"

        await desk.table(turn=5)
        assert await desk.mailer.round() == 1
        desk.time += 10 * 365 * 24 * 3600  # the link works however old it is
        assert await desk.addresses.stop(token(stop))
        await desk.table(turn=7)
        assert await desk.mailer.round() == 0
        assert len(office.mails) == 2
        person = await desk.store.people.get(ANNA.id)
        assert person == replace(ANNA, mail=False)

    with_desk(check)


def test_who_plays_on_at_once_gets_no_mail(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        desk.time -= 2
        assert await desk.mailer.round() == 0
        desk.time += 2
        assert await desk.mailer.round() == 1

    with_desk(check)


@pytest.mark.parametrize(
    "person",
    [
        replace(ANNA, email=None),
        replace(ANNA, mail=False),
        replace(ANNA, email="no address at all"),
    ],
)
def test_nobody_gets_a_mail_without_an_address_or_a_wish(
    with_desk: WithDesk, office: PostOffice, person: Person
) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(person)
        await desk.table(turn=3)
        assert await desk.mailer.round() == 0
        assert office.mails == []

    with_desk(check)


def test_quick_games_send_none(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        await desk.table(turn=3, pace="realtime:300+5")
        assert await desk.mailer.round() == 0

    with_desk(check)


# -- failures


def test_a_mail_that_fails_is_tried_again_later_and_later(
    with_desk: WithDesk, office: PostOffice
) -> None:
    async def check(desk: Desk) -> None:
        office.answer = "451 not now"
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        for wait in (60, 300, 1800, 7200, 28800):
            assert await desk.mailer.round() == 0
            desk.time += wait - 1
            office.answer = "250 OK"
            assert await desk.mailer.round() == 0  # too early
            office.answer = "451 not now"
            desk.time += 1
        office.answer = "250 OK"
        assert await desk.mailer.round() == 1
        assert len(office.mails) == 1

    with_desk(check)


def test_in_the_end_a_mail_is_given_up(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        office.answer = "451 not now"
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        for _ in range(6):
            assert await desk.mailer.round() == 0
            desk.time += 28800
        office.answer = "250 OK"
        assert await desk.mailer.round() == 0

    with_desk(check)


def test_what_the_mail_server_refuses_for_good_is_not_tried_again(
    with_desk: WithDesk, office: PostOffice
) -> None:
    async def check(desk: Desk) -> None:
        office.answer = "550 nobody here"
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        assert await desk.mailer.round() == 0
        office.answer = "250 OK"
        desk.time += 100_000
        assert await desk.mailer.round() == 0

    with_desk(check)


def test_a_mail_that_comes_too_late_to_be_true_is_dropped(
    with_desk: WithDesk, office: PostOffice
) -> None:
    async def check(desk: Desk) -> None:
        office.answer = "451 not now"
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        assert await desk.mailer.round() == 0
        office.answer = "250 OK"
        await desk.table(turn=4, person=replace(ANNA, id="somebody-else-012345"))
        desk.time += 60
        assert await desk.mailer.round() == 0
        assert office.mails == []

    with_desk(check)


def test_a_process_that_died_with_a_mail_in_hand_costs_only_time(
    with_desk: WithDesk, office: PostOffice
) -> None:
    async def check(desk: Desk) -> None:
        async def die(message: EmailMessage) -> None:
            raise KeyboardInterrupt

        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        with pytest.raises(KeyboardInterrupt):
            await desk.another(die).round()
        assert await desk.mailer.round() == 0
        desk.time += 301
        assert await desk.mailer.round() == 1
        assert await desk.mailer.round() == 0

    with_desk(check)


def test_a_round_that_fails_does_not_end_the_work(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        tries = []

        async def broken(message: EmailMessage) -> None:
            tries.append(message)
            desk.time += 301
            if len(tries) < 3:
                raise ZeroDivisionError
            working.set_result(None)

        working: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        task = asyncio.create_task(desk.another(broken).run(every=0.01))
        await asyncio.wait_for(working, 10)
        task.cancel()

    with_desk(check)


def test_who_gives_an_address_is_asked_at_once(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        task = asyncio.create_task(desk.mailer.run(every=1000))
        await asyncio.sleep(0.05)
        await desk.mailer.ask(ANNA.id, "new@example.org")
        for _ in range(500):
            if office.mails:
                break
            await asyncio.sleep(0.01)
        assert office.to == ["new@example.org"]
        task.cancel()

    with_desk(check)


def test_sent_mails_leave_no_address_behind(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        await desk.table(turn=3)
        assert await desk.mailer.round() == 1
        rows = await desk.store.database.read(lambda c: list(c.execute(select(mail_queue))))
        assert len(rows) == 1
        assert "anna@example.org" not in str(rows)
        await desk.queue.clean(desk.time + 1)
        assert not await desk.store.database.read(lambda c: list(c.execute(select(mail_queue))))

    with_desk(check)


# -- addresses


def test_an_address_is_used_only_after_a_click(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(replace(ANNA, email=None, mail=False))
        assert await desk.mailer.ask(ANNA.id, "new@example.org")
        assert not await desk.mailer.ask(ANNA.id, "other@example.org")  # not that often
        await desk.table(turn=3)
        assert await desk.mailer.round() == 1
        (question,) = office.mails
        assert office.to == ["new@example.org"]
        assert question["List-Unsubscribe"] is None
        (link,) = links_in(question)

        assert await desk.addresses.confirm(token(link))
        person = await desk.store.people.get(ANNA.id)
        assert person == replace(ANNA, email="new@example.org", mail=True)
        assert await desk.mailer.round() == 1
        assert office.to == ["new@example.org"] * 2

    with_desk(check)


def test_nobody_is_asked_too_often(with_desk: WithDesk, office: PostOffice) -> None:
    async def check(desk: Desk) -> None:
        for person in (ANNA, BEN):
            await desk.store.people.add(person)
        assert await desk.mailer.ask(ANNA.id, "new@example.org")
        assert await desk.mailer.round() == 1
        assert await desk.mailer.ask(BEN.id, "New@example.org")  # is not told, and not written to
        assert not await desk.mailer.ask(BEN.id, "ben@example.org")  # that was an attempt, too
        assert await desk.mailer.round() == 0
        desk.time += ASK_PERSON_EVERY
        assert await desk.mailer.ask(BEN.id, "ben@example.org")
        assert await desk.mailer.ask(ANNA.id, "newer@example.org")  # the first had a slip
        assert not await desk.mailer.ask(ANNA.id, "new@example.org")
        assert await desk.mailer.round() == 2
        desk.time += ASK_MAILBOX_EVERY
        assert await desk.mailer.ask(ANNA.id, "new@example.org")
        assert await desk.mailer.round() == 1
        assert office.to[:1] + office.to[-1:] == ["new@example.org"] * 2

    with_desk(check)


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [
        ("anna@post.example", "Anna+{}@Post.Example", "an.na@post.example"),
        ("anna@gmail.com", "a.n.n.a+{}@googlemail.com", "anne@gmail.com"),
    ],
)
def test_a_mailbox_is_not_flooded_by_its_other_addresses(
    with_desk: WithDesk, office: PostOffice, address: str, same: str, other: str
) -> None:
    async def check(desk: Desk) -> None:
        people = [Person(f"person-{number:016}", "", 0.0, 0.0) for number in range(40)]
        for person in people:
            await desk.store.people.add(person)
        desk.time -= desk.time % 86_400  # midnight
        assert await desk.mailer.ask(people[0].id, address)
        assert await desk.mailer.round() == 1
        for number, person in enumerate(people[1:10]):
            assert await desk.mailer.ask(person.id, same.format(number))
        assert await desk.mailer.round() == 0
        asked = 1
        for number, person in enumerate(people[10:30]):
            desk.time += ASK_MAILBOX_EVERY
            assert await desk.mailer.ask(person.id, same.format(number))
            asked += await desk.mailer.round()
        assert asked == ASK_MAILBOX_MOST
        assert await desk.mailer.ask(people[30].id, other)  # a box of its own
        assert await desk.mailer.round() == 1
        desk.time += 86_400
        assert await desk.mailer.ask(people[31].id, address)
        assert await desk.mailer.round() == 1

    with_desk(check)


def test_who_asks_too_often_uses_up_nobodys_mailbox(with_desk: WithDesk) -> None:
    async def check(desk: Desk) -> None:
        for person in (ANNA, BEN):
            await desk.store.people.add(person)
        assert await desk.mailer.ask(BEN.id, "ben@example.org")
        assert not await desk.mailer.ask(BEN.id, "anna@example.org")
        assert await desk.mailer.round() == 1
        assert await desk.mailer.ask(ANNA.id, "anna@example.org")
        assert await desk.mailer.round() == 1

    with_desk(check)


def test_a_question_is_not_lost_where_it_failed_or_its_process_died(
    with_desk: WithDesk, office: PostOffice
) -> None:
    """The mailbox counts as written to, and by this very mail."""

    async def check(desk: Desk) -> None:
        async def die(message: EmailMessage) -> None:
            raise KeyboardInterrupt

        await desk.store.people.add(ANNA)
        desk.time -= desk.time % 86_400  # midnight
        await desk.mailer.ask(ANNA.id, "new@example.org")
        with pytest.raises(KeyboardInterrupt):
            await desk.another(die).round()
        desk.time += 301
        office.answer = "451 not now"
        assert await desk.mailer.round() == 0
        office.answer = "250 OK"
        desk.time += 61
        assert await desk.mailer.round() == 1
        assert office.to == ["new@example.org"]

    with_desk(check)


def test_the_answer_does_not_depend_on_the_address(with_desk: WithDesk, office: PostOffice) -> None:
    """Whether an address is somebody's, or was written to, is told neither by words nor by work."""

    async def check(desk: Desk) -> None:
        people = [Person(f"person-{number:016}", "", 0.0, 0.0) for number in range(4)]
        for person in (ANNA, *people):
            await desk.store.people.add(person)
        await desk.mailer.ask(people[0].id, "asked@example.org")
        assert await desk.mailer.round() == 1
        told = []
        addresses = ("asked@example.org", ANNA.email or "", "nobody@example.org")
        for person, address_ in zip(people[1:], addresses, strict=True):
            with statements() as said:
                answer = await desk.mailer.ask(person.id, address_)
            told.append((answer, said))
        assert told[0] == told[1] == told[2]
        assert told[0][0]
        assert told[0][1]
        assert await desk.mailer.round() == 2  # not to who was written to just before

    with_desk(check)


def test_links_that_are_old_forged_or_of_another_kind_do_nothing(with_desk: WithDesk) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        confirm = token(desk.links.confirm(ANNA.id, "new@example.org"))
        stop = token(desk.links.stop(ANNA.id))
        other = MailLinks(SECRET + "!", URL, desk.now)
        forged = token(other.confirm(ANNA.id, "new@example.org"))
        for wrong in (stop, forged, confirm[:-2], "", "x" * 5000, "é.é.é"):
            assert not await desk.addresses.confirm(wrong)
        for wrong in (confirm, token(other.stop(ANNA.id)), stop[:-2], "", "x" * 5000, "é.é"):
            assert not await desk.addresses.stop(wrong)
        desk.time += CONFIRM_WITHIN + 1
        assert not await desk.addresses.confirm(confirm)
        desk.time -= 2 * CONFIRM_WITHIN + 2  # no clock is as wrong as that
        assert not await desk.addresses.confirm(confirm)
        assert await desk.store.people.get(ANNA.id) == ANNA
        assert not await desk.addresses.stop(token(desk.links.stop("nobody")))

    with_desk(check)


def test_a_link_from_a_server_that_is_ahead_is_good(with_desk: WithDesk) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        desk.time += 3600
        confirm = token(desk.links.confirm(ANNA.id, "new@example.org"))
        desk.time -= 3600
        assert await desk.addresses.confirm(confirm)

    with_desk(check)


def test_erased_people_get_nothing_and_change_nothing(
    with_desk: WithDesk, office: PostOffice
) -> None:
    async def check(desk: Desk) -> None:
        await desk.store.people.add(ANNA)
        link = desk.links.confirm(ANNA.id, "new@example.org")
        await desk.mailer.ask(ANNA.id, "new@example.org")
        await desk.store.people.erase(ANNA.id)
        assert await desk.mailer.round() == 0
        assert not await desk.addresses.confirm(token(link))
        assert not await desk.addresses.stop(token(desk.links.stop(ANNA.id)))

    with_desk(check)


# -- messages and mail servers


@pytest.mark.parametrize("to", ["a@b.org\nBcc: c@d.org", "a@b.org, c@d.org", "", "a b@c.org"])
def test_an_address_cannot_smuggle_anything_in(to: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        address(Letter("Hello", "Text", "en"), "turns@example.org", to, 0.0)


def test_a_name_may_hold_anything() -> None:
    letter = Letter("Hello", "Hello Zoë 🏰\n.\nBcc: x@y.org\n", "nl")
    message = address(letter, "turns@example.org", "a@b.org", 0.0)
    read = message_from_bytes(message.as_bytes(), policy=default)
    assert read["Bcc"] is None
    assert isinstance(read, EmailMessage)
    assert read.get_content().replace("\r\n", "\n") == letter.text


def test_a_sender_is_an_address() -> None:
    with pytest.raises(ValueError, match="sender"):
        address(Letter("Hello", "Text", "en"), "Patrizier", "a@b.org", 0.0)


@pytest.mark.parametrize(
    ("url", "port", "tls", "start_tls"),
    [
        ("smtp://mail.example", 587, False, None),
        ("smtp://u:p@mail.example:25", 25, False, True),
        ("smtp://u:p@localhost:25", 25, False, None),
        ("smtp://u:p@127.0.0.1:25", 25, False, None),
        ("smtps://u:p%40@mail.example", 465, True, False),
    ],
)
def test_a_password_is_never_sent_in_the_clear(
    url: str, port: int, tls: bool, start_tls: bool | None
) -> None:
    server = MailServer.from_url(url)
    assert (server.port, server.tls, server.start_tls) == (port, tls, start_tls)
    assert server.password in (None, "p", "p@")


@pytest.mark.parametrize("url", ["http://host", "smtp://", "mail.example", "smtp://host:x"])
def test_a_strange_address_of_a_mail_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        MailServer.from_url(url)


MESSAGE = address(Letter("Hello", "Text", "en"), "turns@example.org", "a@b.org", 0.0)


def test_a_mail_server_that_is_not_there_may_be_there_later() -> None:
    with pytest.raises(TemporaryFailure, match="Connect"):
        asyncio.run(MailServer.from_url("smtp://127.0.0.1:1").send(MESSAGE))


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_mail_server_with_a_password(office: PostOffice) -> None:
    def authenticate(*args: object) -> AuthResult:
        login = args[-1]
        assert isinstance(login, LoginPassword)
        good = (login.login, login.password) == (b"anna", b"p@ss")
        return AuthResult(success=good, handled=False)

    async def check() -> None:
        async with opened(
            office, authenticator=authenticate, auth_require_tls=False, auth_required=True
        ) as port:
            await MailServer.from_url(f"smtp://anna:p%40ss@127.0.0.1:{port}").send(MESSAGE)
            assert len(office.mails) == 1
            with pytest.raises(TemporaryFailure, match="password"):
                await MailServer.from_url(f"smtp://anna:x@127.0.0.1:{port}").send(MESSAGE)
            with pytest.raises((PermanentFailure, TemporaryFailure)):
                await MailServer.from_url(f"smtp://127.0.0.1:{port}").send(MESSAGE)

    asyncio.run(check())
