"""Deleting a person's data: what the events say of them."""

from dataclasses import replace

from .events import SOMEBODY, Created, Event, Joined, Renamed, Said
from .setup import PersonId


def scrub(event: Event, person: PersonId) -> Event:
    """Return an event without what a person has written: for deleting their data."""
    match event:
        case Created(host=who) if who == person:
            return replace(event, host_name=SOMEBODY)
        case Joined(person=who) | Renamed(person=who) if who == person:
            return replace(event, name=SOMEBODY)
        case Said(person=who) if who == person:
            return replace(event, name=SOMEBODY, text="")
    return event
