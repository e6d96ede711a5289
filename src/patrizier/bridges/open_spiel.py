"""Patrizier for OpenSpiel: importing this module registers the game ``patrizier``.

>>> import pyspiel
>>> import patrizier.bridges.open_spiel
>>> game = pyspiel.load_game("patrizier(players=3,rules=messengers)")
>>> game.num_players(), game.num_distinct_actions()
(3, 209)

Chance deals one card after the other: who begins, the hands, the display, and later every card
turned up, when it is turned up. So trees branch where the game does.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyspiel

from patrizier.bots.base import Bot
from patrizier.bridges.bots import Decider
from patrizier.bridges.spiel_observers import Observer, PartObserver
from patrizier.bridges.table import rewards_of
from patrizier.options import Options
from patrizier.outcome import Outcome
from patrizier.rules import boundary
from patrizier.rules.apply import apply
from patrizier.rules.board import CARD_INDEX, CARDS, HAND, cards_in_play, cities_in_play
from patrizier.rules.codes import DECISIONS, NO_MOVE, WAYS, decision_text
from patrizier.rules.deck import SECOND_CREST, Deck
from patrizier.rules.jit import direct, kernel
from patrizier.rules.legal import is_legal, legal
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import DEALT, IN_PILE, OVER, Cells, StateRecord, new_cells
from patrizier.rules.turns import MOST_STEPS
from patrizier.state import State, count_scores, list_decisions
from patrizier.view import View

_CHANCE, _OVER = -1, -4  # pyspiel.PlayerId, as numbers for the kernel
_REFUSED = -100

Codes: TypeAlias = npt.NDArray[np.int64]

_TYPE = pyspiel.GameType(
    short_name="patrizier",
    long_name="Patrizier",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 2, "rules": "", "deck": ""},
)


@kernel
def _play(
    cells: Cells, now: int, buffer: ScratchBuffer, code: int, card: int, codes: Codes
) -> tuple[int, int]:
    """Decide in the other cell, with this card on top of the pile if it is one.

    Return who acts next, and how many actions are legal then: they are written into ``codes``,
    ascending. Chance acts if the decision turns up a card and none was given.
    """
    if code < 0 or code >= DECISIONS or not is_legal(cells[now], code, buffer[0]):
        return _REFUSED, 0
    if card >= 0 and (card >= len(CARDS) or cells[now].where[card] != IN_PILE):
        return _REFUSED, 0
    cells[1 - now] = cells[now]
    state = cells[1 - now]
    left = int(state.pile_left)
    for place in range(left if card >= 0 else 0):
        if state.pile[place] == card:
            state.pile[place] = state.pile[left - 1]
            state.pile[left - 1] = card
    apply(state, code)
    if card < 0 and int(state.pile_left) < left:
        return _CHANCE, _list_pile(cells[now], codes)
    count = legal(state, buffer[0])
    for i in range(count):
        codes[i] = buffer[0].codes[i]
    codes[:count].sort()
    return _OVER if state.phase == OVER else int(state.seat), count


@kernel
def _list_pile(state: StateRecord, codes: Codes) -> int:
    """Write the cards of the pile, ascending; return how many."""
    count = 0
    for card in range(len(CARDS)):
        codes[count] = card
        count += int(state.where[card] == IN_PILE)
    return count


@cache
def _direct_play() -> Callable[[Cells, int, ScratchBuffer, int, int, Codes], tuple[int, int]]:
    """Return `_play` without type dispatch: see `jit.direct`."""
    return direct(_play, new_cells(2), 0, new_scratch(), 0, 0, _new_codes())


def _new_codes() -> Codes:
    return np.zeros(len(CARDS) + 1, np.int64)


class Setup:
    """What all states of one game share."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.seats = list(range(options.players))
        self.cards = [CARD_INDEX[card] for card in cards_in_play(options.players)]
        self.stars = [card for card in self.cards if options.deck[CARDS[card]].star]
        self.dealt = HAND * options.players
        self.shown = self.dealt + len(cities_in_play(options.players))
        self.faces = options.deck.bytes_in_play(options.players).tolist()
        self.play = _direct_play()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the options: OpenSpiel pickles a state to serialise it."""
        return Setup, (self.options,)


class Position:
    """Where a game stands. A clone has its own copy."""

    __slots__ = (
        *("setup", "player", "legal", "start", "order", "told"),
        *("cells", "now", "pending", "_buffer", "_codes"),
    )

    setup: Setup
    player: int  # who acts: a seat, chance, or nobody
    legal: list[int]  # what they may do; never changed
    start: int  # seat that begins; -1 before chance has said so
    order: list[int]  # cards dealt so far: hands, then display
    told: list[int]  # codes, and cards turned up (counted from DECISIONS)
    cells: Cells | None  # two states of the rules, once all are dealt
    now: int  # which of them is current
    pending: int  # a decision that waits for a card to be turned up
    _buffer: ScratchBuffer
    _codes: Codes

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.player, self.legal, self.start, self.pending, self.now = (
            _CHANCE,
            setup.seats,
            -1,
            -1,
            0,
        )
        self.order, self.told, self.cells = [], [], None

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        """Copy only what changes: OpenSpiel deep-copies all fields of a state to clone it."""
        copy = Position.__new__(Position)
        copy.setup, copy.player, copy.legal = self.setup, self.player, self.legal
        copy.start, copy.pending, copy.now = self.start, self.pending, self.now
        copy.order, copy.told, copy.cells = self.order[:], self.told[:], None
        if self.cells is not None:
            copy.cells = self.cells.copy()
            copy._buffer, copy._codes = new_scratch(), _new_codes()
        return copy

    @property
    def state(self) -> Cells:
        """A copy of the rules' state."""
        if self.cells is None:
            raise ValueError("the cards are still being dealt: there is nothing to see yet")
        return self.cells[self.now : self.now + 1].copy()

    def deal(self, outcome: int) -> None:
        """Apply a chance outcome before the first turn: who begins, then card by card."""
        setup, order = self.setup, self.order
        if outcome not in self.legal:
            raise ValueError(f"outcome {outcome} is not legal here: {self.legal} are")
        if self.start < 0:
            self.start, self.legal = outcome, setup.stars
            return
        order.append(outcome)
        dealt = len(order)
        if dealt == setup.dealt:
            self.legal = [card for card in setup.cards if card not in order]
        elif dealt < setup.shown:
            self.legal = self.legal[:]
            self.legal.remove(outcome)
        else:
            self._begin()

    def _begin(self) -> None:
        setup, order = self.setup, self.order
        self._buffer, self._codes = new_scratch(), _new_codes()
        rest = [card for card in setup.cards if card not in order]
        self._buffer["order"][0, : len(setup.cards)] = [*order, *rest]
        cells = setup.options.blank_cells()
        boundary.lay_out(cells, self._buffer, self.start)
        self.player, self.legal = self.start, list_decisions(cells)
        self.cells = np.repeat(cells, 2)

    def step(self, action: int) -> None:
        """Decide, or turn up a card; if a decision turns one up, wait for chance to choose it."""
        by_chance = self.player == _CHANCE
        code, card = (self.pending, action) if by_chance else (action, -1)
        now, codes = self.now, self._codes
        player, count = self.setup.play(self.cells, now, self._buffer, code, card, codes)  # type: ignore[arg-type]
        if player == _REFUSED:
            kind = "outcome" if by_chance else "decision"
            raise ValueError(f"{kind} {action} is not legal here: {self.legal} are")
        self.told.append(DECISIONS + action if by_chance else action)
        self.player, self.legal = player, codes[:count].tolist()
        if player == _CHANCE:
            self.pending = code
        else:
            self.now = 1 - now


class PatrizierGame(pyspiel.Game):  # type: ignore[misc]
    """The game. Parameters: players; rules, with ``+`` between them; deck, the path of a file."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        rules = filter(None, str(given.get("rules", "")).split("+"))
        deck = Deck.load(given["deck"]) if given.get("deck") else None
        options = Options(int(given.get("players", 2)), rules, deck)
        info = pyspiel.GameInfo(
            num_distinct_actions=DECISIONS,
            max_chance_outcomes=len(CARDS),
            num_players=options.players,
            min_utility=-1.0,
            max_utility=options.players - 1.0,
            utility_sum=0.0,
            max_game_length=MOST_STEPS * len(cards_in_play(options.players)),
        )
        super().__init__(_TYPE, info, given)
        self.setup = Setup(options)

    def new_initial_state(self) -> "PatrizierState":
        """Return the state before the deal."""
        return PatrizierState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Who begins, and every card once."""
        return 1 + len(self.setup.cards)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "Observer | PartObserver":
        """Return an observer for observations or information states."""
        if params:
            raise ValueError(f"unknown parameters of the observer: {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return Observer(len(self.setup.cards), kind.perfect_recall)
        return PartObserver(kind)


class PatrizierState(pyspiel.State):  # type: ignore[misc]
    """A position of the game, or a moment in which chance deals."""

    def __init__(self, game: PatrizierGame) -> None:
        super().__init__(game)
        self._at = Position(game.setup)

    # -- whose turn it is; overridden, because OpenSpiel's own versions call back several times

    def current_player(self) -> int:
        """Return the seat to decide, or the id of chance or of the end."""
        return self._at.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._at.player == _OVER

    def is_chance_node(self) -> bool:
        """Whether chance acts."""
        return self._at.player == _CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the actions of whoever acts, or of a player, ascending."""
        at = self._at
        if player is None or player == at.player:
            return at.legal[:]
        return super().legal_actions(player)  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        return self._at.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may come, all equally likely; first, who may begin."""
        if self._at.player != _CHANCE:
            raise ValueError("chance does not act here: there are no chance outcomes")
        outcomes = self._at.legal
        share = 1.0 / len(outcomes)
        return [(outcome, share) for outcome in outcomes]

    # -- playing

    def _apply_action(self, action: int) -> None:
        at = self._at
        if at.cells is None:
            at.deal(action)
        else:
            at.step(action)

    def returns(self) -> list[float]:
        """Return players * share of the victory - 1 by seat; zeros before the end."""
        at = self._at
        players = at.setup.options.players
        if at.player != _OVER:
            return [0.0] * players
        return rewards_of(players, Outcome(count_scores(at.state)).winners)

    # -- as text

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"player {action} begins" if self._at.start < 0 else CARDS[action]
        face = self._at.setup.faces[action // WAYS] if action < NO_MOVE else 0
        return decision_text(action, 1 + (face & SECOND_CREST))

    def __str__(self) -> str:
        hands = " | ".join(self.hand(player) for player in self._at.setup.seats)
        return f"{self.information(None)}, hands {hands}"

    def information(self, player: int | None) -> str:
        """Return all that a player has seen: own cards, face-up cards, and every decision.

        Without a player: all that everybody has seen.
        """
        at = self._at
        told = (CARDS[it - DECISIONS] if it >= DECISIONS else str(it) for it in at.told)
        parts = [] if player is None else [f"player {player}", f"own {self.hand(player)}"]
        display = _names(at.order[at.setup.dealt :])
        return ", ".join(
            [*parts, f"begins {at.start}", f"display {display}", f"then {' '.join(told)}"]
        )

    def hand(self, player: int) -> str:
        """Return the cards that a player was dealt so far."""
        at = self._at
        first = player * HAND
        return _names(sorted(at.order[first : min(first + HAND, at.setup.dealt)]))

    # -- for our bots, and for searches that resample

    def view(self, player: int) -> View:
        """Return what a seat may know, as our bots take it."""
        return State(self._at.setup.options, self._at.state).view(player)

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "PatrizierState":
        """Return a state that this player cannot tell from this one, drawn uniformly."""
        at = self._at
        sampled = self.view(player_id).sample(int(probability_sampler() * 2**53)).record
        where = at.state["where"][0]
        order = at.order[:]
        for seat in range(self._at.setup.options.players):
            hand = range(seat * HAND, (seat + 1) * HAND)
            slots = [slot for slot in hand if where[order[slot]] == DEALT + seat]
            held = np.flatnonzero(sampled.where == DEALT + seat).tolist()
            for slot, card in zip(slots, held, strict=True):
                order[slot] = card
        state: PatrizierState = self.get_game().new_initial_state()
        for action in (at.start, *order):
            state.apply_action(action)
        for it in at.told:
            state.apply_action(it - DECISIONS if it >= DECISIONS else it)
        return state


def _names(cards: Iterable[int]) -> str:
    return " ".join(CARDS[card] for card in cards)


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots as an OpenSpiel bot; it gets its seat's view, and nothing else."""

    def __init__(self, bot: Bot | str, player: int, seed: int | None = None) -> None:
        super().__init__()
        self._decider = Decider(bot, seed)
        self._player = player

    def step(self, state: PatrizierState) -> int:
        """Return the bot's action."""
        return self._decider.code(state.view(self._player))

    def restart(self) -> None:
        """Get ready for another game."""
        self._decider.restart()

    def restart_at(self, state: PatrizierState) -> None:
        """Get ready to play from a state."""
        self._decider.restart()

    def inform_action(self, state: PatrizierState, player_id: int, action: int) -> None:
        """Do nothing: the view of the next step tells what others did."""


pyspiel.register_game(_TYPE, PatrizierGame)
