"""Makes a letter into a message that can be sent."""

from datetime import UTC, datetime
from email.headerregistry import Address, HeaderRegistry, UniqueUnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, make_msgid, parseaddr

from .texts import Letter

_LONGEST = 998  # characters of a line, by RFC 5322


class _Link(UniqueUnstructuredHeader):
    """A header that contains a URL and must not be folded.

    The library would fold a long URL into encoded words, which RFC 2369 does not allow there.
    """

    name: str

    def fold(self, *, policy: Policy) -> str:
        """Return the header as one line."""
        line = f"{self.name}: {self}"
        if len(line) > _LONGEST or not line.isascii():
            raise ValueError("a link in a header must be short ASCII")
        return line + policy.linesep


_registry = HeaderRegistry()
_registry.map_to_type("list-unsubscribe", _Link)  # type: ignore[arg-type] # mixins are expected here
_POLICY = SMTP.clone(header_factory=_registry)


def address(letter: Letter, sender: str, to: str, now: float) -> EmailMessage:
    """Return the message; ValueError if an address is invalid."""
    name, plain = parseaddr(sender)
    if "@" not in plain:
        raise ValueError("the sender of e-mails is not an e-mail address")
    if "@" not in to:
        raise ValueError("not an e-mail address")
    message = EmailMessage(policy=_POLICY)
    message["Subject"] = letter.subject
    message["From"] = Address(name, addr_spec=plain)
    message["To"] = Address(addr_spec=to)
    message["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    message["Message-ID"] = make_msgid(domain=plain.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"  # auto-responders do not reply to this
    if letter.stop:
        message["List-Unsubscribe"] = f"<{letter.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text, cte="quoted-printable")
    message["Content-Language"] = letter.language
    return message
