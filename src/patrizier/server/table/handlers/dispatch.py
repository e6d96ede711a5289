"""Finds the handler of a command: events, or a refusal. Nothing here changes a table."""

from patrizier.server.names import guest_name
from patrizier.server.reasons import Reason
from patrizier.server.table import commands as c
from patrizier.server.table.actor import Actor, own_seat, played_seat, role_of
from patrizier.server.table.chat import MOST_SAID, clean_text, mark_of
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.events import (
    Event,
    Muted,
    RematchOffered,
    Resigned,
    Said,
    StandIn,
    TookOver,
)
from patrizier.server.table.seats import held_by, people
from patrizier.server.table.state import TableState

from . import budgets
from .preparation import Derive, gather
from .turns import answer_undo, ask_undo, decide, play, take_back

MOST_MUTED = 50  # by one person
LONGEST_NAME = 24


def handle(table: TableState, command: Command, actor: Actor, derive: Derive) -> list[Event]:
    """Return the events of a command; none if it was carried out before."""
    if table.was_done(actor.person, command.id):
        return []
    budgets.check(table, command, actor.person)
    match command:
        case c.Play():
            return play(table, command, actor)
        case c.Decide():
            return decide(table, command, actor)
        case c.AskUndo():
            return ask_undo(table, command, actor)
        case c.AnswerUndo():
            return answer_undo(table, command, actor)
        case c.TakeBack():
            return take_back(table, command, actor)
        case c.Resign():
            return _resign(table, command, actor)
        case c.TakeOver():
            return _take_over(table, command, actor)
        case c.Say():
            return _say(table, command, actor)
        case c.Mute():
            return _mute(table, command, actor)
        case c.OfferRematch():
            return _offer_rematch(table, actor)
        case _:
            return gather(table, command, actor, derive)


def _resign(table: TableState, command: c.Resign, actor: Actor) -> list[Event]:
    played_seat(table, actor, command.seat)
    level = table.setup.stand_in
    return [Resigned(command.seat), StandIn(command.seat, level, "resigned")]


def _take_over(table: TableState, command: c.TakeOver, actor: Actor) -> list[Event]:
    if table.phase != "playing":
        raise Refused(Reason.NOT_PLAYING)
    if own_seat(table, actor, command.seat).stand_in is None:
        return []
    return [TookOver(command.seat)]


def _say(table: TableState, command: c.Say, actor: Actor) -> list[Event]:
    role = role_of(table, actor.person, actor.key)
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
        name = clean_text(actor.name)[:LONGEST_NAME] or guest_name(actor.person)
        return [Said(actor.person, name, None, "watchers", text)]
    seat = held_by(table.seats, actor.person)[0]
    return [Said(actor.person, table.seats[seat].name, seat, "players", text)]


def _mute(table: TableState, command: c.Mute, actor: Actor) -> list[Event]:
    if role_of(table, actor.person) != "player":
        raise Refused(Reason.PLAYERS_MUTE)
    known = {*people(table.seats), *(line.person for line in table.talk.said)} - {actor.person}
    muted = table.talk.muted_by(actor.person)
    for person in {*known, *muted}:
        if mark_of(table.id, person) == command.who:
            if command.on == (person in muted):
                return []
            if command.on and len(muted) >= MOST_MUTED:
                raise Refused(Reason.MUTED_ENOUGH)
            return [Muted(actor.person, person, command.on)]
    raise Refused(Reason.NOBODY_TO_MUTE)


def _offer_rematch(table: TableState, actor: Actor) -> list[Event]:
    if table.phase != "finished":
        raise Refused(Reason.NOT_OVER)
    if not held_by(table.seats, actor.person):
        raise Refused(Reason.NOT_PLAYED_HERE)
    if table.rematch or actor.person in table.offers:
        return []
    return [RematchOffered(actor.person)]
