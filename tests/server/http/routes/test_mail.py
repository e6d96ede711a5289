import re
import time
from collections.abc import Iterator

import httpx
import pytest
from pydantic import SecretStr

from patrizier.server.mail.links import MailLinks
from server.support.serving import Guest, Serving, serving


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with a mail server that does not exist."""
    with serving(
        tmp_path_factory.mktemp("mailing"),
        smtp_url=SecretStr("smtp://127.0.0.1:9"),
        mail_from="patrizier@post.example",
    ) as running:
        yield running


def press(server: Serving, path: str, token: str) -> tuple[int, str]:
    """Open a mail's link and press the button."""
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as http:
        page = http.get(path, params={"token": token})
        assert page.status_code == 200
        assert "<script" not in page.text
        match = re.search(r'<form method="post" action="([^"]+)">', page.text)
        assert match is not None
        answer = http.post(match[1].replace("&amp;", "&"), headers={"Origin": server.url})
        return answer.status_code, answer.text


def links(server: Serving) -> MailLinks:
    return MailLinks(server.settings.signing_secret, server.url, time.time)


def token_of(link: str) -> str:
    return link.partition("token=")[2]


def test_an_address_counts_when_it_is_confirmed_and_mails_can_be_stopped(
    mailing: Serving,
) -> None:
    anna = Guest(mailing, "Anna")
    me = anna.ask("PUT", "/api/me/mail", json={"email": "anna@post.example"})
    assert me["email"] is None
    again = anna.ask("PUT", "/api/me/mail", status=429, json={"email": "anna@post.example"})
    assert again["code"] == "too-much"
    person = anna.cookie.partition("=")[2].partition("~")[0]
    confirm = token_of(links(mailing).confirm(person, "anna@post.example"))
    status, text = press(mailing, "/mail/confirm", confirm)
    assert (status, "Thank you" in text) == (200, True)
    me = anna.ask("GET", "/api/me")
    assert (me["email"], me["mail_wanted"]) == ("anna@post.example", True)
    status, text = press(mailing, "/mail/stop", token_of(links(mailing).stop(person)))
    assert (status, "no more e-mails" in text) == (200, True)
    assert anna.ask("GET", "/api/me")["mail_wanted"] is False
    anna.close()


def test_nobody_is_told_whether_an_address_is_somebodys(mailing: Serving) -> None:
    anna = Guest(mailing, "Anna")
    anna.ask("PUT", "/api/me/mail", json={"email": "annas@post.example"})
    person = anna.cookie.partition("=")[2].partition("~")[0]
    press(mailing, "/mail/confirm", token_of(links(mailing).confirm(person, "annas@post.example")))
    anna.close()
    answers = []
    for address in ("annas@post.example", "Annas+2@post.example", "nobodys@post.example"):
        ben = Guest(mailing, "Ben")
        answer = ben.ask("PUT", "/api/me/mail", json={"email": address})
        assert answer.pop("token") == ben.me["token"]
        answers.append(answer)
        ben.close()
    assert answers[0] == answers[1] == answers[2]


def test_looking_at_a_link_does_nothing(mailing: Serving) -> None:
    anna = Guest(mailing, "Anna")
    person = anna.cookie.partition("=")[2].partition("~")[0]
    stop = token_of(links(mailing).stop(person))
    assert anna.http.get("/mail/stop", params={"token": stop}).status_code == 200
    assert anna.ask("GET", "/api/me")["mail_wanted"] is True
    # A mail program presses the button by itself, and brings a form.
    form = {"List-Unsubscribe": "One-Click"}
    answer = httpx.post(
        f"{mailing.url}/mail/stop", params={"token": stop}, data=form, timeout=60, trust_env=False
    )
    assert answer.status_code == 200
    assert anna.ask("GET", "/api/me")["mail_wanted"] is False
    anna.close()


@pytest.mark.parametrize("path", ["/mail/confirm", "/mail/stop"])
def test_forged_links_are_no_good(server: Serving, path: str) -> None:
    for token in ("forged", '"><script>alert(1)</script>', "x.y.z"):
        status, text = press(server, path, token)
        assert (status, "not valid" in text) == (404, True)
        assert "<script>" not in text


@pytest.mark.parametrize(
    ("header", "cookie", "language", "yes", "no_good"),
    [
        ("de-CH, de;q=0.9", "", "de", "Ja, bitte", "ungültig"),
        ("de", "nl", "nl", "Ja, graag", "ongeldig"),
        ("fr", "it", "it", "Sì, grazie", "non è valido"),
        ("", "", "en", "Yes, please", "not valid"),
    ],
)
def test_pages_of_links_come_in_the_readers_language(
    server: Serving, header: str, cookie: str, language: str, yes: str, no_good: str
) -> None:
    headers = {"Accept-Language": header, "Cookie": f"patrizier-language={cookie}"}
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False, headers=headers) as http:
        page = http.get("/mail/confirm", params={"token": "forged"})
        assert f'<html lang="{language}">' in page.text
        assert yes in page.text
        assert page.headers["Content-Language"] == language
        answer = http.post("/mail/confirm", params={"token": "forged"})
        assert (answer.status_code, no_good in answer.text) == (404, True)


def test_one_network_does_not_have_everybody_written_to(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with serving(
        tmp_path_factory.mktemp("strict"),
        smtp_url=SecretStr("smtp://127.0.0.1:9"),
        mail_from="patrizier@post.example",
        rate_factor=1,
    ) as strict:
        statuses = []
        for number in range(8):
            guest = Guest(strict)
            body = {"email": f"victim{number}@post.example"}
            statuses.append(guest.http.put("/api/me/mail", json=body).status_code)
            guest.close()
        assert statuses == [200] * 5 + [429] * 3
