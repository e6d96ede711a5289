"""Chat, mutes and the public log of a table, each bounded."""

import hashlib
import struct
import unicodedata
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from patrizier.server.names import SOMEBODY

from .setup import By, PersonId, Room, Seat, TableId

LONGEST_TEXT = 300
MOST_SAID = 1000  # chat lines in each room
KEPT_SAID = 30  # of them, kept in memory
KEPT_NEWS = 60
_MARKS_IN_A_ROW = 2
_TURN = struct.Struct("<IdB")  # sequence number, time, by
_BY: tuple[By, ...] = ("person", "bot", "stand-in")


def clean_text(text: str) -> str:
    r"""Return a chat text as one line without invisible characters; it may be empty.

    >>> clean_text("Ciao\u202e,\n bella!")
    'Ciao, bella!'
    """
    letters, marks = list[str](), 0
    for letter in unicodedata.normalize("NFC", text[:LONGEST_TEXT]):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks > _MARKS_IN_A_ROW:  # stacked accents would cover other lines
            continue
        if letter.isspace():
            letters.append(" ")
        elif letter.isprintable():
            letters.append(letter)
    return " ".join("".join(letters).split())


@lru_cache(maxsize=4096)
def mark_of(table: TableId, person: PersonId) -> str:
    """Return a person's mark at one table; it cannot be linked to other tables."""
    return hashlib.sha256(f"patrizier mark\n{table}\n{person}".encode()).hexdigest()[:12]


class TurnMark(NamedTuple):
    """When a turn was played, and by whom."""

    seq: int
    at: float
    by: By


@dataclass(frozen=True, slots=True)
class Said:
    """One line of the chat."""

    seq: int
    at: float
    room: Room
    seat: Seat | None
    person: PersonId
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class News:
    """One line of the log that is not a turn."""

    seq: int
    at: float
    what: str
    seat: Seat | None = None
    person: PersonId | None = None
    name: str = ""
    detail: str = ""
    to_turn: int | None = None  # of turns taken back


@dataclass(frozen=True, slots=True)
class Talk:
    """The chat and the public log, as far as kept."""

    marks: bytes = b""  # of the turns not taken back, packed
    said: tuple[Said, ...] = ()
    said_by_players: int = 0  # lines so far
    said_by_watchers: int = 0
    news: tuple[News, ...] = ()
    mutes: tuple[tuple[PersonId, PersonId], ...] = field(default=())  # who has muted whom

    def with_turn(self, seq: int, at: float, by: By) -> "Talk":
        """Return a copy with one more turn."""
        return replace(self, marks=self.marks + _TURN.pack(seq, at, _BY.index(by)))

    def turns_since(self, seq: int) -> list[tuple[int, TurnMark]]:
        """Return the turns after a sequence number, with their indices, in order."""
        found: list[tuple[int, TurnMark]] = []
        for place in range(len(self.marks) // _TURN.size - 1, -1, -1):  # usually only the last one
            at_seq, at, by = _TURN.unpack_from(self.marks, place * _TURN.size)
            if at_seq <= seq:
                break
            found.append((place, TurnMark(at_seq, at, _BY[by])))
        return found[::-1]

    def back_to(self, turn: int) -> "Talk":
        """Return a copy without the turns that were taken back."""
        return replace(self, marks=self.marks[: turn * _TURN.size])

    def with_news(self, news: News) -> "Talk":
        """Return a copy with one more line of the log."""
        return replace(self, news=(*self.news, news)[-KEPT_NEWS:])

    def with_said(self, said: Said) -> "Talk":
        """Return a copy with one more chat line; the room's oldest may be dropped."""
        lines = (*self.said, said)
        if sum(line.room == said.room for line in lines) > KEPT_SAID:
            oldest = next(line for line in lines if line.room == said.room)
            lines = tuple(line for line in lines if line is not oldest)
        if said.room == "players":
            return replace(self, said=lines, said_by_players=self.said_by_players + 1)
        return replace(self, said=lines, said_by_watchers=self.said_by_watchers + 1)

    def with_mute(self, person: PersonId, whom: PersonId, on: bool) -> "Talk":
        """Return a copy with somebody muted or unmuted for a person."""
        others = tuple(pair for pair in self.mutes if pair != (person, whom))
        return replace(self, mutes=(*others, (person, whom)) if on else others)

    def muted_by(self, person: PersonId | None) -> tuple[PersonId, ...]:
        """Return whom a person has muted."""
        return tuple(whom for by, whom in self.mutes if by == person)

    def adopted(self, guest: PersonId, person: PersonId) -> "Talk":
        """Return a copy with an account in place of a guest."""

        def now(who: PersonId) -> PersonId:
            return person if who == guest else who

        return replace(
            self,
            said=tuple(replace(line, person=now(line.person)) for line in self.said),
            news=tuple(
                replace(line, person=person) if line.person == guest else line for line in self.news
            ),
            mutes=tuple((now(by), now(whom)) for by, whom in self.mutes),
        )

    def without(self, person: PersonId) -> "Talk":
        """Return a copy without a person's data."""
        return replace(
            self,
            said=tuple(line for line in self.said if line.person != person),
            news=tuple(
                replace(line, person=None, name=SOMEBODY) if line.person == person else line
                for line in self.news
            ),
            mutes=tuple(pair for pair in self.mutes if person not in pair),
        )
