"""Hands a message to a mail server."""

from dataclasses import dataclass
from email.message import EmailMessage
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

import aiosmtplib

_PATIENCE = 20.0  # seconds


class NotNow(Exception):
    """The mail could not be sent; later it may be."""


class Never(Exception):
    """The mail server refuses this mail for good."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mails go: ``smtp://user:password@host:port``, or ``smtps://`` for TLS at once.

    >>> MailServer.from_url("smtps://host").port
    465
    """

    host: str
    port: int
    tls: bool  # from the first byte on
    user: str | None
    password: str | None

    @classmethod
    def from_url(cls, url: str) -> "MailServer":
        """Read a URL; ValueError if it is none for mails."""
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ValueError("a mail server is given as smtp://user:password@host:port")
        tls = parts.scheme == "smtps"
        user = unquote(parts.username) if parts.username else None
        password = unquote(parts.password) if parts.password else None
        return cls(parts.hostname, parts.port or (465 if tls else 587), tls, user, password)

    @property
    def start_tls(self) -> bool | None:
        """Whether to encrypt: a password never crosses a network in the clear."""
        if self.tls:
            return False
        return None if self.user is None or _is_loopback(self.host) else True

    async def send(self, message: EmailMessage) -> None:
        """Send a message; raises `NotNow` or `Never`, whose texts hold no address."""
        try:
            await aiosmtplib.send(
                message,
                hostname=self.host,
                port=self.port,
                username=self.user,
                password=self.password,
                use_tls=self.tls,
                start_tls=self.start_tls,
                timeout=_PATIENCE,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [refused.code for refused in error.recipients]
            raise _failure(max(codes, default=0)) from None
        except aiosmtplib.SMTPAuthenticationError:
            raise NotNow("the mail server does not accept the password") from None
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPSenderRefused) as error:
            raise _failure(error.code) from None
        except (aiosmtplib.SMTPException, OSError) as error:
            raise NotNow(type(error).__name__) from None


def _failure(code: int) -> Exception:
    return (Never if 500 <= code < 600 else NotNow)(f"the mail server answers {code}")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
