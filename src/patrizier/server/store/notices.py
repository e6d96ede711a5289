"""How processes that share a PostgreSQL database tell each other what was appended."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

CHANNEL = "patrizier"  # of LISTEN and NOTIFY
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


def notify(connection: Connection, origin: str, notices: Sequence[Notice]) -> None:
    """Tell the other processes, who hear of it when the transaction is done."""
    texts = [origin]
    for notice in notices:
        word = str(notice)
        if len(texts[-1]) + len(word) >= _LONGEST:
            texts.append(origin)
        texts[-1] += f" {word}"
    for words in texts:
        connection.execute(_NOTIFY, {"channel": CHANNEL, "words": words})


def read_notices(words: str) -> tuple[str, list[Notice]]:
    """Return the origin of a notification, and what it tells."""
    origin, *notices = words.split(" ")
    return origin, [Notice.read(word) for word in notices]
