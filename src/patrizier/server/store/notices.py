"""How processes that share a PostgreSQL database tell each other what was appended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, text

CHANNEL = "patrizier"  # of LISTEN and NOTIFY
PRESENCE = "patrizier_presence"  # the same, for who is connected where
SESSIONS = "patrizier_sessions"  # the same, for what has ended
_LONGEST = 7900  # bytes; PostgreSQL allows 8000
_NOTIFY = text("SELECT pg_notify(:channel, :words)")


@dataclass(frozen=True, slots=True)
class Notice:
    """What other processes are told of an append; ids have no colons."""

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


class There(NamedTuple):
    """Who is connected to a table in one process."""

    table_id: str
    seats: tuple[int, ...]  # whose person is connected
    watchers: int
    asks: bool = False  # whether the others are to say who is connected to them

    def __str__(self) -> str:
        seats = "".join(map(str, self.seats))
        return f"{self.table_id}:{seats}:{self.watchers}:{int(self.asks)}"

    @classmethod
    def read(cls, word: str) -> "There":
        """Read what `str` wrote."""
        table_id, seats, watchers, asks = word.split(":")
        return cls(table_id, tuple(map(int, seats)), int(watchers), asks == "1")


def notify(
    connection: Connection,
    origin: str,
    notices: Iterable[Notice | There | str],
    channel: str = CHANNEL,
) -> None:
    """Tell the other processes, who hear of it when the transaction is done."""
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
