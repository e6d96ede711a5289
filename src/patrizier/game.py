"""One running game: play turns or single decisions, get a seat's view, save it as a record."""

from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from patrizier.deal import Deal
from patrizier.errors import IllegalMove, StaleMove
from patrizier.move import Move
from patrizier.options import Options
from patrizier.outcome import Outcome, Score
from patrizier.record import Record
from patrizier.rules import boundary
from patrizier.rules.board import cards_in_play
from patrizier.rules.chance import Seed
from patrizier.rules.codes import DECISIONS
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import Cells, copy_cells
from patrizier.state import State, count_scores, crests_of, decision_mask, list_moves, phase_of
from patrizier.view import View
from patrizier.why import why_illegal

if TYPE_CHECKING:
    from patrizier.ptr import GameRecord


class Game:
    """A game in progress, advanced turn by turn.

    >>> game = Game(Options(players=2), seed=7)
    >>> record = game.play(game.legal_moves[0])
    >>> record.turn, len(game.records), game.outcome()
    (1, 1, None)
    """

    def __init__(
        self, options: Options | None = None, *, seed: Seed | None = None, deal: Deal | None = None
    ) -> None:
        """Start a game from a seed or from a given deal: exactly one of them."""
        if (seed is None) == (deal is None):
            raise TypeError("a game starts from a seed or from a deal: give exactly one")
        self.options = options or Options()
        if deal is None:
            assert seed is not None
            deal = Deal.random(self.options, seed)
        self.deal = deal
        self._turns = len(cards_in_play(self.options.players))
        self._cells = State.start(self.options, deal)._cells
        self._buffer = new_scratch()
        self._codes = self._buffer["codes"][0]  # the kernels write the legal codes here
        self._event = boundary.new_event()
        self._list_legal, self._decide = boundary.steps()
        self._events: list[list[int]] = []  # one per finished turn, as numbers
        self._records: list[Record] = []  # the same as records, made on demand
        self._taken: list[int] = []  # decisions of the current turn
        self._decisions: list[int] = []  # all decisions

    # -- where the game stands

    @property
    def state(self) -> State:
        """A copy of the current position."""
        return State(self.options, copy_cells(self._cells))

    @property
    def turn(self) -> int:
        """Completed turns."""
        return len(self._events)

    @property
    def seat(self) -> int | None:
        """The seat to decide; None when the game is over."""
        return None if self.is_over else (self.deal.start + self.turn) % self.options.players

    @property
    def phase(self) -> str:
        """The next decision: build, move, draw or messenger; over at the end."""
        return phase_of(self._cells)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return len(self._events) == self._turns

    @property
    def records(self) -> Sequence[Record]:
        """Every finished turn and what it revealed."""
        self._write_up()
        return tuple(self._records)

    @property
    def moves(self) -> list[Move]:
        """Every finished turn."""
        return [record.move for record in self.records]

    @property
    def decisions(self) -> list[int]:
        """Every decision so far, including those of the current turn."""
        return list(self._decisions)

    # -- whole turns

    @property
    def legal_moves(self) -> list[Move]:
        """All legal turns; in mid-turn, those that continue it."""
        return list_moves(self._cells)

    def play(self, move: Move | str, *, turn: int | None = None) -> Record:
        """Play a whole turn, or the rest of the current one, and return its record.

        An illegal move raises `IllegalMove` and changes nothing. If ``turn``, the number of
        completed turns the mover has seen, is out of date, `StaleMove` is raised.

        >>> Game(Options(players=2), seed=7).play("BO1:LL")
        Traceback (most recent call last):
        ...
        patrizier.errors.IllegalMove: BO1:LL: BO1 is not in the hand of seat 1
        """
        move = Move(move) if isinstance(move, str) else move
        if turn is not None and turn != self.turn:
            raise StaleMove(
                f"{move} was meant for turn {turn + 1}, but this is turn {self.turn + 1}"
            )
        codes, cells, event = self._tried(move)
        self._decisions += codes[len(self._taken) :]
        self._taken = []
        self._cells = cells
        self._events.append(event)
        self._write_up()
        return self._records[-1]

    def after(self, move: Move) -> State:
        """Return the position after a turn, or the rest of the current one, without playing it.

        Raises `IllegalMove`, as `play` does.
        """
        return State(self.options, self._tried(move)[1])

    def _tried(self, move: Move) -> tuple[list[int], Cells, list[int]]:
        """Return a turn's decisions, the state after it, and its event; raises `IllegalMove`."""
        if self.is_over:
            raise IllegalMove(f"{move}: the game is over", "over")
        start = self._replayed(self.turn)._cells if self._taken else self._cells
        trial, event, refused = copy_cells(start), boundary.new_event(), False

        def decide(code: int) -> bool:
            nonlocal refused
            answer = boundary.decide(trial, self._buffer, code, event)
            refused = answer == boundary.REFUSED
            return answer != boundary.GOES_ON

        codes = move.carry_out(lambda: phase_of(trial), decide)
        if refused or self._record(event.tolist(), self.turn).move != move:
            raise why_illegal(start, move)
        if codes[: len(self._taken)] != self._taken:
            raise IllegalMove(f"{move}: this turn has already been decided differently", "decided")
        return codes, trial, event.tolist()

    def play_until(self, move: Move, phase: str) -> None:
        """Play a legal turn, or the rest of one, until a later phase of it is next.

        A messenger is laid after the refill: with ``"messenger"``, it can be chosen with the new
        card in view. Raises `IllegalMove` at the first decision that is not legal.

        >>> game = Game(Options(players=2), seed=7)
        >>> game.play_until(game.legal_moves[0], "messenger")
        >>> game.turn == 1 or game.phase == "messenger"
        True
        """
        stop = None if self.phase == phase else phase
        move.carry_out(lambda: self.phase, self.decide, until=stop)

    def take_back(self, turns: int = 1) -> None:
        """Undo the last turns, and whatever has been decided in the current one."""
        if not 0 <= turns <= self.turn:
            raise ValueError(f"cannot take back {turns} turns: {self.turn} were played")
        before = self._replayed(self.turn - turns)
        self.__dict__.update(before.__dict__)

    # -- single decisions

    def legal_decisions(self) -> list[int]:
        """Return the codes of all legal decisions, ascending."""
        codes: list[int] = self._codes[: self._list_legal(self._cells, self._buffer)].tolist()
        codes.sort()
        return codes

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return an array over all decision codes, true where one is legal."""
        return decision_mask(self.legal_decisions())

    def decide(self, code: int) -> bool:
        """Take one decision; return whether it ended the turn."""
        code = index(code)
        answer = boundary.REFUSED
        if 0 <= code < DECISIONS:
            answer = self._decide(self._cells, self._buffer, code, self._event)
        if answer == boundary.ENDED:
            self._decisions.append(code)
            self._events.append(self._event.tolist())
            self._taken = []
            return True
        if answer == boundary.GOES_ON:
            self._decisions.append(code)
            self._taken.append(code)
            return False
        raise IllegalMove(f"decision {code} is not legal here: {self.legal_decisions()} are")

    # -- views and scores

    def view(self, seat: int | None) -> View:
        """Return what a seat, or a spectator (None), may know, including history."""
        return View.of(self.state, seat, self.records)

    def scores(self) -> tuple[Score, ...]:
        """Return every seat's points as if the game ended now."""
        return count_scores(self._cells)

    def outcome(self) -> Outcome | None:
        """Return the result, or None while the game goes on."""
        return Outcome(self.scores()) if self.is_over else None

    # -- copying and saving

    def copy(self) -> "Game":
        """Return an independent copy."""
        return _restore(self.options, self.deal, self._decisions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the deal and the decisions, and replay them when loading."""
        return _restore, (self.options, self.deal, self._decisions)

    def record(self, names: Iterable[str] = (), **tags: str) -> "GameRecord":
        """Return the game as a game record, with the players' names and any further tags."""
        from patrizier.ptr import GameRecord

        return GameRecord.of(self, names, tags)

    @classmethod
    def from_record(cls, text: str) -> "Game":
        """Return the game of a record, ready to continue; the text holds exactly one."""
        from patrizier.ptr import read_games

        games = read_games(text)
        if len(games) != 1:
            raise ValueError(f"the text holds {len(games)} games, not one")
        return games[0].game()

    def _repr_svg_(self) -> str:
        """Return the diagram that notebooks show: the position now, all hands open."""
        return self.state._repr_svg_()

    def __repr__(self) -> str:
        who = "over" if self.is_over else f"seat {self.seat} to {self.phase}"
        return f"<Game of {self.options.players} players, {self.turn} turns played, {who}>"

    def _write_up(self) -> None:
        """Create the records that are still missing."""
        for number in range(len(self._records), len(self._events)):
            self._records.append(self._record(self._events[number], number))

    def _record(self, event: list[int], number: int) -> Record:
        seat = (self.deal.start + number) % self.options.players
        return Record.from_event(number + 1, seat, crests_of(self._cells, event[0]), event)

    def _replayed(self, turns: int) -> "Game":
        """Return this game after its first ``turns`` turns."""
        game = Game(self.options, deal=self.deal)
        for code in self._decisions:
            if game.turn == turns:
                break
            game.decide(code)
        return game


def _restore(options: Options, deal: Deal, decisions: Iterable[int]) -> Game:
    game = Game(options, deal=deal)
    for code in decisions:
        game.decide(code)
    return game
