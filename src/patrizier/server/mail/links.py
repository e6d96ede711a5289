"""Signed links in e-mails, to confirm an address or to unsubscribe. Nothing is stored for them."""

import hashlib
from collections.abc import Callable

from itsdangerous import BadSignature, TimestampSigner, URLSafeSerializer, URLSafeTimedSerializer

from patrizier.server.links import table_link

CONFIRM_WITHIN = 2 * 24 * 3600  # seconds to confirm an address
_SKEW = 24 * 3600  # seconds by which another server's clock may be ahead
_LONGEST = 1000


class MailLinks:
    """Makes and reads links."""

    def __init__(self, secret: str, public_url: str, now: Callable[[], float]) -> None:
        class Signer(TimestampSigner):
            def get_timestamp(self) -> int:
                return int(now())

        sha256 = {"digest_method": hashlib.sha256}
        self._confirm = URLSafeTimedSerializer(
            secret, salt="patrizier mail confirm", signer=Signer, signer_kwargs=sha256
        )
        self._stop = URLSafeSerializer(secret, salt="patrizier mail stop", signer_kwargs=sha256)
        self._url = public_url.rstrip("/")
        self._now = now

    def table(self, table_id: str) -> str:
        """Return the URL of a table's page."""
        return table_link(self._url, table_id)

    def confirm(self, person: str, address: str) -> str:
        """Return the link that confirms a person's address."""
        return f"{self._url}/mail/confirm?token={self._confirm.dumps([person, address])}"

    def stop(self, person: str) -> str:
        """Return the link that stops all e-mails to a person; it never expires."""
        return f"{self._url}/mail/stop?token={self._stop.dumps(person)}"

    def read_confirm(self, token: str) -> tuple[str, str] | None:
        """Return person and address of a valid link; None if it is forged or expired."""
        try:
            if len(token) > _LONGEST:
                return None
            content, made = self._confirm.loads(token, return_timestamp=True)
            person, address = content
        except (BadSignature, ValueError, TypeError):
            return None
        if not -_SKEW <= self._now() - made.timestamp() <= CONFIRM_WITHIN:
            return None
        return str(person), str(address)

    def read_stop(self, token: str) -> str | None:
        """Return the person of a valid link; None if it is forged."""
        try:
            return str(self._stop.loads(token)) if len(token) <= _LONGEST else None
        except BadSignature:
            return None
