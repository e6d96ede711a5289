"""Password guessing: strangers are stopped before hashing, owners never are."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest
from argon2 import PasswordHasher

from patrizier.server.errors import Declined, TooMuch
from patrizier.server.http.collaborators import Collaborators
from patrizier.server.http.limits.guesses import Guesses
from patrizier.server.http.limits.rates import RATES, Limits
from patrizier.server.people.passwords import Passwords
from patrizier.server.reasons import Reason
from patrizier.server.settings import Settings
from server.support.serving import Serving, serving

ANNA = {"name": "anna-the-first", "password": "correct horse"}


@pytest.fixture
def guesses() -> Guesses:
    return Guesses(Limits(Settings(), now=lambda: 1000.0))


def guess(guesses: Guesses, address: str, login: str = "anna", *, right: bool = False) -> None:
    with guesses.by_stranger(address, login):
        if not right:
            raise Declined(403, Reason.WRONG_PASSWORD)


def wrong_from(guesses: Guesses, address: str, times: int) -> None:
    for _ in range(times):
        with pytest.raises(Declined):
            guess(guesses, address)


def test_one_network_has_so_many_wrong_guesses(guesses: Guesses) -> None:
    wrong_from(guesses, "192.0.2.1", int(RATES["guess"].burst))
    with pytest.raises(TooMuch) as caught:
        guess(guesses, "192.0.2.1", right=True)
    assert caught.value.reason == Reason.GUESSED_OFTEN
    guess(guesses, "192.0.2.2", right=True)  # the owner is elsewhere


def test_the_right_password_costs_nothing_but_its_hash(guesses: Guesses) -> None:
    for _ in range(int(RATES["password"].burst)):
        guess(guesses, "192.0.2.1", right=True)
    with pytest.raises(TooMuch):
        guess(guesses, "192.0.2.1", right=True)


def test_known_browsers_are_kept_out_by_their_own_guesses_only(guesses: Guesses) -> None:
    for number in range(int(RATES["all passwords"].burst)):  # many strangers, until all stop
        wrong_from(guesses, f"192.0.2.{number}", 1)
    with pytest.raises(TooMuch):
        guess(guesses, "198.51.100.1", right=True)
    with guesses.by_known("annas browser"):
        pass
    for _ in range(int(RATES["guess"].burst)):
        with pytest.raises(Declined), guesses.by_known("annas browser"):
            raise Declined(403, Reason.WRONG_OLD_PASSWORD)
    with pytest.raises(TooMuch), guesses.by_known("annas browser"):
        pass
    with guesses.by_known("annas telephone"):
        pass


def test_other_refusals_are_no_guesses(guesses: Guesses) -> None:
    for _ in range(50):
        with pytest.raises(Declined), guesses.by_known("anna"):
            raise Declined(422, Reason.COMMON_PASSWORD)


# -- the whole server


class CountingHasher(PasswordHasher):
    """Counts how many passwords were checked."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=64, parallelism=1)
        self.verified = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.verified += 1
        return super().verify(hash, password)


@pytest.fixture
def hashed() -> CountingHasher:
    return CountingHasher()


@pytest.fixture
def strict(tmp_path: Path, hashed: CountingHasher) -> Iterator[Serving]:
    """A server behind a proxy, with the default limits."""
    given = Collaborators(passwords=lambda: Passwords(hashed))
    with serving(tmp_path, given, trusted_proxies=("127.0.0.1",), rate_factor=1) as running:
        yield running


class Browser:
    """A browser in some network."""

    def __init__(self, server: Serving, address: str) -> None:
        headers = {"X-Forwarded-For": address}
        self.http = httpx.Client(base_url=server.url, headers=headers, timeout=60, trust_env=False)

    def post(self, path: str, body: dict[str, str]) -> int:
        token = self.http.get("/api/me").json()["token"]
        answer = self.http.post(path, json=body, headers={"X-Patrizier-Token": token})
        return answer.status_code


@pytest.fixture
def owner(strict: Serving) -> Iterator[Browser]:
    browser = Browser(strict, "198.51.100.1")
    with browser.http:
        assert browser.post("/api/account", ANNA) == 201
        yield browser


def guessing(server: Serving, address: str, times: int) -> list[int]:
    """Guess from one network, without keeping a cookie."""
    wrong = {**ANNA, "password": "a wrong guess"}
    headers = {"X-Forwarded-For": address}
    url = f"{server.url}/api/session"
    return [
        httpx.post(url, json=wrong, headers=headers, timeout=60, trust_env=False).status_code
        for _ in range(times)
    ]


def test_wrong_guesses_from_elsewhere_do_not_keep_the_owner_out(
    strict: Serving, owner: Browser
) -> None:
    assert guessing(strict, "203.0.113.1", 12) == [403] * 10 + [429] * 2
    telephone = Browser(strict, "198.51.100.2")  # where the owner has never been
    with telephone.http:
        assert telephone.post("/api/session", ANNA) == 200
    # Also from the network of the one who guesses: the browser is known.
    owner.http.headers["X-Forwarded-For"] = "203.0.113.1"
    assert owner.http.delete("/api/session", headers=token_of(owner)).status_code == 200
    assert owner.post("/api/session", ANNA) == 200


def test_which_names_are_taken_is_told_only_to_who_chooses_one(
    strict: Serving, owner: Browser
) -> None:
    """A taken name must be refused, but not many can be probed that way."""
    ben = Browser(strict, "203.0.113.1")
    with ben.http:
        for name in (ANNA["name"], "a-free-name"):
            assert ben.post("/api/account", {"name": name, "password": "short"}) == 422
        assert [ben.post("/api/account", ANNA) for _ in range(5)] == [409] * 3 + [429] * 2


def token_of(browser: Browser) -> dict[str, str]:
    return {"X-Patrizier-Token": browser.http.get("/api/me").json()["token"]}


def test_who_has_no_cookie_gets_little_hashed(
    strict: Serving, owner: Browser, hashed: CountingHasher
) -> None:
    guessing(strict, "203.0.113.1", 40)
    assert hashed.verified == 10
