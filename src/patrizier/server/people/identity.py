"""Identity: a signed cookie, issued on the first visit."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection
from starlette.responses import Response

TOKEN_HEADER = "x-patrizier-token"
MAX_AGE = 400 * 24 * 3600  # seconds; browsers' maximum
RENEW_AFTER = 24 * 3600  # seconds; also the tolerated clock skew

# Older cookies have a number in place of a session.
_CONTENT = re.compile(r"([\w-]{16,64})~(?:\d{1,9}|([\w-]{16,64}))?~([\w-]{16,64})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Identity:
    """The content of the cookie: who this is, and the guest to return to after signing out."""

    person: str
    session: str | None = None  # token of an account's session; guests have none
    guest: str | None = None  # the guest before signing in
    age: float | None = None  # seconds since the cookie was issued; None: not yet

    @property
    def key(self) -> str:
        """A key for all connections with this identity; not secret."""
        return session_id(self.session) if self.session else self.person

    @property
    def is_new(self) -> bool:
        """Whether the visitor came without a cookie."""
        return self.age is None

    @property
    def is_stale(self) -> bool:
        """Whether to renew the cookie: it is old, or from the future."""
        return self.age is None or abs(self.age) > RENEW_AFTER


def new_person_id() -> str:
    """Return a random id."""
    return secrets.token_urlsafe(16)


def session_id(token: str) -> str:
    """Return a session's id: a hash of its token."""
    return hashlib.sha256(f"patrizier session {token}".encode()).hexdigest()[:32]


class Signatures:
    """Signs and reads cookies, and their CSRF tokens."""

    def __init__(self, secret: str, *, https: bool = False, now: Callable[[], float]) -> None:
        self._signer = _Signer(secret, now)
        self._token_key = hmac.digest(secret.encode(), b"patrizier token", "sha256")
        self._now = now
        self._https = https

    def identity(self, connection: HTTPConnection) -> Identity | None:
        """Return the identity in the cookie; None without a valid one."""
        found = connection.scope.get("patrizier.identity", ...)
        if found is ...:
            found = self._read(connection)
            connection.scope["patrizier.identity"] = found
        assert found is None or isinstance(found, Identity)
        return found

    def remember(self, response: Response, connection: HTTPConnection, identity: Identity) -> None:
        """Set the cookie."""
        secure = self.is_https(connection)
        response.set_cookie(
            cookie_name(secure),
            self.sign(identity),
            max_age=MAX_AGE,
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )
        connection.scope["patrizier.identity"] = replace(identity, age=0.0)

    def sign(self, identity: Identity) -> str:
        """Return the value of the cookie."""
        content = f"{identity.person}~{identity.session or ''}~{identity.guest or ''}"
        return self._signer.sign(content).decode()

    def token(self, identity: Identity) -> str:
        """Return the CSRF token, which the page sends with every change."""
        content = f"{identity.person}~{identity.session or ''}".encode()
        return hmac.new(self._token_key, content, hashlib.sha256).hexdigest()[:32]

    def has_token(self, connection: HTTPConnection, identity: Identity) -> bool:
        """Whether a request has the CSRF token of its cookie."""
        given = connection.headers.get(TOKEN_HEADER, "")
        return hmac.compare_digest(given.encode(), self.token(identity).encode())

    def is_https(self, connection: HTTPConnection) -> bool:
        """Whether the visitor uses https."""
        return self._https or connection.url.scheme in ("https", "wss")

    def _read(self, connection: HTTPConnection) -> Identity | None:
        value = connection.cookies.get(cookie_name(self.is_https(connection)))
        if not value or len(value) > 400:
            return None
        try:
            # A valid signature counts whatever its date: else a wrong clock would sign everybody
            # out for good.
            content, made = self._signer.unsign(value, return_timestamp=True)
        except BadSignature:
            return None
        match = _CONTENT.fullmatch(content.decode())
        if match is None:
            return None
        return Identity(match[1], match[2], match[3], self._now() - made.timestamp())


def cookie_name(secure: bool) -> str:
    """Return the cookie's name; the `__Host-` prefix restricts it to https and this host."""
    return "__Host-patrizier" if secure else "patrizier"


class _Signer(TimestampSigner):
    """Signs with SHA-256 and an injected clock."""

    def __init__(self, secret: str, now: Callable[[], float]) -> None:
        super().__init__(secret, salt="patrizier identity", digest_method=hashlib.sha256)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now())
