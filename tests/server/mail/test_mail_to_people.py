"""From entering an address to the mail in the box: the whole server, and a real mail server."""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from aiosmtpd.smtp import SMTP, Envelope
from pydantic import SecretStr

from patrizier.server.http.collaborators import Collaborators
from patrizier.server.mail.mailer import GRACE
from patrizier.server.store.rows import Pulse
from server.support.serving import Guest, Serving, next_turn, serving

_TIMEOUT = 20.0  # seconds


class Boxes:
    """A mail server in its own thread, and the mails it got."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def open(self) -> None:
        """Start."""
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        self.port = started.result(_TIMEOUT)

    def close(self) -> None:
        """Stop."""
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(asyncio.sleep(0.05))
        self._loop.close()

    def next(self, count: int) -> EmailMessage:
        """Wait for the nth mail."""
        until = time.monotonic() + _TIMEOUT
        while len(self.mails) < count:
            assert time.monotonic() < until, "the mail does not come"
            time.sleep(0.02)
        return self.mails[count - 1][1]

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append((envelope.rcpt_tos[0], mail))
        return "250 OK"

    async def _listen(self) -> int:
        loop = self._loop
        self._server = await loop.create_server(
            lambda: SMTP(self, hostname="test.example", loop=loop), "127.0.0.1", 0
        )
        port: int = self._server.sockets[0].getsockname()[1]
        return port


class Clock:
    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead

    def agree(self, _pulse: Pulse) -> float:
        return self()


@pytest.fixture
def boxes() -> Iterator[Boxes]:
    boxes = Boxes()
    boxes.open()
    yield boxes
    boxes.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def mailing(tmp_path: Path, boxes: Boxes, clock: Clock) -> Iterator[Serving]:
    settings: dict[str, Any] = {
        "smtp_url": SecretStr(f"smtp://127.0.0.1:{boxes.port}"),
        "mail_from": "Patrizier <turns@patrizier.example>",
    }
    with serving(tmp_path, Collaborators(time=clock), **settings) as running:
        yield running


def press(guest: Guest, link: str) -> None:
    """Open a mail's link and press the button."""
    page = guest.http.get(link)
    match = re.search(r'action="([^"]+)"', page.text)
    assert match is not None
    answer = httpx.post(
        guest.server.url + match[1].replace("&amp;", "&"), timeout=60, trust_env=False
    )
    assert answer.status_code == 200


def test_your_turn_comes_by_mail_until_it_is_stopped(
    mailing: Serving, boxes: Boxes, clock: Clock
) -> None:
    anna, ben = Guest(mailing, "Anna"), Guest(mailing, "Ben")
    anna.ask("PUT", "/api/me/mail", json={"email": "anna@post.example"})
    question = boxes.next(1)
    assert boxes.mails[0][0] == "anna@post.example"
    (link,) = re.findall(r"http://\S+", question.get_content())
    press(anna, link)
    assert anna.ask("GET", "/api/me")["email"] == "anna@post.example"

    table = anna.create(pace={"kind": "correspondence", "days": 3})["table"]
    ben.act(table, "join", contribution="2" * 64)
    rng = Random(1)

    def until_annas_turn() -> None:
        while anna.look(table)["you"]["to_move"] is None:
            ben.act(table, "play", **next_turn(ben.look(table), rng))

    def go_round(number: int) -> None:
        """Let time pass and wake the mailer, which a new address does."""
        clock.ahead += GRACE + 1
        other = Guest(mailing, "Cleo")
        other.ask("PUT", "/api/me/mail", json={"email": f"cleo{number}@post.example"})
        other.close()

    until_annas_turn()
    go_round(1)
    boxes.next(3)
    mail = next(mail for to, mail in boxes.mails[1:] if to == "anna@post.example")
    assert mail["Subject"] == "Patrizier: it is your turn"
    where, stop = re.findall(r"http://\S+", mail.get_content())
    assert where == f"{mailing.url}/t/{table}"
    go_round(2)
    boxes.next(4)
    to_anna = [to for to, _ in boxes.mails].count("anna@post.example")
    assert to_anna == 2  # the question, and one for this turn

    press(anna, stop)
    anna.act(table, "play", **next_turn(anna.look(table), rng))
    until_annas_turn()
    go_round(3)
    boxes.next(5)
    time.sleep(0.2)
    assert [to for to, _ in boxes.mails].count("anna@post.example") == 2
    anna.close()
    ben.close()


def test_mails_come_in_the_language_that_their_receiver_reads(
    mailing: Serving, boxes: Boxes
) -> None:
    for count, (header, cookie, subject) in enumerate(
        [
            ("de-AT, en;q=0.5", "", "Patrizier: Ist das deine Adresse?"),
            ("de", "it", "Patrizier: è il tuo indirizzo?"),
            ("", "", "Patrizier: is this your address?"),
        ],
        1,
    ):
        guest = Guest(mailing)
        guest.http.headers["Accept-Language"] = header
        guest.http.cookies.set("patrizier-language", cookie)
        guest.ask("PUT", "/api/me/mail", json={"email": f"guest{count}@post.example"})
        assert boxes.next(count)["Subject"] == subject
        guest.close()


def test_no_mails_are_sent_where_their_links_would_lead_nowhere(
    tmp_path: Path, boxes: Boxes
) -> None:
    settings: dict[str, Any] = {
        "smtp_url": SecretStr(f"smtp://127.0.0.1:{boxes.port}"),
        "mail_from": "Patrizier <turns@patrizier.example>",
        "host": "0.0.0.0",
    }
    with serving(tmp_path, **settings) as server:
        anna = Guest(server, "Anna")
        assert anna.ask("GET", "/api/config")["mail"] is False
        refused = anna.ask("PUT", "/api/me/mail", status=409, json={"email": "anna@post.example"})
        assert refused["code"] == "no-mail"
        anna.close()
