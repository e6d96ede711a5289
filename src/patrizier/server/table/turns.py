"""During the game: turns and decisions, and taking them back."""

from patrizier.outcome import Outcome
from patrizier.server.reasons import Reason

from . import commands as c
from .actor import Asking, played_seat
from .commands import Refused
from .events import (
    Decided,
    Event,
    Finished,
    TurnPlayed,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from .game import Playing, Step
from .seats import held_by, people, players
from .setup import By, Seat
from .state import Folded


def play(table: Folded, command: c.Play, asking: Asking) -> list[Event]:
    """Return what a whole turn brings."""
    playing = on_turn(table, asking, command.seat, command.at_turn)
    step = playing.try_move(command.move)
    return [TurnPlayed(command.seat, command.move), *_end(table, step.outcome)]


def decide(table: Folded, command: c.Decide, asking: Asking) -> list[Event]:
    """Return what a single decision brings."""
    playing = on_turn(table, asking, command.seat, command.at_turn)
    if command.at_step != playing.step:
        raise Refused(Reason.STEP_PASSED)
    step = playing.try_decision(command.decision)
    return [Decided(command.seat, command.decision), *_end(table, step.outcome)]


def bot_events(table: Folded, seat: Seat, move: str, at_turn: int, at_step: int) -> list[Event]:
    """Return what a bot's answer brings; up to a messenger, for which it is asked again."""
    if table.to_move != seat or (table.turn, table.step) != (at_turn, at_step):
        raise Refused(Reason.GAME_WENT_ON)
    state, playing = table.seats[seat], table.playing
    assert playing
    if state.level is None:
        raise Refused(Reason.PERSON_PLAYS)
    step = playing.try_up_to_messenger(move)
    by: By = "bot" if state.is_bot else "stand-in"
    return [*_bot_turn(playing, step, seat, move, by), *_end(table, step.outcome)]


def _bot_turn(playing: Playing, step: Step, seat: Seat, move: str, by: By) -> list[Event]:
    if step.ends_turn and playing.step == 0:
        return [TurnPlayed(seat, move, by)]
    return [Decided(seat, decision, by) for decision in step.decisions]


def on_turn(table: Folded, asking: Asking, seat: Seat, at_turn: int) -> Playing:
    """Return the game, if the person is to decide now."""
    played_seat(table, asking, seat)
    _check_turn(table, at_turn)
    if table.to_move != seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    deadline = table.deadline()
    if deadline is not None and asking.now > deadline:
        raise Refused(Reason.TIME_IS_UP)
    assert table.playing
    return table.playing


def _check_turn(table: Folded, at_turn: int) -> None:
    if at_turn != table.turn:
        raise Refused(Reason.TURN_PASSED, meant=at_turn + 1, now=table.turn + 1)


def _end(table: Folded, outcome: Outcome | None) -> list[Event]:
    if outcome is None:
        return []
    forfeits = tuple(number for number, seat in enumerate(table.seats) if seat.forfeited)
    return [Finished(outcome.to_json(), table.rated, forfeits)]


def ask_undo(table: Folded, command: c.AskUndo, asking: Asking) -> list[Event]:
    """Return what asking for an undo brings: at once the undo, if nobody else is to agree."""
    played_seat(table, asking, command.seat)
    _check_turn(table, command.at_turn)
    if table.undo:
        raise Refused(Reason.UNDO_ASKED)
    _check_back(table, command.to_turn)
    assert table.playing
    if not table.playing.reveals_nothing(command.to_turn):
        raise Refused(Reason.CARD_SHOWN)
    asked = UndoAsked(command.seat, command.to_turn)
    if players(table.seats) == (asking.person,):
        return [asked, Undone(command.to_turn, free=False)]
    return [asked]


def answer_undo(table: Folded, command: c.AnswerUndo, asking: Asking) -> list[Event]:
    """Return what an answer brings: the undo, if it was the last yes."""
    played_seat(table, asking, command.seat)
    undo = table.undo
    if undo is None or undo.to_turn != command.to_turn:
        raise Refused(Reason.UNDO_GONE)
    if asking.person in undo.agreed and command.yes:
        return []
    answered = UndoAnswered(command.seat, command.yes)
    if command.yes and set(players(table.seats)) <= {*undo.agreed, asking.person}:
        return [answered, Undone(undo.to_turn, free=False)]
    return [answered]


def take_back(table: Folded, command: c.TakeBack, asking: Asking) -> list[Event]:
    """Return what taking back against bots brings; such a game does not count any more."""
    played_seat(table, asking, command.seat)
    _check_turn(table, command.at_turn)
    if people(table.seats) != (asking.person,) or len(held_by(table.seats, asking.person)) > 1:
        raise Refused(Reason.OTHERS_PLAY)
    if any(seat.erased for seat in table.seats):
        raise Refused(Reason.OTHERS_PLAYED)
    _check_back(table, command.to_turn)
    assert table.playing
    if table.playing.seat_at(command.to_turn) != command.seat:
        raise Refused(Reason.NOT_OWN_TURN)
    return [Undone(command.to_turn, free=True)]


def _check_back(table: Folded, to_turn: int) -> None:
    if to_turn > table.turn or (to_turn == table.turn and table.step == 0):
        raise Refused(Reason.NOTHING_TO_UNDO)
