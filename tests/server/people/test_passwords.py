import asyncio
import threading
from typing import Literal

import pytest
from argon2 import PasswordHasher

from patrizier.server.errors import TooMuch
from patrizier.server.people.passwords import (
    AT_ONCE,
    KEPT_FREE,
    MOST_WAITING,
    Passwords,
    is_common,
)

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


def test_the_right_password_matches_and_no_other() -> None:
    async def check() -> None:
        passwords = Passwords(QUICK)
        kept = await passwords.hash("correct horse")
        assert "correct" not in kept
        assert kept.startswith("$argon2id$")
        assert kept != await passwords.hash("correct horse")  # salted
        assert await passwords.matches(kept, "correct horse")
        assert not await passwords.matches(kept, "Correct horse")
        assert not await passwords.matches(None, "nobody")
        assert not await passwords.matches("not a hash", "correct horse")

    asyncio.run(check())


def test_keyboards_may_differ() -> None:
    async def check() -> None:
        passwords = Passwords(QUICK)
        kept = await passwords.hash("cafe\u0301 noir")
        assert await passwords.matches(kept, "caf\u00e9 noir")

    asyncio.run(check())


def test_hashes_of_weaker_times_are_noticed() -> None:
    async def check() -> None:
        kept = await Passwords(QUICK).hash("correct horse")
        assert not Passwords(QUICK).outdated(kept)
        assert Passwords().outdated(kept)

    asyncio.run(check())


def test_by_default_a_guess_is_costly() -> None:
    assert PasswordHasher().memory_cost >= 64 * 1024


LONG = 30.0  # seconds: who waits as long would wait for ever


class Slow(PasswordHasher):
    """Hashes when the test lets it."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=64, parallelism=1)
        self.go_on = threading.Event()
        self.go_on.set()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.go_on.wait(2 * LONG)
        return super().verify(hash, password)


def test_nobody_waits_in_a_long_queue() -> None:
    async def check() -> None:
        slow = Slow()
        passwords = Passwords(slow)
        kept = await passwords.hash("correct horse")
        slow.go_on.clear()
        strangers = AT_ONCE + MOST_WAITING - KEPT_FREE
        waiting = [
            asyncio.create_task(passwords.matches(kept, "correct horse")) for _ in range(strangers)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooMuch):  # at once, though nothing goes on
            await asyncio.wait_for(passwords.matches(kept, "correct horse"), LONG)
        waiting += [
            asyncio.create_task(passwords.matches(kept, "correct horse", known=True))
            for _ in range(KEPT_FREE)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooMuch):
            await asyncio.wait_for(passwords.matches(kept, "correct horse", known=True), LONG)
        slow.go_on.set()
        assert all(await asyncio.gather(*waiting))
        assert await passwords.matches(kept, "correct horse")  # there is room again

    asyncio.run(check())


@pytest.mark.parametrize(
    "password",
    [
        "password", "password1", "Passw0rd!", "12345678", "qwertyuiop", "iloveyou", "sunshine",
        "football1", "aaaaaaaa", "abcd1234", "patrizier", "Patrizier1", "anna.m2024", "x" * 200,
        "password" * 25, "annalena",
    ],
)  # fmt: skip
def test_common_passwords_are_known(password: str) -> None:
    assert is_common(password, ("anna.m", "Annalena"))


@pytest.mark.parametrize(
    "password", ["correct horse", "kX9#mP2$", "vier Türme und ein Pferd", "塔を建てる人々の町"]
)
def test_good_passwords_are_none_of_them(password: str) -> None:
    assert not is_common(password, ("anna.m", "Annalena"))
