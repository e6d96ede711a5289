"""Writes appended events, those of many tables in one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json
from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update

from patrizier.server.table.events import Stored, event_from_json, event_to_json

from .base import Conflict, Repeated
from .models import events, members, tables
from .notices import Notice, notify
from .rows import SeatSummary, TableSummary

_COLUMNS = (
    "seq", "phase", "public", "host", "pace", "turn", "to_move", "due", "bot_to_move", "members",
    "watched", "updated", "summary",
)  # fmt: skip
_STATE = select(tables.c.id, tables.c.seq, tables.c.members)
_UPDATE = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values({name: bindparam(f"new_{name}") for name in _COLUMNS})
)
_EVENT = select(events.c.seq, events.c.at, events.c.command_id, events.c.person, events.c.body)
_SAME_COMMAND = _EVENT.where(
    events.c.person == bindparam("by"),
    events.c.table_id == bindparam("table"),
    events.c.command_id == bindparam("command"),
).order_by(events.c.seq)
_READ = _EVENT.where(
    events.c.table_id == bindparam("table"), events.c.seq > bindparam("after")
).order_by(events.c.seq)


@dataclass(frozen=True, slots=True, eq=False)
class Append:
    """Events to be added to a table, all or none."""

    table_id: str
    stored: Sequence[Stored]
    summary: TableSummary
    also: "Append | None" = None  # a new table, created in the same transaction

    @property
    def after_seq(self) -> int:
        """The last sequence number before them; 0: a new table."""
        return self.stored[0].seq - 1

    @property
    def command(self) -> tuple[str, str] | None:
        """The person and the id of the command, if there is one."""
        first = self.stored[0]
        if first.command_id is None or first.person is None:
            return None
        return first.person, first.command_id


def carry_out(
    connection: Connection, batch: Sequence[Append], origin: str
) -> list[Exception | None]:
    """Write a batch; return for each append why it failed, or None.

    `IntegrityError` means that one of them repeats a command: then retry them one by one.
    """
    # Sorted, so that processes lock rows in the same order: no deadlocks.
    ids = sorted({append.table_id for append in batch})
    state = _STATE.where(tables.c.id.in_(ids)).order_by(tables.c.id).with_for_update()
    rows = {row.id: (row.seq, row.members) for row in connection.execute(state)}
    failures: list[Exception | None] = []
    good: list[Append] = []
    for append in batch:
        last, sitting = rows.get(append.table_id, (0, ""))
        if last != append.after_seq:
            failures.append(why(connection, append))
            continue
        failures.append(None)
        good.append(append)
        _write_table(connection, append, sitting)
        if append.also is not None:
            good.append(append.also)
            _write_table(connection, append.also, "")
        rows[append.table_id] = (append.stored[-1].seq, members_text(append.summary))
    changed = [_table_values(append) for append in good if append.after_seq]
    if changed:
        connection.execute(_UPDATE, changed)
    if good:
        connection.execute(insert(events), [row for append in good for row in _event_rows(append)])
        if connection.dialect.name == "postgresql":
            notify(connection, origin, [_notice(append) for append in good])
    return failures


def read_events(connection: Connection, table_id: str, after_seq: int) -> list[Stored]:
    """Return the events of a table after a sequence number."""
    return _stored(connection, _READ, {"table": table_id, "after": after_seq})


def members_text(summary: TableSummary) -> str:
    """Return the people at a table as the column `members` stores them."""
    return " ".join(sorted({seat.person for seat in summary.seats if seat.person is not None}))


def summary_from_json(body: str, created: float, updated: float) -> TableSummary:
    """Read a table's column `summary`."""
    data = from_json(body)
    data["seats"] = tuple(SeatSummary(**seat) for seat in data["seats"])
    return TableSummary(**data | {"created": created, "updated": updated})


def why(connection: Connection, append: Append) -> Exception:
    """Return why an append failed: a repeated command, or a conflict."""
    if command := append.command:
        person, command_id = command
        known = {"by": person, "table": append.table_id, "command": command_id}
        if connection.execute(_SAME_COMMAND, known).first():
            return Repeated()
    return Conflict()


def _stored(
    connection: Connection, query: Select[Any], values: Mapping[str, object]
) -> list[Stored]:
    return [
        Stored(seq, at, command_id, person, event_from_json(from_json(body)))
        for seq, at, command_id, person, body in connection.execute(query, values)
    ]


def _write_table(connection: Connection, append: Append, sitting: str) -> None:
    """Write what seldom changes: a new table, and its people."""
    if not append.after_seq:
        values = {name.removeprefix("new_"): v for name, v in _table_values(append).items()}
        values |= {"id": values.pop("table"), "created": append.stored[0].at, "settled": False}
        connection.execute(insert(tables), values)
    now = members_text(append.summary)
    if now == sitting:
        return
    connection.execute(delete(members).where(members.c.table_id == append.table_id))
    if now:
        rows = [{"person": person, "table_id": append.table_id} for person in now.split(" ")]
        connection.execute(insert(members), rows)


def _table_values(append: Append) -> dict[str, object]:
    summary = append.summary
    to_move = next((seat.person for seat in summary.seats if seat.to_move), None)
    values = {
        "seq": append.stored[-1].seq,
        "phase": summary.phase,
        "public": summary.public,
        "host": summary.host,
        "pace": summary.pace,
        "turn": summary.turn,
        "to_move": to_move,
        "due": summary.due,
        "bot_to_move": summary.bot_to_move,
        "members": members_text(summary),
        "watched": summary.watched,
        "updated": append.stored[-1].at,
        "summary": to_json(summary).decode(),
    }
    return {"table": append.table_id} | {f"new_{name}": value for name, value in values.items()}


def _event_rows(append: Append) -> Iterable[dict[str, object]]:
    for part, stored in enumerate(append.stored):
        yield {
            "table_id": append.table_id,
            "seq": stored.seq,
            "at": stored.at,
            "person": stored.person,
            "command_id": stored.command_id,
            "part": part,
            "body": to_json(event_to_json(stored.event)).decode(),
        }


def _notice(append: Append) -> Notice:
    to_move = next((seat for seat in append.summary.seats if seat.to_move), None)
    seat, person = (to_move.seat, to_move.person) if to_move else (None, None)
    return Notice(append.table_id, append.stored[-1].seq, append.summary.turn, seat, person)
