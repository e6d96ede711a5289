"""What mails say, each in the language of who gets it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parseaddr

from patrizier.printing.texts import Language
from patrizier.server.language import DEFAULT, known
from patrizier.server.names import guest_number
from patrizier.server.store.rows import Person
from patrizier.server.wording import words


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail, before it is addressed."""

    subject: str
    text: str
    language: Language
    stop: str = ""  # link that stops mails of this kind


def your_turn(person: Person, table: str, stop: str) -> Letter:
    """Tell somebody that it is their turn."""
    said = words(_language(person))
    text = said["turn.text"].format(name=_name(person), table=table, stop=stop)
    return Letter(said["turn.subject"], f"{text}\n", _language(person), stop)


def confirm(person: Person, link: str) -> Letter:
    """Ask whether an address is the right one."""
    said = words(_language(person))
    text = said["confirm.text"].format(name=_name(person), link=link)
    return Letter(said["confirm.subject"], f"{text}\n", _language(person))


def _language(person: Person) -> Language:
    return known(person.language) or DEFAULT


def _name(person: Person) -> str:
    """Return what a person is called; a guest without a name in their own language."""
    number = guest_number(person.name)
    if number is None:
        return person.name
    return words(_language(person))["name.guest"].format(number=number)


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
    message["Content-Language"] = letter.language
    return message
