"""A position as an immutable value: compare, store, list legal decisions, apply one."""

import threading
from collections.abc import Iterable
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from patrizier.deal import Deal
from patrizier.errors import IllegalMove
from patrizier.move import Move, turn_text
from patrizier.options import Options
from patrizier.outcome import Outcome, Score
from patrizier.rules import boundary
from patrizier.rules.board import CARD_INDEX, CARDS, MAX_PLAYERS
from patrizier.rules.check import check_state, options_of
from patrizier.rules.codes import DECISIONS, NO_MOVE, WAYS, decision_text
from patrizier.rules.deck import SECOND_CREST
from patrizier.rules.score import CHIPS, FLOORS, MINUS, SETS, TOKENS
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import OVER, PHASES, STATE, Cells, copy_cells, new_cells
from patrizier.rules.turns import MOST_STEPS, TURN_COLUMNS, list_turns

if TYPE_CHECKING:
    from patrizier.view import View

_MAGIC = b"PTZ\x01"  # the fourth byte is the format version


class _Buffers(threading.local):
    """What `decide` writes into: a pair per thread, since compiled code releases the lock."""

    def __init__(self) -> None:
        self.pair = new_scratch(), boundary.new_event()


_BUFFERS = _Buffers()


class State:
    """An immutable position.

    Equal positions are equal states, whatever the path to them.

    >>> state = State.start(Options(players=2), Deal.random(Options(players=2), seed=1))
    >>> later = state.apply(state.legal_decisions()[0])
    >>> later.turn, state.turn
    (1, 0)
    >>> State.from_bytes(later.to_bytes()) == later
    True
    """

    __slots__ = ("_cells", "options")

    def __init__(self, options: Options, cells: Cells) -> None:
        """Take ownership of a state of the rules: nobody else may change it."""
        self.options = options
        self._cells = cells

    @classmethod
    def start(cls, options: Options, deal: Deal) -> "State":
        """Return the position before the first turn."""
        deal.check(options)
        cells, buffer = options.blank_cells(), new_scratch()
        buffer["order"][0] = deal.order()
        boundary.lay_out(cells, buffer, deal.start)
        return cls(options, cells)

    @property
    def record(self) -> np.record:
        """The rules' record: read it in Python, copy it for compiled code."""
        record: np.record = self._cells[0]
        return record

    @property
    def turn(self) -> int:
        """Completed turns."""
        return int(self._cells["turn"][0])

    @property
    def seat(self) -> int | None:
        """The seat to decide; None when the game is over."""
        return None if self.is_over else int(self._cells["seat"][0])

    @property
    def phase(self) -> str:
        """The next decision: build, move, draw or messenger; over at the end."""
        return phase_of(self._cells)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._cells["phase"][0] == OVER)

    def legal_decisions(self) -> list[int]:
        """Return the codes of all legal decisions, ascending."""
        return list_decisions(self._cells)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return an array over all decision codes, true where one is legal."""
        return decision_mask(self.legal_decisions())

    def legal_moves(self) -> list[Move]:
        """Return all legal turns; in mid-turn, those that continue it."""
        return list_moves(self._cells)

    def decision_text(self, code: int) -> str:
        """Return a decision as text: ``BO1:LL``, ``>MI.R``, ``+FI``, ``@MI-PA``."""
        return decision_text(code, crests_of(self._cells, code // WAYS) if code < NO_MOVE else 1)

    def apply(self, code: int) -> "State":
        """Return the position after a decision; ValueError if it is not legal."""
        cells = copy_cells(self._cells)
        _, decide = boundary.steps()
        buffer, event = _BUFFERS.pair
        if decide(cells, buffer, code, event) == boundary.REFUSED:
            raise ValueError(f"decision {code} is not legal here")
        return State(self.options, cells)

    def play(self, move: Move, *, until: str | None = None) -> "State":
        """Return the position after a turn, or before a phase of it; raises `IllegalMove`.

        >>> state = State.start(Options(players=2), Deal.random(Options(players=2), seed=1))
        >>> state.play(state.legal_moves()[0]).turn
        1
        """
        return self.walk(move, until=until)[0]

    def walk(self, move: Move, *, until: str | None = None) -> tuple["State", list[int]]:
        """Return what `play` does, and the decisions that lead there.

        A part of the move for which there is nothing to decide is ignored; `Game.after` is strict.
        """
        reached = self

        def decide(code: int) -> bool:
            nonlocal reached
            reached = reached.apply(code)
            return reached.turn != self.turn

        try:
            if self.phase == "build" and len(move.sites) != self._crests(move.card):
                raise ValueError("another number of floors")
            codes = move.carry_out(lambda: reached.phase, decide, until=until)
        except ValueError:
            raise self._why_illegal(move) from None
        return reached, codes

    def _crests(self, card: str) -> int:
        return crests_of(self._cells, CARD_INDEX[card])

    def _why_illegal(self, move: Move) -> IllegalMove:
        from patrizier.why import why_illegal

        if self.phase == "build":
            return why_illegal(self._cells, move)
        return IllegalMove(f"{move}: this turn is not possible here", "impossible")

    def view(self, seat: int | None) -> "View":
        """Return what a seat, or a spectator (None), may know of this position, without history."""
        from patrizier.view import View

        return View.of(self, seat)

    def scores(self) -> tuple[Score, ...]:
        """Return every seat's points as if the game ended now."""
        return count_scores(self._cells)

    def outcome(self) -> Outcome | None:
        """Return the result, or None while the game goes on."""
        return Outcome(self.scores()) if self.is_over else None

    def to_bytes(self) -> bytes:
        """Return the position as bytes, the same for equal positions."""
        return _MAGIC + normal_form(self._cells).tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> "State":
        """Read what `to_bytes` wrote; ValueError if that is not a position of the game."""
        if data[:4] != _MAGIC:
            raise ValueError("these bytes are not a position in the format of this version")
        if len(data) != len(_MAGIC) + STATE.itemsize:
            raise ValueError(f"a position has {len(_MAGIC) + STATE.itemsize} bytes")
        cells = np.frombuffer(bytearray(data[len(_MAGIC) :]), STATE)
        check_state(cells)
        players, rules, deck = options_of(cells)
        return cls(Options(players, rules, deck), cells)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def _repr_svg_(self) -> str:
        """Return the diagram that notebooks show: all hands are open."""
        from patrizier.diagram import state_svg

        return state_svg(self)

    def __repr__(self) -> str:
        who = "over" if self.seat is None else f"seat {self.seat} to {self.phase}"
        return f"<State of {self.options.players} players, {self.turn} turns played, {who}>"


def normal_form(cells: Cells) -> Cells:
    """Return a copy in normal form: equal positions have equal bytes."""
    cells = copy_cells(cells)
    boundary.normalise(cells)
    return cells


def phase_of(cells: Cells) -> str:
    """Return the phase by name."""
    return PHASES[cells["phase"][0]]


def unpack(cells: Cells) -> SimpleNamespace:
    """Return the fields as plain ints and lists, which Python reads much faster."""
    values = cells[0].item()  # all fields in one call
    plain = (value if type(value) is int else value.tolist() for value in values)
    return SimpleNamespace(**dict(zip(STATE.names or (), plain, strict=True)))


def list_decisions(cells: Cells) -> list[int]:
    """Return the codes of all legal decisions."""
    buffer = new_scratch()
    list_legal, _ = boundary.steps()
    count = list_legal(cells, buffer)
    codes: list[int] = buffer["codes"][0][:count].tolist()
    codes.sort()
    return codes


def decision_mask(codes: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Return an array over all decision codes, true for these."""
    mask = np.zeros(DECISIONS, np.bool_)
    mask[list(codes)] = True
    return mask


def crests_of(cells: Cells, card: int) -> int:
    """Return how many floors a card builds."""
    return 1 + (int(cells["faces"][0, card]) & SECOND_CREST)


def list_moves(cells: Cells) -> list[Move]:
    """Return all legal turns."""
    stack, buffers = new_cells(MOST_STEPS + 1), np.repeat(new_scratch(), MOST_STEPS + 1)
    stack[0] = cells[0]
    boundary.normalise(stack)  # equal positions list their turns in the same order
    rows = np.empty((256, TURN_COLUMNS), np.int8)
    count = list_turns(stack, buffers, rows)
    if count > len(rows):  # rare: a free draw, a special action and a messenger in one turn
        rows = np.empty((count, TURN_COLUMNS), np.int8)
        list_turns(stack, buffers, rows)
    crests = (1 + (cells["faces"][0] & SECOND_CREST)).tolist()
    return [_move(row[0], crests[row[0]], *row[1:]) for row in rows[:count].tolist()]


@lru_cache(maxsize=4096)
def _move(*numbers: int) -> Move:
    """Return a turn from the rules' indices; cached, since turns recur across games."""
    return Move(turn_text(*numbers))


def count_scores(cells: Cells) -> tuple[Score, ...]:
    """Return every seat's points as if the game ended now."""
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    boundary.tally(cells, table)
    columns = (TOKENS, SETS, CHIPS, MINUS, FLOORS)
    return tuple(Score(*(int(row[c]) for c in columns)) for row in table[: cells["players"][0]])


def card_name(card: int) -> str | None:
    """Return a card's id, or None for none."""
    return CARDS[card] if card >= 0 else None
