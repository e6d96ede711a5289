"""Deadlines: when a table changes without a command, and how."""

from collections.abc import Mapping

from patrizier.server.table.events import Closed, Event, Flagged, StandIn
from patrizier.server.table.seats import people, players
from patrizier.server.table.setup import PersonId
from patrizier.server.table.state import TableState

from .preparation import Derive, started

CONTRIBUTING = 15.0  # seconds for the clients of a full table to contribute to the deal
IDLE = 7 * 86_400.0  # seconds until an open table is closed
ABSENCE = 15 * 60.0  # seconds without the person to move, where no clock runs
LEFT = 86_400.0  # seconds until a game that everybody has left is closed
HERE = 60.0  # seconds since somebody was seen who counts as waiting
LONGEST_ABSENCE_CHECK = 86_400.0  # seconds at most between checks for absence

Seen = Mapping[PersonId, float]  # when each person was last connected


def due(table: TableState, now: float, seen: Seen) -> float | None:
    """Return the next deadline, or when to check again; None: never."""
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
    assert table.clock  # nobody waits: check again, less and less often
    pause = min(max(ABSENCE, now - table.clock.began), LONGEST_ABSENCE_CHECK)
    return now + pause


def timed_events(table: TableState, now: float, seen: Seen, derive: Derive) -> list[Event]:
    """Return the events of passed deadlines."""
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
    """Whether stand-ins play for all people."""
    return table.phase == "playing" and not players(table.seats)


def _left_from(table: TableState, seen: Seen) -> float:
    """Return when a left game is closed."""
    return max((table.last_at, *(seen.get(person, 0.0) for person in people(table.seats)))) + LEFT


def _absent_from(table: TableState, seen: Seen) -> float | None:
    """Return when the person to move counts as absent; None: never."""
    seat, clock = table.to_move, table.clock
    if seat is None or clock is None or not table.seats[seat].person_plays:
        return None
    person = table.seats[seat].person
    if person is None or not _others(table, person):
        return None
    return max(clock.began, seen.get(person, 0.0)) + ABSENCE


def _somebody_waits(table: TableState, now: float, seen: Seen) -> bool:
    """Whether another person is present and waits."""
    seat = table.to_move
    person = table.seats[seat].person if seat is not None else None
    return any(now - seen.get(other, 0.0) <= HERE for other in _others(table, person))


def _others(table: TableState, person: PersonId | None) -> list[PersonId]:
    return [other for other in players(table.seats) if other != person]
