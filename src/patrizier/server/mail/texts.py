"""What mails say, each in the language of who gets it."""

from dataclasses import dataclass

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
