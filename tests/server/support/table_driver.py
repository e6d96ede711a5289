"""Drives a table without store and clock: events in a list, the time in a variable."""

import json
from collections.abc import Sequence
from random import Random

import pytest

from patrizier import Game
from patrizier.server.deal.provably_fair import commit
from patrizier.server.protocol.messages import TableMessage
from patrizier.server.table.commands import Command, Contribute, Decide, Join, Play, Refused
from patrizier.server.table.events import (
    Contributed,
    Created,
    Event,
    Started,
    Stored,
    event_from_json,
    event_to_json,
)
from patrizier.server.table.setup import TableSetup
from patrizier.server.table.table import Table
from patrizier.server.table.visibility import visible
from server.support.hidden_cards import other_deal

TABLE = "table-0123456789abcdef"
SECRET = bytes(range(32))
KEY = "watchers-key"
NAMES = {"anna": "Anna", "ben": "Ben", "cleo": "Cleo", "dora": "Dora", "eve": "Eve"}
NOON = 1_700_000_000.0


def through_json(event: Event) -> Event:
    """Return an event after a round trip through JSON."""
    return event_from_json(json.loads(json.dumps(event_to_json(event))))


class TableDriver:
    """A table, its stored events, and the time."""

    def __init__(
        self, setup: TableSetup | None = None, host: str = "anna", *, take_seat: bool = True
    ) -> None:
        self.setup = setup or TableSetup(players=2)
        self.now = NOON
        self.stored: list[Stored] = []
        self.table, events = Table.new(
            TABLE,
            self.setup,
            host,
            NAMES[host],
            secret=SECRET,
            commitment=commit(SECRET, TABLE, self.setup.options),
            watch_key=KEY,
            take_seat=take_seat,
        )
        self.store(events)
        self._ids = 0

    def store(
        self, events: Sequence[Event], command_id: str | None = None, person: str | None = None
    ) -> None:
        for event in events:
            stored = Stored(self.table.seq + 1, self.now, command_id, person, through_json(event))
            self.stored.append(stored)
            self.table.fold(stored)

    def do(self, person: str, command: Command, key: str = "") -> list[Event]:
        """Carry out a command; raises Refused."""
        name = NAMES.get(person, person)
        events = self.table.handle(command, person, self.now, name=name, key=key)
        self.store(events, command.id, person)
        return events

    def id(self) -> str:
        self._ids += 1
        return f"c{self._ids}"

    def sit(self, *people: str) -> None:
        """Seat these people and contribute for everybody: a full table starts."""
        for number, person in enumerate(people):
            self.do(person, Join(id=self.id(), contribution=f"{number:064x}"))
        for seat, state in enumerate(self.table.seats):
            if state.person and state.contribution is None and self.table.phase == "open":
                contribution = f"{seat + 100:064x}"
                self.do(
                    state.person, Contribute(id=self.id(), seat=seat, contribution=contribution)
                )

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    @property
    def mover(self) -> str:
        assert self.table.to_move is not None
        person = self.table.seats[self.table.to_move].person
        assert person
        return person

    def move(self, rng: Random) -> str:
        """Return a legal turn."""
        return rng.choice(self.game.legal_moves).text

    def play(self, move: str | None = None, rng: Random | None = None) -> list[Event]:
        """Play a turn for the seat to move, person or bot."""
        seat = self.table.to_move
        assert seat is not None
        move = move or self.move(rng or Random(self.table.seq))
        if bot := self.table.bot_to_move():
            events = self.table.bot_events(bot[0], move, self.table.turn, self.table.step)
            self.store(events)
            return events
        at = self.table.turn
        return self.do(self.mover, Play(id=self.id(), seat=seat, move=move, at_turn=at))

    def play_turns(self, count: int, seed: int = 1) -> None:
        rng, target = Random(seed), self.table.turn + count
        while self.table.phase == "playing" and self.table.turn < target:
            self.play(rng=rng)

    def finish(self, seed: int = 1) -> None:
        self.play_turns(60, seed)

    def pass_time(self, seconds: float, *here: str) -> list[Event]:
        """Let time pass with these people connected, and apply deadlines."""
        self.now += seconds
        events = self.table.timed_events(self.now, dict.fromkeys(here, self.now))
        self.store(events)
        return events

    def reloaded(self) -> Table:
        return Table.load(TABLE, self.stored)

    def told(self, person: str | None, *, key: str = "", since: int = 0) -> TableMessage:
        return visible(self.table, person, now=self.now, since=since, key=key)


def with_other_secrets(driver: TableDriver, viewer: int | None, rng: Random) -> list[Stored]:
    """Return the events with everything changed that is hidden from the viewer.

    That is hidden cards, the secret, and the others' contributions.
    """
    stored = []
    for entry in driver.stored:
        event = entry.event
        match event:
            case Created():
                secret = rng.randbytes(32).hex()
                event = Created(
                    event.setup, event.host, event.host_name, secret, event.commitment, KEY
                )
            case Contributed(seat):
                if seat != viewer:
                    event = Contributed(seat, rng.randbytes(32).hex())
            case Started(start):
                event = Started(start, str(other_deal(driver.game, viewer, rng)))
        stored.append(Stored(entry.seq, entry.at, entry.command_id, entry.person, event))
    return stored


# -- shorthands

TWO = TableSetup(players=2)
THREE = TableSetup(players=3)
ALONE = TableSetup(players=3, seats=("person", "merchant", "doge"), rated=True)


def refuse(driver: TableDriver, person: str, command: Command, code: str) -> str:
    """Check that a command is refused and changes nothing; return the reason."""
    before, playing = driver.table.copy(), driver.table.playing
    codes = playing.codes if playing else None
    with pytest.raises(Refused) as refused:
        driver.do(person, command)
    assert refused.value.code == code
    assert driver.table == before
    assert driver.table == driver.reloaded()
    assert (playing.codes if playing else None) == codes
    return refused.value.text


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def playing(setup: TableSetup = TWO, *others: str) -> TableDriver:
    driver = TableDriver(setup)
    driver.sit(*(others or ("ben", "cleo")[: setup.players - 1]))
    assert driver.table.phase == "playing"
    return driver


def with_messengers() -> TableDriver:
    return playing(TableSetup(players=2, rules=("messengers",)))


def decide(driver: TableDriver, text: str) -> list[Event]:
    seat, table = driver.table.to_move, driver.table
    assert seat is not None
    command = Decide(
        id=driver.id(), seat=seat, decision=text, at_turn=table.turn, at_step=table.step
    )
    return driver.do(driver.mover, command)
