"""The game at a table, as a value that can drop its `Game` and rebuild it."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from patrizier.deal import Deal
from patrizier.errors import IllegalMove, InvalidMove
from patrizier.final_count import FinalCount, final_count
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.outcome import Outcome
from patrizier.record import Record
from patrizier.rules.board import cards_in_play
from patrizier.rules.codes import decision_code
from patrizier.server.reasons import Reason
from patrizier.standing import Standings, standings_of
from patrizier.state import State

from .commands import Refused
from .setup import Seat

MESSENGER = "messenger"  # the phase that comes after the refill


class Step(NamedTuple):
    """The result of a bot's answer."""

    decisions: tuple[str, ...]  # as texts, in order
    ends_turn: bool
    outcome: Outcome | None  # None unless it ends the game


class Begun(NamedTuple):
    """The position in which the current turn, or the last one, began."""

    state: State
    decisions: int  # before it


class TableGame:
    """A running game as an immutable value.

    It stores the decisions so far, one byte each. The `Game` built from them is handed on to the
    next value; if the older value still needs one, it is rebuilt.
    """

    __slots__ = (
        "_begun",
        "_final_count",
        "_game",
        "_standings",
        "codes",
        "deal",
        "options",
        "step",
        "turn",
    )

    def __init__(
        self,
        options: Options,
        deal: Deal,
        codes: bytes = b"",
        turn: int = 0,
        step: int = 0,
        game: Game | None = None,
        begun: Begun | None = None,
    ) -> None:
        self.options = options
        self.deal = deal
        self.codes = codes  # all decisions
        self.turn = turn  # completed turns
        self.step = step  # decisions of the current turn
        self._game = game
        self._begun = begun  # saves replaying the game for what its last turn changed
        self._standings: list[Standings] = []  # of the last turns, computed on demand
        self._final_count: FinalCount | None = None  # of the finished game, likewise

    @property
    def game(self) -> Game:
        """The game, read-only: it is shared."""
        if self._game is None:
            self._game = Game(self.options, deal=self.deal)
            for code in self.codes:
                self._game.decide(code)
        return self._game

    def rest(self) -> None:
        """Drop the `Game` until it is needed again."""
        self._game = None
        self._begun = None
        self._standings = []
        self._final_count = None

    @property
    def turns(self) -> int:
        """Turns of the whole game."""
        return _turns(self.options.players)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == self.turns

    @property
    def seat(self) -> Seat | None:
        """The seat to decide; None when the game is over."""
        return None if self.is_over else self.seat_at(self.turn)

    def seat_at(self, turn: int) -> Seat:
        """Return the seat to move after this many turns."""
        return (self.deal.start + turn) % self.options.players

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableGame):
            return NotImplemented
        mine = (self.options, self.deal, self.codes, self.turn, self.step)
        return mine == (other.options, other.deal, other.codes, other.turn, other.step)

    __hash__ = None  # type: ignore[assignment]

    # -- what may happen

    def try_move(self, text: str) -> Outcome | None:
        """Return the outcome if a turn, or the rest of one, ends the game; raises Refused."""
        try:
            return self.game.after(_read(text)).outcome()
        except IllegalMove as error:
            raise Refused.by_rules(error) from None

    def try_up_to_messenger(self, text: str) -> Step:
        """Return the result of a bot's answer; a messenger counts only after the refill."""
        move, state = _read(text), self.game.state
        stop = None if state.phase == MESSENGER else MESSENGER
        try:
            later, codes = state.walk(move, until=stop)
        except IllegalMove as error:
            raise Refused.by_rules(error) from None
        decisions = tuple(state.decision_text(code) for code in codes)
        return Step(decisions, later.turn != state.turn, later.outcome())

    def try_decision(self, text: str) -> Outcome | None:
        """Return the outcome if one decision ends the game; raises Refused."""
        try:
            code = decision_code(text)
        except ValueError as error:
            raise Refused(Reason.UNREADABLE_TURN, why=str(error)) from None
        state = self.game.state
        if code not in state.legal_decisions() or state.decision_text(code) != text:
            raise Refused(Reason.NOT_POSSIBLE, decision=text)
        return state.apply(code).outcome()

    def reveals_nothing(self, to_turn: int) -> bool:
        """Whether the turns after ``to_turn`` revealed no hidden card."""
        records = list(self.game.records[to_turn:])
        if self.step:
            pending = self.game.state.view(None).pending
            records += [pending] if pending else []
        return not any(self._revealed(record) for record in records)

    def _revealed(self, record: Record) -> bool:
        return record.refill is not None or record.move.card in self.deal.hands[record.seat]

    # -- what happened

    def standings(self, first: int) -> list[Standings]:
        """Return the standings after each step of the turns from ``first`` on.

        By turn, the current one last: empty if it has not begun.
        """
        wanted = self.turn + 1 - first
        if len(self._standings) < wanted:
            self._standings = list(_standings(self, first))
        return self._standings[-wanted:]

    def state_at(self, turn: int) -> State:
        """Return the position after so many turns."""
        return self.undone(turn).game.state

    def final_count(self) -> FinalCount:
        """Return the points of the finished game part by part."""
        if self._final_count is None:
            self._final_count = final_count(self.game)
        return self._final_count

    def played(self, text: str) -> "TableGame":
        """Return the game after a turn that `try_move` accepted."""
        begun, game, move = self._turn_begun(), self._hand_over(), _parsed(text)
        move.carry_out(lambda: game.phase, game.decide)
        return self._next(game, self.turn + 1, 0, begun)

    def decided(self, text: str) -> "TableGame":
        """Return the game after a decision that `try_decision` accepted."""
        begun, game = self._turn_begun(), self._hand_over()
        ended = game.decide(decision_code(text))
        return self._next(game, self.turn + ended, 0 if ended else self.step + 1, begun)

    def undone(self, to_turn: int) -> "TableGame":
        """Return the game as it was after this many turns."""
        game, count = Game(self.options, deal=self.deal), 0
        while game.turn < to_turn:
            game.decide(self.codes[count])
            count += 1
        return TableGame(self.options, self.deal, self.codes[:count], to_turn, 0, game)

    def _hand_over(self) -> Game:
        game = self.game
        self._game = None
        return game

    def _next(self, game: Game, turn: int, step: int, begun: Begun | None) -> "TableGame":
        return TableGame(self.options, self.deal, bytes(game.decisions), turn, step, game, begun)

    def _turn_begun(self) -> Begun | None:
        """Return the position in which the current turn began, if it is known."""
        return self._begun if self.step else Begun(self.game.state, len(self.codes))

    def _begun_at(self, turn: int) -> Begun:
        """Return the position after so many turns."""
        if self._begun is not None and self._begun.state.turn == turn:
            return self._begun
        then = self.undone(turn)
        return Begun(then.game.state, len(then.codes))


def _standings(playing: TableGame, first: int) -> Iterator[Standings]:
    state, count = playing._begun_at(first)
    codes = iter(playing.codes[count:])
    while state.turn < playing.turn:
        began, taken = state, list[int]()
        while state.turn == began.turn:
            taken.append(next(codes))
            state = state.apply(taken[-1])
        yield standings_of(began, taken)
    yield standings_of(state, codes)


@cache
def _turns(players: int) -> int:
    return len(cards_in_play(players))


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Move:
    """Return a move; cached, since it is tried first and folded after it was stored."""
    return Move(text)


def _read(text: str) -> Move:
    try:
        return _parsed(text)
    except InvalidMove as error:
        raise Refused.by_rules(error) from None
