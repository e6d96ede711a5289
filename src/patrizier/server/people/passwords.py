"""Passwords: argon2id off the event loop, a few at a time; common ones are refused."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from zxcvbn import zxcvbn

from patrizier.server.errors import TooMuch
from patrizier.server.reasons import Reason

AT_ONCE = 2  # each takes 64 MiB
MOST_WAITING = 8  # more are refused at once
KEPT_FREE = 4  # of these, reserved for known browsers
_FEWEST_GUESSES = 10**6
_LOOKED_AT = 64  # characters checked: more are slow to check
_OURS = ("patrizier", "patrician", "firenze", "venezia")  # easy to guess here

T = TypeVar("T")


class Passwords:
    """Hashes and checks passwords; refuses when too many wait."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._inside = 0  # waiting, or being hashed
        self._nobody = self._hasher.hash("nobody")  # so that unknown logins take as long

    async def hash(self, password: str, *, known: bool = False) -> str:
        """Return the hash to store, including salt and costs. Raises TooMuch."""
        return await self._run(lambda: self._hasher.hash(_same(password)), known)

    async def matches(self, kept: str | None, password: str, *, known: bool = False) -> bool:
        """Whether a password matches a stored hash; without one False, after the same time.

        Raises TooMuch; known browsers have reserved places.
        """
        right = await self._run(lambda: self._verify(kept or self._nobody, _same(password)), known)
        return right and kept is not None

    async def is_common(self, password: str, names: Iterable[str] = ()) -> bool:
        """Whether a password is easy to guess. Raises TooMuch."""
        return await self._run(lambda: is_common(password, names), known=False)

    def outdated(self, kept: str) -> bool:
        """Whether a hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(kept)

    async def _run(self, work: Callable[[], T], known: bool) -> T:
        async with self._place(known):
            return await asyncio.to_thread(work)

    @asynccontextmanager
    async def _place(self, known: bool) -> AsyncIterator[None]:
        room = MOST_WAITING if known else MOST_WAITING - KEPT_FREE
        if self._inside >= AT_ONCE + room:
            raise TooMuch(Reason.PASSWORDS_BUSY, 3.0)
        self._inside += 1
        try:
            async with self._turn:
                yield
        finally:
            self._inside -= 1

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False


def is_common(password: str, names: Iterable[str] = ()) -> bool:
    """Whether a password is easy to guess: leaked, a pattern, or the person's name.

    >>> is_common("password1"), is_common("anna1990", ["anna"]), is_common("correct horse")
    (True, True, False)
    """
    known = [*_OURS, *(name.casefold()[:_LOOKED_AT] for name in names if name)]
    judged = zxcvbn(_same(password)[:_LOOKED_AT], user_inputs=known)
    return int(judged["guesses"]) < _FEWEST_GUESSES


def _same(password: str) -> str:
    """Return a password in Unicode normal form, because keyboards differ."""
    return unicodedata.normalize("NFC", password)
