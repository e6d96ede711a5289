"""Limits on password guessing, checked before hashing, that do not lock owners out.

Only wrong passwords count against an account. Unknown browsers are limited by network, by account
and in total. A session, or a browser that has signed in to the account before, has a limit of its
own, so that other people's guesses do not affect it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from patrizier.server.errors import Declined
from patrizier.server.reasons import Reason

from .rates import Limits

_WRONG = "wrong-password"  # code of the refusals that count


class Guesses:
    """Counts wrong passwords."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def hashing(self, address: str) -> None:
        """Count a hash for an unknown browser; raises TooMuch."""
        self._limits.check("password", address)
        self._limits.check("all passwords", "")

    @contextmanager
    def by_stranger(self, address: str, login: str) -> Iterator[None]:
        """Try a password from an unknown browser; a wrong one counts. Raises TooMuch."""
        self.hashing(address)
        with self._counted(("guess", f"from {address}"), ("guess account", login)):
            yield

    @contextmanager
    def by_known(self, who: str) -> Iterator[None]:
        """Try a password from a known browser or a session; a wrong one counts. Raises TooMuch."""
        with self._counted(("guess", f"by {who}")):
            yield

    @contextmanager
    def _counted(self, *actions: tuple[str, str]) -> Iterator[None]:
        for action, key in actions:
            self._limits.look(action, key, Reason.GUESSED_OFTEN)
        try:
            yield
        except Declined as error:
            if error.code == _WRONG:
                for action, key in actions:
                    self._limits.count(action, key)
            raise
