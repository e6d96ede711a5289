"""During the game: turns and decisions, and taking them back."""

from collections.abc import Callable
from typing import Literal, ParamSpec, TypeAlias

from patrizier.outcome import Outcome
from patrizier.server.reasons import Reason
from patrizier.server.table import commands as c
from patrizier.server.table.actor import Actor, played_seat
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import (
    Decided,
    Event,
    Finished,
    TurnPlayed,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from patrizier.server.table.game import Step, TableGame
from patrizier.server.table.seats import held_by, people, players
from patrizier.server.table.setup import By, PersonId, Seat
from patrizier.server.table.state import TableState

P = ParamSpec("P")
WayBack: TypeAlias = Literal["take-back", "ask-undo"]  # the commands


def play(table: TableState, command: c.Play, actor: Actor) -> list[Event]:
    """Return the events of a whole turn."""
    playing = on_turn(table, actor, command.seat, command.at_turn)
    outcome = playing.try_move(command.move)
    return [TurnPlayed(command.seat, command.move), *_end(table, outcome)]


def decide(table: TableState, command: c.Decide, actor: Actor) -> list[Event]:
    """Return the events of a single decision."""
    playing = on_turn(table, actor, command.seat, command.at_turn)
    if command.at_step != playing.step:
        raise Refused(Reason.STEP_PASSED)
    outcome = playing.try_decision(command.decision)
    return [Decided(command.seat, command.decision), *_end(table, outcome)]


def bot_events(table: TableState, seat: Seat, move: str, at_turn: int, at_step: int) -> list[Event]:
    """Return the events of a bot's answer, up to a messenger, for which it is asked again."""
    if table.to_move != seat or (table.turn, table.step) != (at_turn, at_step):
        raise Refused(Reason.GAME_WENT_ON)
    state, playing = table.seats[seat], table.playing
    assert playing
    if state.level is None:
        raise Refused(Reason.PERSON_PLAYS)
    step = playing.try_up_to_messenger(move)
    by: By = "bot" if state.is_bot else "stand-in"
    return [*_bot_turn(playing, step, seat, move, by), *_end(table, step.outcome)]


def _bot_turn(playing: TableGame, step: Step, seat: Seat, move: str, by: By) -> list[Event]:
    if step.ends_turn and playing.step == 0:
        return [TurnPlayed(seat, move, by)]
    return [Decided(seat, decision, by) for decision in step.decisions]


def on_turn(table: TableState, actor: Actor, seat: Seat, at_turn: int) -> TableGame:
    """Return the game, if the person is to decide now; raises Refused."""
    played_seat(table, actor, seat)
    _check_turn(table, at_turn)
    if table.to_move != seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    deadline = table.deadline()
    if deadline is not None and actor.now > deadline:
        raise Refused(Reason.TIME_IS_UP)
    assert table.playing
    return table.playing


def _check_turn(table: TableState, at_turn: int) -> None:
    if at_turn != table.turn:
        raise Refused(Reason.TURN_PASSED, meant=at_turn + 1, now=table.turn + 1)


def _end(table: TableState, outcome: Outcome | None) -> list[Event]:
    if outcome is None:
        return []
    forfeits = tuple(number for number, seat in enumerate(table.seats) if seat.forfeited)
    return [Finished(outcome.to_json(), table.rated, forfeits)]


def ask_undo(table: TableState, command: c.AskUndo, actor: Actor) -> list[Event]:
    """Return the events of asking for an undo: the undo itself if nobody has to agree."""
    played_seat(table, actor, command.seat)
    _check_turn(table, command.at_turn)
    _check_ask_undo(table, command.to_turn)
    asked = UndoAsked(command.seat, command.to_turn)
    if players(table.seats) == (actor.person,):
        return [asked, Undone(command.to_turn, free=False)]
    return [asked]


def answer_undo(table: TableState, command: c.AnswerUndo, actor: Actor) -> list[Event]:
    """Return the events of an answer: also the undo, if it was the last yes."""
    played_seat(table, actor, command.seat)
    undo = table.undo
    if undo is None or undo.to_turn != command.to_turn:
        raise Refused(Reason.UNDO_GONE)
    if actor.person in undo.agreed and command.yes:
        return []
    answered = UndoAnswered(command.seat, command.yes)
    if command.yes and set(players(table.seats)) <= {*undo.agreed, actor.person}:
        return [answered, Undone(undo.to_turn, free=False)]
    return [answered]


def take_back(table: TableState, command: c.TakeBack, actor: Actor) -> list[Event]:
    """Return the events of taking back against bots; the game is then no longer rated."""
    played_seat(table, actor, command.seat)
    _check_turn(table, command.at_turn)
    _check_take_back(table, actor.person, command.seat, command.to_turn)
    return [Undone(command.to_turn, free=True)]


def way_back(table: TableState, person: PersonId, seat: Seat) -> tuple[WayBack, int] | None:
    """Return the command that takes back a seat's last turn, and that turn; None if none may."""
    last = _last_turn(table, seat)
    if last is None or table.phase != "playing" or not table.seats[seat].person_plays:
        return None
    if _allows(_check_take_back, table, person, seat, last):
        return "take-back", last
    return ("ask-undo", last) if _allows(_check_ask_undo, table, last) else None


def may_be_advised(table: TableState, seat: Seat) -> bool:
    """Whether a seat may get hints: all others are bots."""
    others = (state for number, state in enumerate(table.seats) if number != seat)
    return table.seats[seat].person_plays and all(state.is_bot for state in others)


def _last_turn(table: TableState, seat: Seat) -> int | None:
    """Return the completed turns before a seat's current or last turn; None if it has none."""
    playing = table.playing
    if playing is None:
        return None
    begun = playing.turn + bool(playing.step)
    return next((turn for turn in reversed(range(begun)) if playing.seat_at(turn) == seat), None)


def _allows(check: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> bool:
    try:
        check(*args, **kwargs)
    except Refused:
        return False
    return True


def _check_ask_undo(table: TableState, to_turn: int) -> None:
    if table.undo:
        raise Refused(Reason.UNDO_ASKED)
    _check_back(table, to_turn)
    assert table.playing
    if not table.playing.reveals_nothing(to_turn):
        raise Refused(Reason.CARD_SHOWN)


def _check_take_back(table: TableState, person: PersonId, seat: Seat, to_turn: int) -> None:
    if people(table.seats) != (person,) or len(held_by(table.seats, person)) > 1:
        raise Refused(Reason.OTHERS_PLAY)
    if any(state.erased for state in table.seats):
        raise Refused(Reason.OTHERS_PLAYED)
    _check_back(table, to_turn)
    assert table.playing
    if table.playing.seat_at(to_turn) != seat:
        raise Refused(Reason.NOT_OWN_TURN)


def _check_back(table: TableState, to_turn: int) -> None:
    if to_turn > table.turn or (to_turn == table.turn and table.step == 0):
        raise Refused(Reason.NOTHING_TO_UNDO)
