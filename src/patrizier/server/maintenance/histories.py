"""Checks stored event logs: complete, and legal by the rules."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from pydantic_core import from_json

from patrizier.outcome import Outcome
from patrizier.ptr import read_games
from patrizier.server.deal.verification import verify
from patrizier.server.table.events import Stored, event_from_json
from patrizier.server.table.table import Table

from .rows import Row, Source


def problems_in(source: Source) -> Iterator[str]:
    """Yield the problems of all tables, a sentence each."""
    tables: dict[str, Row | None] = {row["id"]: row for row in source.rows("tables")}
    settled = {row["table_id"] for row in source.rows("results")}
    for table_id, row in tables.items():
        if row and row["settled"] and table_id not in settled:
            yield f"table {table_id}: its result is missing"
    for table_id, rows in groupby(source.rows("events"), itemgetter("table_id")):
        row = tables.pop(table_id, None)
        for problem in check_history(table_id, list(rows), row):
            yield f"table {table_id}: {problem}"
    yield from (f"table {table_id}: all of its events are missing" for table_id in tables)


def check_history(table_id: str, rows: Sequence[Row], summary: Row | None) -> Iterator[str]:
    """Yield the problems of one table, given its events and its summary."""
    seqs = [row["seq"] for row in rows]
    if seqs != list(range(1, len(rows) + 1)):
        lost = sorted(set(range(1, max(seqs) + 1)) - set(seqs))
        yield f"event {lost[0] if lost else seqs[0]} is missing"
        return
    stored: list[Stored] = []
    for row in rows:
        try:
            event = event_from_json(from_json(row["body"]))
        except Exception:
            yield f"event {row['seq']} cannot be read"
            return
        stored.append(Stored(row["seq"], row["at"], row["command_id"], row["person"], event))
    yield from check_events(table_id, stored)
    if summary is None:
        yield "its summary is missing"
    elif summary["seq"] != seqs[-1]:
        yield f"its last event is {seqs[-1]}, but its summary says {summary['seq']}"


def check_events(table_id: str, stored: Sequence[Stored]) -> Iterator[str]:
    """Yield the problems of a table's events, all of which could be read."""
    for before, after in pairwise(stored):
        if after.at < before.at:
            yield f"event {after.seq} is older than the one before it"
            break
    table = Table(table_id)
    for each in stored:
        try:
            table.fold(each)
        except Exception as error:
            yield f"event {each.seq} is not possible ({type(error).__name__})"
            return
    if table.phase == "finished":
        yield from _check_record(table)


def _check_record(table: Table) -> Iterable[str]:
    """Replay a finished game from its record, and verify its deal."""
    assert table.finished is not None
    try:
        (record,) = read_games(table.record_text())
        outcome = record.game().outcome()
    except Exception as error:
        return [f"its record cannot be replayed ({type(error).__name__})"]
    if outcome != Outcome.from_json(table.finished.outcome):
        return ["its record has another outcome than the game"]
    return () if verify(record).holds else ["its deal is not the committed one"]
