"""Browsers that have signed in to an account before: other people's guesses do not lock them out.

A signed cookie lists these accounts. It grants no access, and survives signing out.
"""

import hashlib
import hmac
import re
import secrets

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from .identity import MAX_AGE, Signatures

MOST = 5  # accounts of one browser
_CONTENT = re.compile(rf"[0-9a-f]{{16}}(~[0-9a-f]{{16}}){{1,{MOST}}}")


class KnownDevices:
    """Signs and reads these cookies."""

    def __init__(self, secret: str, signatures: Signatures) -> None:
        self._signer = Signer(secret, salt="patrizier device", digest_method=hashlib.sha256)
        self._key = hmac.digest(secret.encode(), b"patrizier device", "sha256")
        self._signatures = signatures

    def find(self, connection: HTTPConnection, login: str) -> str | None:
        """Return the browser's id if it knows this account (by folded login), else None."""
        device, marks = self._read(connection)
        return device if self._mark(login) in marks else None

    def remember(self, response: Response, connection: HTTPConnection, login: str) -> None:
        """Add an account to the browser's cookie."""
        device, marks = self._read(connection)
        mark = self._mark(login)
        marks = [mark, *(each for each in marks if each != mark)][:MOST]
        content = "~".join((device or secrets.token_hex(8), *marks))
        secure = self._signatures.is_https(connection)
        response.set_cookie(
            _name(secure),
            self._signer.sign(content).decode(),
            max_age=MAX_AGE,
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def forget(self, response: Response, connection: HTTPConnection) -> None:
        """Delete the browser's cookie."""
        secure = self._signatures.is_https(connection)
        response.delete_cookie(
            _name(secure), path="/", secure=secure, httponly=True, samesite="lax"
        )

    def _read(self, connection: HTTPConnection) -> tuple[str | None, list[str]]:
        value = connection.cookies.get(_name(self._signatures.is_https(connection)), "")
        try:
            content = self._signer.unsign(value[:400]).decode()
        except (BadSignature, UnicodeDecodeError):
            return None, []
        if not _CONTENT.fullmatch(content):
            return None, []
        device, *marks = content.split("~")
        return device, marks

    def _mark(self, login: str) -> str:
        """Return a keyed hash of an account's login."""
        return hmac.new(self._key, login.encode(), hashlib.sha256).hexdigest()[:16]


def _name(secure: bool) -> str:
    return "__Host-patrizier-device" if secure else "patrizier-device"
