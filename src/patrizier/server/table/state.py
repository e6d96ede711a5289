"""A table's state, folded from its events; folding a stored event never fails."""

import hashlib
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Self, cast

from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.server.names import SOMEBODY

from . import seats as seating
from .chat import Said as SaidLine
from .chat import Talk
from .clock import Clock
from .colours import colours
from .evening import Evening, with_game, without
from .events import (
    Adopted,
    BotSeated,
    Closed,
    Created,
    Credited,
    Decided,
    Event,
    Finished,
    Flagged,
    HostChanged,
    Left,
    Muted,
    PersonErased,
    Rematched,
    RematchOffered,
    Renamed,
    Said,
    StandIn,
    Started,
    Stored,
    TookOver,
    TurnPlayed,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from .game import TableGame
from .log import news_of
from .seats import Seats, SeatState
from .setup import By, Colour, PersonId, Phase, Seat, TableId, TableSetup

_KEPT_IDS = 64  # last command ids kept here; the store has all
_ID_SIZE = 8


@dataclass(frozen=True, slots=True)
class Undo:
    """A pending request to take turns back."""

    seat: Seat
    to_turn: int
    agreed: tuple[PersonId, ...]


class TableState:
    """The state of a table. All parts are values, so copies are cheap."""

    __slots__ = (
        "_done",
        "clock",
        "created",
        "evening",
        "finished",
        "full_since",
        "host",
        "id",
        "last_at",
        "offers",
        "phase",
        "playing",
        "rated",
        "rematch",
        "seats",
        "seq",
        "spent",
        "talk",
        "undo",
    )

    def __init__(self, table_id: TableId) -> None:
        self.id = table_id
        self.seq = 0  # of the last event
        self.last_at = 0.0  # when that was
        self.phase: Phase = "open"
        self.created: Created | None = None  # holds the secret
        self.host: PersonId = ""
        self.seats: Seats = ()
        self.evening: Evening = ()  # the games before this one, by seat
        self.full_since: float | None = None  # since when no seat is free
        self.playing: TableGame | None = None
        self.clock: Clock | None = None
        self.talk = Talk()
        self.undo: Undo | None = None
        self.rated = False  # whether it still counts
        self.finished: Finished | None = None
        self.offers: tuple[PersonId, ...] = ()  # of a rematch
        self.rematch: Rematched | None = None
        self.spent: Mapping[PersonId, int] = {}  # commands per person, except turns
        self._done = b""  # short hashes of the last commands' ids

    # -- reading

    @property
    def setup(self) -> TableSetup:
        """The table's settings."""
        assert self.created is not None, "the first event is Created"
        return self.created.setup

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colour of every seat; fixed once the game has started."""
        if self.playing:
            return cast("tuple[Colour, ...]", self.playing.options.colours)
        return colours(self.setup, self.seats)

    @property
    def game(self) -> Game | None:
        """The game, read-only; None before it starts."""
        return self.playing.game if self.playing else None

    @property
    def turn(self) -> int:
        """Completed turns."""
        return self.playing.turn if self.playing else 0

    @property
    def step(self) -> int:
        """Decisions of the current turn."""
        return self.playing.step if self.playing else 0

    @property
    def to_move(self) -> Seat | None:
        """The seat to decide; None if the game is not running."""
        return self.playing.seat if self.playing and self.phase == "playing" else None

    def deadline(self) -> float | None:
        """Return the deadline of the person to move; None: no clock."""
        seat = self.to_move
        if seat is None or self.clock is None or not self.seats[seat].person_plays:
            return None
        return self.clock.deadline(seat)

    def was_done(self, person: PersonId | None, command_id: str) -> bool:
        """Whether a command is among the last ones carried out."""
        digest = _digest(person, command_id)
        done = self._done
        return any(done[i : i + _ID_SIZE] == digest for i in range(0, len(done), _ID_SIZE))

    def evening_score(self) -> Evening:
        """Return the games of this chain of rematches, this one included once it is finished."""
        return with_game(self.evening, self.finished.outcome) if self.finished else self.evening

    def copy(self) -> Self:
        """Return an independent copy."""
        return copy(self)

    def after(self, events: Iterable[Stored]) -> Self:
        """Return a copy with these events applied."""
        later = self.copy()
        for stored in events:
            later.fold(stored)
        return later

    def rest(self) -> None:
        """Drop an idle table's `Game`; it is rebuilt on demand."""
        if self.playing:
            self.playing.rest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableState):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in TableState.__slots__)

    __hash__ = None  # type: ignore[assignment]

    # -- folding

    def fold(self, stored: Stored) -> None:
        """Apply a stored event; one already applied is ignored."""
        if stored.seq <= self.seq:
            return
        if stored.seq != self.seq + 1:
            raise ValueError(f"event {stored.seq} does not follow {self.seq}")
        event, at = stored.event, stored.at
        before = self.seats
        self.seats = seating.after(self.seats, event)
        if self.phase == "open":
            self._fold_evening(event, before)
        news = news_of(stored, before)
        if news is not None:
            self.talk = self.talk.with_news(news)
        self._fold_game(event, stored)
        self._fold_rest(event, stored)
        if self.phase == "open":
            full = seating.is_full(self.seats)
            self.full_since = (self.full_since or at) if full else None
        self.seq, self.last_at = stored.seq, at
        self._count(stored)

    def _fold_evening(self, event: Event, before: Seats) -> None:
        """Reset the evening's score of a seat that somebody else takes."""
        match event:
            case Left(seat):
                self.evening = without(self.evening, seat)
            case BotSeated(seat) if not before[seat].is_free:
                self.evening = without(self.evening, seat)

    def _fold_game(self, event: Event, stored: Stored) -> None:
        """Apply an event of the game."""
        at = stored.at
        match event:
            case Started(start, deal):
                options = replace(self.setup.options, colours=self.colours)
                self.playing = TableGame(options, Deal.from_text(deal, start))
                self.clock = Clock.start(self.setup.pace, options.players, at)
                self.phase, self.full_since = "playing", None
            case TurnPlayed(seat, move, by):
                assert self.playing
                self._went_on(self.playing.played(move), seat, by, stored)
            case Decided(seat, decision, by):
                assert self.playing
                self._went_on(self.playing.decided(decision), seat, by, stored)
            case StandIn(seat):
                self.undo = None
                if self.clock and seat == self.to_move:
                    self.clock = self.clock.stopped(seat, at)
            case TookOver(seat):
                self.undo = None
                if self.clock:
                    self.clock = self.clock.taken_over(seat, at, to_move=seat == self.to_move)
            case UndoAsked(seat, to_turn):
                self.undo = Undo(seat, to_turn, self._person(seat))
            case UndoAnswered(seat, yes):
                undo = self.undo
                agreed = undo and Undo(undo.seat, undo.to_turn, (*undo.agreed, *self._person(seat)))
                self.undo = agreed if yes else None
            case Undone(to_turn, free):
                assert self.playing is not None
                assert self.clock is not None
                self.playing = self.playing.undone(to_turn)
                self.clock = self.clock.restarted(at)
                self.talk = self.talk.back_to(to_turn)
                self.undo = None
                self.rated = self.rated and not free
            case Credited(seconds) if self.clock:
                self.clock = self.clock.credited(seconds, at)
            case Flagged(seat) if self.clock:
                self.clock = self.clock.stopped(seat, at)
            case Finished():
                self.phase, self.finished, self.undo = "finished", event, None

    def _fold_rest(self, event: Event, stored: Stored) -> None:
        """Apply any other event."""
        match event:
            case Created(setup, host):
                self.created, self.host = event, host
                self.seats = (SeatState(),) * setup.players
                self.evening = event.evening or (None,) * setup.players
                self.rated = setup.rated
            case HostChanged(host):
                self.host = host
            case Closed():
                self.phase = "abandoned"
            case Said(person, name, seat, room, text):
                line = SaidLine(stored.seq, stored.at, room, seat, person, name, text)
                self.talk = self.talk.with_said(line)
            case Muted(person, whom, on):
                self.talk = self.talk.with_mute(person, whom, on)
            case Adopted(guest, person):
                self._adopt(guest, person)
            case PersonErased(person):
                if self.created and person in (self.host, self.created.host):
                    self.created = replace(self.created, host_name=SOMEBODY)
                self.talk = self.talk.without(person)
                self.offers = tuple(p for p in self.offers if p != person)
                self.spent = {p: count for p, count in self.spent.items() if p != person}
            case RematchOffered(person):
                self.offers = (*self.offers, person)
            case Rematched():
                self.rematch = event

    def _adopt(self, guest: PersonId, person: PersonId) -> None:
        """Replace a guest by an account."""

        def now(people: tuple[PersonId, ...]) -> tuple[PersonId, ...]:
            return tuple(person if each == guest else each for each in people)

        (self.host,) = now((self.host,))
        if guest in self.spent:
            self._spend(person, self.spent[guest])
        self.talk = self.talk.adopted(guest, person)
        self.offers = now(self.offers)
        if self.undo:
            self.undo = Undo(self.undo.seat, self.undo.to_turn, now(self.undo.agreed))

    def _went_on(self, playing: TableGame, seat: Seat, by: By, stored: Stored) -> None:
        """Update after a turn or a decision."""
        assert self.playing is not None
        assert self.clock is not None
        if playing.turn > self.playing.turn:
            self.talk = self.talk.with_turn(stored.seq, stored.at, by)
            self.clock = self.clock.turn_ended(seat, stored.at, counts=by == "person")
        self.playing, self.undo = playing, None

    def _person(self, seat: Seat) -> tuple[PersonId, ...]:
        person = self.seats[seat].person
        return () if person is None else (person,)

    def _count(self, stored: Stored) -> None:
        """Count a command and keep its id; one with several events counts once."""
        if isinstance(stored.event, Renamed):
            self._spend(stored.event.person)
        if stored.command_id is None or stored.person is None:
            return
        digest = _digest(stored.person, stored.command_id)
        if not self._done.endswith(digest):
            self._done = (self._done + digest)[-_KEPT_IDS * _ID_SIZE :]
            if not isinstance(stored.event, TurnPlayed | Decided):
                self._spend(stored.person)

    def _spend(self, person: PersonId, count: int = 1) -> None:
        self.spent = {**self.spent, person: self.spent.get(person, 0) + count}


def _digest(person: PersonId | None, command_id: str) -> bytes:
    text = f"{person}\n{command_id}"
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_ID_SIZE).digest()
