"""A table with its store in a list and its time in a variable, for tests of the core."""

import json
from collections.abc import Sequence
from random import Random

import pytest

from patrizier import Deal, Game
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

TABLE = "table-0123456789abcdef"
SECRET = bytes(range(32))
KEY = "watchers-key"
NAMES = {"anna": "Anna", "ben": "Ben", "cleo": "Cleo", "dora": "Dora", "eve": "Eve"}
NOON = 1_700_000_000.0


def through_json(event: Event) -> Event:
    """Return an event as it comes back from a store."""
    return event_from_json(json.loads(json.dumps(event_to_json(event))))


class Parlour:
    """A table, everything that was stored of it, and what time it is."""

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
        """Let a person do something; raises Refused."""
        name = NAMES.get(person, person)
        events = self.table.handle(command, person, self.now, name=name, key=key)
        self.store(events, command.id, person)
        return events

    def id(self) -> str:
        self._ids += 1
        return f"c{self._ids}"

    def sit(self, *people: str) -> None:
        """Let people take the next free seats, and everybody contribute: a full table starts."""
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
        """Let whoever is to move play a turn, person or bot."""
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
        """Let time pass with these people connected, and act."""
        self.now += seconds
        events = self.table.timed_events(self.now, dict.fromkeys(here, self.now))
        self.store(events)
        return events

    def reloaded(self) -> Table:
        return Table.load(TABLE, self.stored)

    def told(self, person: str | None, *, key: str = "", since: int = 0) -> TableMessage:
        return visible(self.table, person, now=self.now, since=since, key=key)


def with_other_secrets(parlour: Parlour, viewer: int | None, rng: Random) -> list[Stored]:
    """Return the same events as the viewer knows them, with everything hidden from them changed.

    The hidden cards change places by the rules; secret and others' contributions are other ones.
    """
    stored = []
    for entry in parlour.stored:
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
                event = Started(start, str(_exchanged(parlour.game, viewer, rng)))
        stored.append(Stored(entry.seq, entry.at, entry.command_id, entry.person, event))
    return stored


def _exchanged(game: Game, viewer: int | None, rng: Random) -> Deal:
    """Return another deal that the viewer cannot tell from this one yet."""
    deal, stars = game.deal, game.options.deck
    records = list(game.records)
    pending = game.state.view(None).pending
    records += [pending] if pending else []
    played = {record.move.card for record in records}
    shown = sum(record.refill is not None for record in records)
    held = [
        card
        for seat, hand in enumerate(deal.hands)
        for card in hand
        if seat != viewer and card not in played
    ]
    pile = list(deal.pile[shown:])
    starry = [card for card in (*held, *pile) if stars[card].star]
    rng.shuffle(starry)
    rest = [card for card in (*held, *pile) if card not in starry[: len(held)]]
    rng.shuffle(rest)
    places = dict(zip((*held, *pile), (*starry[: len(held)], *rest), strict=True))
    hands = tuple(tuple(places.get(card, card) for card in hand) for hand in deal.hands)
    new_pile = tuple(places.get(card, card) for card in deal.pile)
    return Deal(hands, deal.display, new_pile, deal.start)


# -- shorthands

TWO = TableSetup(players=2)
THREE = TableSetup(players=3)
ALONE = TableSetup(players=3, seats=("person", "merchant", "doge"), rated=True)


def refuse(parlour: Parlour, person: str, command: Command, code: str) -> str:
    """Check that a command is refused and changes nothing; return the reason."""
    before, playing = parlour.table.copy(), parlour.table.playing
    codes = playing.codes if playing else None
    with pytest.raises(Refused) as refused:
        parlour.do(person, command)
    assert refused.value.code == code
    assert parlour.table == before
    assert parlour.table == parlour.reloaded()
    assert (playing.codes if playing else None) == codes
    return refused.value.text


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def playing(setup: TableSetup = TWO, *others: str) -> Parlour:
    parlour = Parlour(setup)
    parlour.sit(*(others or ("ben", "cleo")[: setup.players - 1]))
    assert parlour.table.phase == "playing"
    return parlour


def with_messengers() -> Parlour:
    return playing(TableSetup(players=2, rules=("messengers",)))


def decide(parlour: Parlour, text: str) -> list[Event]:
    seat, table = parlour.table.to_move, parlour.table
    assert seat is not None
    command = Decide(
        id=parlour.id(), seat=seat, decision=text, at_turn=table.turn, at_step=table.step
    )
    return parlour.do(parlour.mover, command)
