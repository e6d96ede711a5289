"""What mails say."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parseaddr


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail, before it is addressed."""

    subject: str
    text: str
    stop: str = ""  # link that stops mails of this kind


def your_turn(name: str, table: str, stop: str) -> Letter:
    """Tell somebody that it is their turn."""
    return Letter(
        "Patrizier: it is your turn",
        f"Hello {name},\n\n"
        "it is your turn at a table of Patrizier:\n\n"
        f"{table}\n\n"
        "--\n"
        "You get one mail a turn in slow games, because you asked for it.\n"
        f"No more of them: {stop}\n",
        stop,
    )


def confirm(name: str, link: str) -> Letter:
    """Ask whether an address is the right one."""
    return Letter(
        "Patrizier: is this your address?",
        f"Hello {name},\n\n"
        "somebody, hopefully you, wants to get a mail at this address when it is their turn in\n"
        "a game of Patrizier. If that is you, please open this link within two days:\n\n"
        f"{link}\n\n"
        "If not, do nothing: you will not hear of us again.\n",
    )


def address(letter: Letter, sender: str, to: str, now: float) -> EmailMessage:
    """Return a letter as a message ready to send; ValueError if an address cannot be one."""
    name, plain = parseaddr(sender)
    if "@" not in plain:
        raise ValueError("the sender of mails is not an e-mail address")
    if "@" not in to:
        raise ValueError("not an e-mail address")
    message = EmailMessage(policy=SMTP)
    message["Subject"] = letter.subject
    message["From"] = Address(name, addr_spec=plain)
    message["To"] = Address(addr_spec=to)
    message["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    message["Message-ID"] = make_msgid(domain=plain.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"  # holiday notices do not answer this
    if letter.stop:
        message["List-Unsubscribe"] = f"<{letter.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text, cte="quoted-printable")
    return message
