"""Deadlines: when a table changes without a command, and how."""

from collections.abc import Mapping

from .events import Closed, Event, Flagged, StandIn
from .preparation import Derive, started
from .seats import people, players
from .setup import PersonId
from .state import TableState

CONTRIBUTING = 15.0  # seconds for the clients of a full table to add to the deal
IDLE = 7 * 86_400.0  # seconds after which an open table is given up
ABSENCE = 15 * 60.0  # seconds without a sign of the person to move, where no clock runs
LEFT = 86_400.0  # seconds after which a game that everybody has left is given up
HERE = 60.0  # seconds since somebody was seen who is taken to be waiting
LONGEST_ABSENCE_CHECK = 86_400.0  # seconds at most until absence is looked at again

Seen = Mapping[PersonId, float]  # when each person was last connected


def due(table: TableState, now: float, seen: Seen) -> float | None:
    """Return when time acts next, or when it is to be asked again; None: never."""
    if table.phase == "open":
        idle = table.last_at + IDLE
        return idle if table.full_since is None else min(idle, table.full_since + CONTRIBUTING)
    if _is_left(table):
        return _left_from(table, seen)
    deadline = table.deadline()
    if deadline is not None:
        return deadline
    absent = _absent_from(table, seen)
    if absent is None or absent > now or _somebody_waits(table, now, seen):
        return absent
    assert table.clock  # nobody waits: look again, less and less often
    pause = min(max(ABSENCE, now - table.clock.began), LONGEST_ABSENCE_CHECK)
    return now + pause


def timed_events(table: TableState, now: float, seen: Seen, derive: Derive) -> list[Event]:
    """Return what time has brought by now."""
    if table.phase == "open":
        if table.full_since is not None and now >= table.full_since + CONTRIBUTING:
            return [started(table, table.seats, derive)]
        return [Closed("idle")] if now >= table.last_at + IDLE else []
    seat, deadline = table.to_move, table.deadline()
    level = table.setup.stand_in
    if seat is None:
        return []
    if _is_left(table):
        return [Closed("left")] if now >= _left_from(table, seen) else []
    if deadline is not None:
        return [Flagged(seat), StandIn(seat, level, "time")] if now >= deadline else []
    absent = _absent_from(table, seen)
    if absent is not None and now >= absent and _somebody_waits(table, now, seen):
        return [StandIn(seat, level, "absent")]
    return []


def _is_left(table: TableState) -> bool:
    """Whether stand-ins play for all people: then bots would play among themselves."""
    return table.phase == "playing" and not players(table.seats)


def _left_from(table: TableState, seen: Seen) -> float:
    """Return from when on nobody is expected back."""
    return max((table.last_at, *(seen.get(person, 0.0) for person in people(table.seats)))) + LEFT


def _absent_from(table: TableState, seen: Seen) -> float | None:
    """Return from when on the person to move is taken to be away for long."""
    seat, clock = table.to_move, table.clock
    if seat is None or clock is None or not table.seats[seat].person_plays:
        return None
    person = table.seats[seat].person
    if person is None or not _others(table, person):
        return None
    return max(clock.began, seen.get(person, 0.0)) + ABSENCE


def _somebody_waits(table: TableState, now: float, seen: Seen) -> bool:
    """Whether another person is there and cannot go on."""
    seat = table.to_move
    person = table.seats[seat].person if seat is not None else None
    return any(now - seen.get(other, 0.0) <= HERE for other in _others(table, person))


def _others(table: TableState, person: PersonId | None) -> list[PersonId]:
    return [other for other in players(table.seats) if other != person]
