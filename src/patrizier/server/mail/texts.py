"""The texts of e-mails, in the recipient's language."""

from dataclasses import dataclass

from patrizier.server.language import DEFAULT, Language, known
from patrizier.server.names import guest_number
from patrizier.server.store.rows import Person
from patrizier.server.texts import words


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail's content, before it is addressed."""

    subject: str
    text: str
    language: Language
    stop: str = ""  # unsubscribe link


def your_turn(person: Person, table: str, stop: str) -> Letter:
    """Return the "your turn" mail."""
    said = words(_language(person))
    text = said["turn.text"].format(name=_name(person), table=table, stop=stop)
    return Letter(said["turn.subject"], f"{text}\n", _language(person), stop)


def confirm(person: Person, link: str) -> Letter:
    """Return the confirmation mail."""
    said = words(_language(person))
    text = said["confirm.text"].format(name=_name(person), link=link)
    return Letter(said["confirm.subject"], f"{text}\n", _language(person))


def _language(person: Person) -> Language:
    return known(person.language) or DEFAULT


def _name(person: Person) -> str:
    """Return a person's name; an unnamed guest's in their language."""
    number = guest_number(person.name)
    if number is None:
        return person.name
    return words(_language(person))["name.guest"].format(number=number)
