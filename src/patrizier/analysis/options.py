"""The options of a seat: its turns, as far as the next card turned up, or whole.

The messenger comes after the refill, when its player has seen the new card. So a turn has two
stages where a messenger may be laid and a card is turned up: everything before the refill, and the
messenger. Otherwise it has one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from patrizier.move import Move, turn_text
from patrizier.rules import boundary
from patrizier.rules.board import CITY_OF_CARD
from patrizier.rules.codes import NO_MOVE, WAYS
from patrizier.rules.deck import SECOND_CREST
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import BUILDING, POSTING, Cells, copy_cells

_EVENT_EDGE = boundary.EVENT_FIELDS.index("edge")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a stage: its decisions, and the turn as far as it goes."""

    codes: tuple[int, ...]
    move: Move


def options_of(cells: Cells) -> list[Option]:
    """Return the choices of the stage that begins here; mirror images are left out.

    Only the own hand and the display matter, so any sample of hidden cards gives the same.
    """
    return list(_walk(cells, ()))


def _walk(cells: Cells, taken: tuple[int, ...]) -> Iterator[Option]:
    buffer = new_scratch()
    codes = sorted(buffer["codes"][0][: boundary.list_legal(cells, buffer)].tolist())
    for code in codes:
        if mirrored(cells, code) != code:
            continue
        later, event = copy_cells(cells), boundary.new_event()
        ended = boundary.decide(later, buffer, code, event) == boundary.ENDED
        if ended:
            card, way, moved, source, free, *_ = event.tolist()
            draw = source if free == 1 else -1
            move = _move(cells, card, way, moved, draw, int(event[_EVENT_EDGE]))
            yield Option((*taken, code), move)
        elif ends_stage(later):
            yield Option((*taken, code), _pending(later))
        else:
            yield from _walk(later, (*taken, code))


def ends_stage(cells: Cells) -> bool:
    """Whether a card has just been turned up, and the messenger is a choice of its own."""
    return bool(cells["phase"][0] == POSTING and cells["refill"][0] >= 0)


def mirrored(cells: Cells, code: int) -> int:
    """Return the decision itself, or its mirror image at a city without floors: the left site."""
    if cells["phase"][0] != BUILDING or code >= NO_MOVE:
        return code
    card, right = divmod(code, WAYS)
    bare = not cells["heights"][0, CITY_OF_CARD[card]].any()
    return code - right if bare and right == _crests(cells, card) else code


def _crests(cells: Cells, card: int) -> int:
    return 1 + (int(cells["faces"][0, card]) & SECOND_CREST)


def _move(cells: Cells, card: int, way: int, moved: int, draw: int, edge: int) -> Move:
    return Move(turn_text(card, _crests(cells, card), way, moved, draw, edge))


def _pending(cells: Cells) -> Move:
    state = cells[0]
    draw = int(state["source"]) if state["free"] == 1 else -1
    return _move(cells, int(state["card"]), int(state["way"]), int(state["moved"]), draw, -1)
