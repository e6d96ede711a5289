"""Turns a command into events, or refuses it. Nothing here changes a table."""

from patrizier.server.names import guest_name
from patrizier.server.reasons import Reason

from . import budgets
from . import commands as c
from .actor import Asking, own_seat, played_seat, role_of
from .chat import MOST_SAID, clean_text, mark_of
from .commands import Command, Refused
from .events import Event, Muted, RematchOffered, Resigned, Said, StandIn, TookOver
from .preparation import Derive, gather
from .seats import held_by, people
from .state import Folded
from .turns import answer_undo, ask_undo, decide, play, take_back

MOST_MUTED = 50  # by one person
LONGEST_NAME = 24


def handle(table: Folded, command: Command, asking: Asking, derive: Derive) -> list[Event]:
    """Return the events a command brings; none if it was carried out before."""
    if table.was_done(asking.person, command.id):
        return []
    budgets.check(table, command, asking.person)
    match command:
        case c.Play():
            return play(table, command, asking)
        case c.Decide():
            return decide(table, command, asking)
        case c.AskUndo():
            return ask_undo(table, command, asking)
        case c.AnswerUndo():
            return answer_undo(table, command, asking)
        case c.TakeBack():
            return take_back(table, command, asking)
        case c.Resign():
            return _resign(table, command, asking)
        case c.TakeOver():
            return _take_over(table, command, asking)
        case c.Say():
            return _say(table, command, asking)
        case c.Mute():
            return _mute(table, command, asking)
        case c.OfferRematch():
            return _offer_rematch(table, asking)
        case _:
            return gather(table, command, asking, derive)


def _resign(table: Folded, command: c.Resign, asking: Asking) -> list[Event]:
    played_seat(table, asking, command.seat)
    level = table.setup.stand_in
    return [Resigned(command.seat), StandIn(command.seat, level, "resigned")]


def _take_over(table: Folded, command: c.TakeOver, asking: Asking) -> list[Event]:
    if table.phase != "playing":
        raise Refused(Reason.NOT_PLAYING)
    if own_seat(table, asking, command.seat).stand_in is None:
        return []
    return [TookOver(command.seat)]


def _say(table: Folded, command: c.Say, asking: Asking) -> list[Event]:
    role = role_of(table, asking.person, asking.key)
    if role == "outsider":
        raise Refused(Reason.NOT_AT_TABLE)
    if table.phase == "abandoned":
        raise Refused(Reason.TABLE_CLOSED)
    talk = table.talk
    said = talk.said_by_watchers if role == "watcher" else talk.said_by_players
    if said >= MOST_SAID:
        raise Refused(Reason.SAID_ENOUGH)
    text = clean_text(command.text)
    if not text:
        raise Refused(Reason.NOTHING_SAID)
    if role == "watcher":
        name = clean_text(asking.name)[:LONGEST_NAME] or guest_name(asking.person)
        return [Said(asking.person, name, None, "watchers", text)]
    seat = held_by(table.seats, asking.person)[0]
    return [Said(asking.person, table.seats[seat].name, seat, "players", text)]


def _mute(table: Folded, command: c.Mute, asking: Asking) -> list[Event]:
    if role_of(table, asking.person) != "player":
        raise Refused(Reason.PLAYERS_MUTE)
    known = {*people(table.seats), *(line.person for line in table.talk.said)} - {asking.person}
    muted = table.talk.muted_by(asking.person)
    for person in {*known, *muted}:
        if mark_of(table.id, person) == command.who:
            if command.on == (person in muted):
                return []
            if command.on and len(muted) >= MOST_MUTED:
                raise Refused(Reason.MUTED_ENOUGH)
            return [Muted(asking.person, person, command.on)]
    raise Refused(Reason.NOBODY_TO_MUTE)


def _offer_rematch(table: Folded, asking: Asking) -> list[Event]:
    if table.phase != "finished":
        raise Refused(Reason.NOT_OVER)
    if not held_by(table.seats, asking.person):
        raise Refused(Reason.NOT_PLAYED_HERE)
    if table.rematch or asking.person in table.offers:
        return []
    return [RematchOffered(asking.person)]
