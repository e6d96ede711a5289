"""Sending by SMTP: URLs, encryption, passwords and failures."""

import asyncio

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from patrizier.server.mail.message import address
from patrizier.server.mail.smtp import MailServer, PermanentFailure, TemporaryFailure
from patrizier.server.mail.texts import Letter
from server.support.mailing import (
    PostOffice,
    opened,
)


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
