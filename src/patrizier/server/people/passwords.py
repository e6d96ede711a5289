"""Passwords: hashed with argon2id, off the event loop, a few at a time."""

import asyncio
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Passwords:
    """Hashes and checks passwords; each takes 64 MiB for a moment, so two at most at once."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turn = asyncio.Semaphore(2)
        self._nobody = self._hasher.hash("nobody")  # so that an unknown name takes as long

    async def hash(self, password: str) -> str:
        """Return the hash to keep, salt and costs included."""
        async with self._turn:
            return await asyncio.to_thread(self._hasher.hash, _same(password))

    async def matches(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one whose hash was kept; without a hash: no, as slowly."""
        async with self._turn:
            right = await asyncio.to_thread(self._verify, kept or self._nobody, _same(password))
        return right and kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether a hash was made with lower costs than today's."""
        return self._hasher.check_needs_rehash(kept)

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False


def _same(password: str) -> str:
    """Return one form for what different keyboards send for the same letters."""
    return unicodedata.normalize("NFC", password)
