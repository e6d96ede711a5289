"""How often passwords may be guessed: before anything is hashed, and without locking owners out.

Only wrong passwords count against an account. Strangers have limits by network, by account and in
all; a browser in which the account was signed in before, and a session, have their own, so that
nobody else's guesses keep them out.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from patrizier.server.errors import Declined
from patrizier.server.reasons import Reason

from .limits import Limits

_WRONG = "wrong-password"  # code of the refusals that count


class Guesses:
    """Counts wrong passwords."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def hashing(self, address: str) -> None:
        """Count a hash that a stranger asks for; raises TooMuch."""
        self._limits.check("password", address)
        self._limits.check("all passwords", "")

    @contextmanager
    def by_stranger(self, address: str, login: str) -> Iterator[None]:
        """Let a stranger try a password; raises TooMuch."""
        self.hashing(address)
        with self._counted(("guess", f"from {address}"), ("guess account", login)):
            yield

    @contextmanager
    def by_known(self, who: str) -> Iterator[None]:
        """Let somebody try a password in a known browser or a session; raises TooMuch."""
        with self._counted(("guess", f"by {who}")):
            yield

    @contextmanager
    def _counted(self, *doors: tuple[str, str]) -> Iterator[None]:
        for door, key in doors:
            self._limits.look(door, key, Reason.GUESSED_OFTEN)
        try:
            yield
        except Declined as error:
            if error.code == _WRONG:
                for door, key in doors:
                    self._limits.count(door, key)
            raise
