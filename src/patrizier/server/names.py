"""Names that people choose: checked to be readable and not misleading."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from itertools import chain, count

from email_validator import EmailNotValidError, validate_email

from .errors import BadName
from .reasons import Reason

MAX_NAME = 24
SOMEBODY = "Somebody"  # for deleted data; in English, for programs
BOT_NAMES = {  # by level, in the order in which they sit down; the page has the same
    "apprentice": ("Lapo", "Nannina", "Vieri", "Oretta", "Matteo"),
    "merchant": ("Bianca", "Cosimo", "Dianora", "Galeotto", "Ginevra"),
    "banker": ("Piero", "Lucrezia", "Bartolo", "Fiammetta", "Jacopo"),
    "senator": ("Zanobi", "Isotta", "Domenico", "Marietta", "Vettore"),
    "doge": ("Simonetta", "Niccolò", "Orsola", "Ettore", "Caterina"),
}
GUEST_BOT = "guest:"  # begins the name of a bot that the operator of a server invited
_LOGIN = re.compile(r"[\w.-]{3,24}")
_GUEST = re.compile(r"Guest ([1-9][0-9]{3})")
_HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}  # control, format, private, unassigned
_MARKS_IN_A_ROW = 2
_DOTLESS = ("gmail.com", "googlemail.com")  # one provider, which ignores dots


def names_of_bots(level: str) -> Iterator[str]:
    """Yield names for the bots of a level, then others; those of a guest bot are numbered.

    >>> from itertools import islice
    >>> list(islice(names_of_bots("banker"), 6))[-2:], list(islice(names_of_bots("guest:ppo"), 2))
    (['Jacopo', 'Lapo'], ['ppo', 'ppo 2'])
    """
    if level.startswith(GUEST_BOT):
        own = level.removeprefix(GUEST_BOT)
        yield own
        yield from (f"{own} {number}" for number in count(2))
    else:
        yield from BOT_NAMES[level]
        yield from chain.from_iterable(BOT_NAMES.values())


def tidy_name(name: str) -> str:
    """Return a player's name in normal form; raises BadName.

    >>> tidy_name("  Anna   Maria ")
    'Anna Maria'
    """
    text = " ".join(unicodedata.normalize("NFC", name[: 8 * MAX_NAME]).split())
    if not text:
        raise BadName(Reason.NAME_EMPTY)
    if len(text) > MAX_NAME:
        raise BadName(Reason.NAME_LONG, most=MAX_NAME)
    if any(unicodedata.category(letter) in _HIDDEN for letter in text):
        raise BadName(Reason.NAME_HIDDEN)
    marks = 0
    for letter in text:  # stacked accents would cover other lines
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks > _MARKS_IN_A_ROW:
            raise BadName(Reason.NAME_ACCENTS)
    return text


def fold_login(login: str) -> str:
    """Return an account's name in normal form; raises BadName.

    >>> fold_login("Anna.M")
    'anna.m'
    """
    text = unicodedata.normalize("NFKC", login[:100]).strip().casefold()
    if not _LOGIN.fullmatch(text):
        raise BadName(Reason.LOGIN_FORM)
    return text


def check_email(address: str) -> str:
    """Return an e-mail address, stripped; raises BadName if it is invalid."""
    try:
        return validate_email(address.strip(), check_deliverability=False).normalized
    except EmailNotValidError:
        raise BadName(Reason.EMAIL_FORM) from None


def mailbox_of(address: str) -> str:
    """Return the mailbox of an address; several addresses may share one.

    >>> mailbox_of("An.Na+games@GoogleMail.com"), mailbox_of("An.Na+games@post.example")
    ('anna@gmail.com', 'an.na@post.example')
    """
    text = unicodedata.normalize("NFKC", address).strip().casefold()
    local, _, domain = text.rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTLESS:
        return f"{local.replace('.', '')}@gmail.com"
    return f"{local}@{domain}"


def guest_name(person: str) -> str:
    """Return the default name of a guest; in English, for programs."""
    number = int.from_bytes(hashlib.sha256(person.encode()).digest()[:4], "big")
    return f"Guest {1000 + number % 9000}"


def guest_number(name: str) -> int | None:
    """Return the number in a guest's default name, for translation; None for other names.

    >>> guest_number("Guest 6031"), guest_number("Guest of honour")
    (6031, None)
    """
    found = _GUEST.fullmatch(name)
    return int(found[1]) if found else None
