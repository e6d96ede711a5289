"""Deletes a person's data from events."""

from collections.abc import Iterable
from dataclasses import replace

from patrizier.server.names import SOMEBODY
from patrizier.server.table.events import (
    Adopted,
    Created,
    Event,
    Joined,
    Renamed,
    Said,
    Stored,
)
from patrizier.server.table.setup import PersonId


def guests_of(stored: Iterable[Stored], person: PersonId) -> set[PersonId]:
    """Return the guests that a person was at a table before signing in."""
    events = (each.event for each in stored)
    return {e.guest for e in events if isinstance(e, Adopted) and e.person == person}


def scrub(event: Event, person: PersonId) -> Event:
    """Return an event without a person's name and words."""
    match event:
        case Adopted(person=who) if who == person:
            return replace(event, name=SOMEBODY if event.name else "")
        case Created(host=who) if who == person:
            return replace(event, host_name=SOMEBODY)
        case Joined(person=who) | Renamed(person=who) if who == person:
            return replace(event, name=SOMEBODY, avatar="")
        case Said(person=who) if who == person:
            return replace(event, name=SOMEBODY, text="")
    return event
