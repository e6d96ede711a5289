"""A table: the authority over its game, without transport, clock or randomness.

Its state is folded from stored events. Commands, deadlines and bots' answers become new events or
are refused; the state changes only when those are stored and folded.
"""

from collections.abc import Iterable, Mapping
from random import Random

from patrizier.server.deal.dealer import FAIR_DEALER, Dealer
from patrizier.server.names import GUEST_BOT
from patrizier.server.reasons import Reason
from patrizier.server.table.handlers import deadlines as timing
from patrizier.server.table.handlers.budgets import MOST_EVENTS, is_spent
from patrizier.server.table.handlers.dispatch import handle
from patrizier.server.table.handlers.preparation import leaving
from patrizier.server.table.handlers.turns import bot_events

from .actor import Actor
from .commands import Command, Refused
from .events import (
    Adopted,
    BotSeated,
    Created,
    Credited,
    Event,
    Joined,
    PersonErased,
    Rematched,
    Renamed,
    StandIn,
    Stored,
)
from .seats import contributions, draw_lot, held_by, people, players
from .setup import BotName, Correspondence, PersonId, Seat, TableId, TableSetup
from .state import TableState

_NOBODY: Mapping[PersonId, float] = {}


class Table(TableState):
    """A table at which people and bots share a game."""

    __slots__ = ("_dealer",)

    def __init__(self, table_id: TableId, dealer: Dealer = FAIR_DEALER) -> None:
        """Make an empty table; fold its events next."""
        super().__init__(table_id)
        self._dealer = dealer

    @classmethod
    def load(
        cls, table_id: TableId, events: Iterable[Stored], dealer: Dealer = FAIR_DEALER
    ) -> "Table":
        """Return the table with these events."""
        table = cls(table_id, dealer)
        for stored in events:
            table.fold(stored)
        return table

    @classmethod
    def new(
        cls,
        table_id: TableId,
        setup: TableSetup,
        host: PersonId,
        host_name: str,
        *,
        secret: bytes,
        commitment: str,
        watch_key: str,
        take_seat: bool = True,
        seat: Seat | None = None,
        avatar: str = "",
        dealer: Dealer = FAIR_DEALER,
    ) -> "tuple[Table, list[Event]]":
        """Return an empty table and its first events, to be stored and folded."""
        created = Created(setup, host, host_name, secret.hex(), commitment, watch_key)
        events: list[Event] = [created]
        for number, who in enumerate(setup.plan):
            if who != "person":
                events.append(BotSeated(number, who))
        if take_seat:
            free = [number for number, who in enumerate(setup.plan) if who == "person"]
            seat = free[0] if seat is None else seat
            if seat not in free:
                raise Refused(Reason.SEAT_OF_BOT)
            events.append(Joined(seat, host, host_name, avatar=avatar))
        return cls(table_id, dealer), events

    # -- commands, deadlines and bots

    def handle(
        self,
        command: Command,
        person: PersonId,
        now: float,
        *,
        name: str = "",
        key: str = "",
        avatar: str = "",
    ) -> list[Event]:
        """Return the events of a command; none if it was carried out before. Raises Refused."""
        return handle(self, command, Actor(person, now, name, key, avatar), self._dealer.derive)

    def due(self, now: float, seen: Mapping[PersonId, float] = _NOBODY) -> float | None:
        """Return the next deadline, given when people were last connected."""
        return timing.due(self, now, seen)

    def timed_events(self, now: float, seen: Mapping[PersonId, float] = _NOBODY) -> list[Event]:
        """Return the events of deadlines that have passed: a start, a stand-in, or closing."""
        return timing.timed_events(self, now, seen, self._dealer.derive)

    def bot_to_move(self) -> tuple[Seat, BotName] | None:
        """Return seat and name of the bot to decide, if any."""
        seat = self.to_move
        level = self.seats[seat].level if seat is not None else None
        return None if seat is None or level is None else (seat, level)

    @property
    def bots_go_on(self) -> bool:
        """Whether bots play while nobody is present: where people get e-mails."""
        slow = isinstance(self.setup.pace, Correspondence)
        return slow and bool(players(self.seats))

    def bot_events(self, seat: Seat, move: str, at_turn: int, at_step: int) -> list[Event]:
        """Return the events of a bot's answer, up to a messenger."""
        return bot_events(self, seat, move, at_turn, at_step)

    def credit_events(self, seconds: float) -> list[Event]:
        """Return the credit to the running clock for time in which no server was running."""
        return [Credited(seconds)] if self.deadline() is not None and seconds > 0 else []

    # -- people

    def rename_events(self, person: PersonId, name: str, avatar: str | None = None) -> list[Event]:
        """Return the events of a new name or avatar; none if they were changed too often."""
        if is_spent(self, person) or self.seq >= MOST_EVENTS:
            return []
        held = [self.seats[seat] for seat in held_by(self.seats, person)]
        fresh = any(seat.name != name or avatar not in (None, seat.avatar) for seat in held)
        return [Renamed(person, name, avatar)] if fresh else []

    def adopt_events(self, guest: PersonId, person: PersonId, name: str) -> list[Event]:
        """Return the events of a guest signing in to an account; none if both have seats here."""
        if held_by(self.seats, guest) and held_by(self.seats, person):
            return []
        talked = any(line.person == guest for line in self.talk.said)
        muted = any(guest in pair for pair in self.talk.mutes)
        if not (held_by(self.seats, guest) or guest == self.host or talked or muted):
            return []
        return [Adopted(guest, person, "" if self.phase == "finished" else name)]

    def erase_events(self, person: PersonId) -> list[Event]:
        """Return the events of deleting a person's data; stored events must be scrubbed, too."""
        held, events = held_by(self.seats, person), list[Event]()
        if self.phase == "open" and (held or person == self.host):
            events = leaving(self, person, held)
        if self.phase == "playing":
            level = self.setup.stand_in
            events = [
                StandIn(seat, level, "erased") for seat in held if self.seats[seat].person_plays
            ]
        return [*events, PersonErased(person)]

    # -- rematch

    @property
    def wants_rematch(self) -> bool:
        """Whether everybody has offered a rematch, and its table does not exist yet."""
        wanted = people(self.seats)
        ready = self.phase == "finished" and self.rematch is None
        return ready and bool(wanted) and set(wanted) <= set(self.offers)

    def rematch_events(self, table_id: TableId, rng: Random) -> list[Event]:
        """Return the event that names the next table and draws its seats."""
        return [Rematched(table_id, draw_lot(self.seats, rng))]

    @property
    def not_first_next(self) -> Seat:
        """The seat, at the next table, of whoever started this game: somebody else starts there."""
        assert self.rematch
        assert self.playing
        return self.rematch.lot.index(self.playing.deal.start)

    def next_table(self, *, secret: bytes, commitment: str, watch_key: str) -> list[Event]:
        """Return the first events of the table that `Rematched` names."""
        assert self.rematch
        lot, evening = self.rematch.lot, self.evening_score()
        sitting = [self.seats[old] for old in lot]
        plan = tuple(seat.level if seat.is_bot and seat.level else "person" for seat in sitting)
        colours = tuple(self.colours[old] for old in lot)  # everybody keeps their colour
        again = {**self.setup.model_dump(), "seats": plan, "colours": colours}
        setup = TableSetup.model_validate(again)
        there = people(self.seats)
        host = self.host if self.host in there else there[0]
        name = next(seat.name for seat in self.seats if seat.person == host)
        events: list[Event] = [
            Created(
                setup,
                host,
                name,
                secret.hex(),
                commitment,
                watch_key,
                self.id,
                lot,
                tuple(evening[old] for old in lot),
                self.not_first_next,
            )
        ]
        for number, seat in enumerate(sitting):
            if seat.is_bot and seat.level:
                events.append(BotSeated(number, seat.level))
            elif seat.person:
                sits = Joined(number, seat.person, seat.name, seat.hot_seat, avatar=seat.avatar)
                events.append(sits)
        return events

    # -- the finished game

    def record_text(self) -> str:
        """Return the record of the finished game, with the proof of its deal."""
        if self.phase != "finished" or self.playing is None or self.created is None:
            raise Refused(Reason.NOT_OVER)
        secret, options = bytes.fromhex(self.created.secret), self.playing.options
        given, not_first = contributions(self.seats), self.created.not_first
        tags = self._dealer.proof(secret, self.id, options, given, not_first)
        names = [
            seat.name or f"Bot ({str(seat.level).removeprefix(GUEST_BOT)})" for seat in self.seats
        ]
        return str(self.playing.game.record(names, **tags))
