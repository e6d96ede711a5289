"""Notifications between processes that share a PostgreSQL database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, text

CHANNEL = "patrizier"  # of LISTEN and NOTIFY
PRESENCE = "patrizier_presence"  # the same, for presence
SESSIONS = "patrizier_sessions"  # the same, for ended sessions
_LONGEST = 7900  # bytes; PostgreSQL allows 8000
_NOTIFY = text("SELECT pg_notify(:channel, :words)")


@dataclass(frozen=True, slots=True)
class Notice:
    """Notification of an append; ids have no colons."""

    table_id: str
    seq: int
    turn: int  # completed turns
    seat: int | None  # to move
    person: str | None  # who sits there

    def __str__(self) -> str:
        seat = "" if self.seat is None else self.seat
        return f"{self.table_id}:{self.seq}:{self.turn}:{seat}:{self.person or ''}"

    @classmethod
    def read(cls, word: str) -> "Notice":
        """Read what `str` wrote."""
        table_id, seq, turn, seat, person = word.split(":")
        return cls(table_id, int(seq), int(turn), int(seat) if seat else None, person or None)


class TablePresence(NamedTuple):
    """Who is connected to a table in one process."""

    table_id: str
    seats: tuple[int, ...]  # whose person is connected
    watchers: int
    asks: bool = False  # whether other processes should answer with theirs

    def __str__(self) -> str:
        seats = "".join(map(str, self.seats))
        return f"{self.table_id}:{seats}:{self.watchers}:{int(self.asks)}"

    @classmethod
    def read(cls, word: str) -> "TablePresence":
        """Read what `str` wrote."""
        table_id, seats, watchers, asks = word.split(":")
        return cls(table_id, tuple(map(int, seats)), int(watchers), asks == "1")


def notify(
    connection: Connection,
    origin: str,
    notices: Iterable[Notice | TablePresence | str],
    channel: str = CHANNEL,
) -> None:
    """Notify the other processes when the transaction commits."""
    texts = [origin]
    for notice in notices:
        word = str(notice)
        if len(texts[-1]) + len(word) >= _LONGEST:
            texts.append(origin)
        texts[-1] += f" {word}"
    for words in texts:
        connection.execute(_NOTIFY, {"channel": channel, "words": words})


def read_notices(words: str) -> tuple[str, Sequence[str]]:
    """Return the origin of a notification, and its words."""
    origin, *notices = words.split(" ")
    return origin, notices
