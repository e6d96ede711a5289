"""Sends messages by SMTP."""

from dataclasses import dataclass
from email.message import EmailMessage
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

import aiosmtplib

_TIMEOUT = 20.0  # seconds


class TemporaryFailure(Exception):
    """The mail could not be sent now; retry."""


class PermanentFailure(Exception):
    """The mail server rejects this mail; do not retry."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server: ``smtp://user:password@host:port``, or ``smtps://`` for implicit TLS.

    >>> MailServer.from_url("smtps://host").port
    465
    """

    host: str
    port: int
    tls: bool  # implicit
    user: str | None
    password: str | None

    @classmethod
    def from_url(cls, url: str) -> "MailServer":
        """Parse a URL; ValueError if it is not one of a mail server."""
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ValueError("a mail server is given as smtp://user:password@host:port")
        tls = parts.scheme == "smtps"
        user = unquote(parts.username) if parts.username else None
        password = unquote(parts.password) if parts.password else None
        return cls(parts.hostname, parts.port or (465 if tls else 587), tls, user, password)

    @property
    def start_tls(self) -> bool | None:
        """Whether to require STARTTLS: a password is never sent in the clear."""
        if self.tls:
            return False
        return None if self.user is None or _is_loopback(self.host) else True

    async def send(self, message: EmailMessage) -> None:
        """Send a message; raises `TemporaryFailure` or `PermanentFailure`, without addresses."""
        try:
            await aiosmtplib.send(
                message,
                hostname=self.host,
                port=self.port,
                username=self.user,
                password=self.password,
                use_tls=self.tls,
                start_tls=self.start_tls,
                timeout=_TIMEOUT,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [refused.code for refused in error.recipients]
            raise _failure(max(codes, default=0)) from None
        except aiosmtplib.SMTPAuthenticationError:
            raise TemporaryFailure("the mail server does not accept the password") from None
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPSenderRefused) as error:
            raise _failure(error.code) from None
        except (aiosmtplib.SMTPException, OSError) as error:
            raise TemporaryFailure(type(error).__name__) from None


def _failure(code: int) -> Exception:
    return (PermanentFailure if 500 <= code < 600 else TemporaryFailure)(
        f"the mail server answers {code}"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
