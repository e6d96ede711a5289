"""Browser security: allowed hosts and origins, CSRF tokens, content policy."""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from patrizier.server.people.identity import Signatures
from patrizier.server.reasons import Reason
from patrizier.server.settings import Settings

from .refusals import refusal

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers older than frame-ancestors
    "Referrer-Policy": "same-origin",  # a table's URL is its key
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
STRICT_TRANSPORT = "max-age=31536000"


class OriginPolicy:
    """Decides which hosts and origins are trusted."""

    def __init__(self, settings: Settings) -> None:
        own = {"localhost", settings.host.lower(), socket.gethostname().lower()}
        own |= {f"{socket.gethostname().lower()}.local"}
        own |= {host.lower() for host in settings.allowed_hosts}
        self._origins = {_origin(url) for url in settings.allowed_origins}
        if settings.public_url:
            own.add(urlsplit(settings.public_url).hostname or "")
            self._origins.add(_origin(settings.public_url))
        self._hosts = own

    def knows_host(self, host: str) -> bool:
        """Whether a Host header names this server.

        An unknown name that resolves to this server may be a DNS rebinding attack. A bare address
        cannot, so playing on a local network needs no configuration.
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or _is_address(name)

    def is_own_page(self, connection: HTTPConnection) -> bool:
        """Whether a browser's request comes from one of our pages, or not from a browser."""
        origin = connection.headers.get("origin")
        if origin is not None:
            return self._is_own_origin(connection, origin)
        # Browsers send the origin of every change; other clients do not.
        return connection.headers.get("sec-fetch-site") in (None, "same-origin", "none")

    def _is_own_origin(self, connection: HTTPConnection, origin: str) -> bool:
        scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
        here = f"{scheme}://{connection.headers.get('host', '')}"
        try:
            return _origin(origin) in {_origin(here), *self._origins}
        except ValueError:
            return False


def _origin(url: str) -> tuple[str, str, int]:
    """Return scheme, name and port; ValueError if it is not an origin (such as `null`)."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is not an origin")
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guarded:
    """Middleware that rejects unknown hosts and origins before the body is read."""

    def __init__(self, app: ASGIApp, policy: OriginPolicy, signatures: Signatures) -> None:
        self.app = app
        self._policy = policy
        self._signatures = signatures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or reject it."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        no = self._objection(HTTPConnection(scope))
        if no is None:
            return await self.app(scope, receive, send)
        return await refusal(*no)(scope, receive, send)

    def _objection(self, connection: HTTPConnection) -> tuple[int, Reason] | None:
        if not self._policy.knows_host(connection.headers.get("host", "")):
            return 421, Reason.FOREIGN_HOST
        is_socket = connection.scope["type"] == "websocket"
        if not is_socket and connection.scope["method"] in SAFE_METHODS:
            return None
        if not self._policy.is_own_page(connection):
            return 403, Reason.FOREIGN_PAGE
        identity = self._signatures.identity(connection)
        # Sockets are checked by origin; links in e-mails are signed.
        if is_socket or identity is None or connection.url.path.startswith("/mail/"):
            return None
        if self._signatures.has_token(connection, identity):
            return None
        return 403, Reason.OLD_TOKEN


class SafeHeaders:
    """Middleware that adds the security headers."""

    def __init__(self, app: ASGIApp, signatures: Signatures) -> None:
        self.app = app
        self._signatures = signatures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add headers to the response."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        https = self._signatures.is_https(HTTPConnection(scope))
        private = scope["path"].startswith("/api/")

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if https:
                    headers.setdefault("Strict-Transport-Security", STRICT_TRANSPORT)
                if private:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return await self.app(scope, receive, send_safely)
