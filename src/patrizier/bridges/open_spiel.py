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
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from patrizier.batch.layout import FLOATS
from patrizier.bots.base import Bot
from patrizier.bridges.bots import Decider
from patrizier.bridges.table import observation_of, rewards_of
from patrizier.options import Options
from patrizier.outcome import Outcome
from patrizier.rules import boundary
from patrizier.rules.board import CARD_INDEX, CARDS, HAND, cards_in_play, cities_in_play
from patrizier.rules.codes import DECISIONS, NO_MOVE, WAYS, decision_text
from patrizier.rules.deck import SECOND_CREST, Deck
from patrizier.rules.jit import direct, kernel
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import DEALT, OVER, STATE, Cells, copy_cells, new_cells
from patrizier.rules.turns import MOST_STEPS
from patrizier.state import State, count_scores
from patrizier.view import View

_CHANCE, _OVER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_REFUSED = -100

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
    cells: Cells, after: Cells, buffer: ScratchBuffer, code: int, card: int, event: boundary.Event
) -> int:
    """Decide in a copy, with this card on top of the pile if it is one; return who acts next.

    That is chance if the decision turns up a card and none was given.
    """
    after[0] = cells[0]
    state = after[0]
    left = int(state.pile_left)
    for place in range(left if card >= 0 else 0):
        if state.pile[place] == card:
            state.pile[place] = state.pile[left - 1]
            state.pile[left - 1] = card
    if boundary.decide(after, buffer, code, event) == boundary.REFUSED:
        return _REFUSED
    if card < 0 and int(state.pile_left) < left:
        return _CHANCE
    return _OVER if state.phase == OVER else int(state.seat)


@cache
def _direct_play() -> Callable[[Cells, Cells, ScratchBuffer, int, int, boundary.Event], int]:
    """Return `_play` without type dispatch: see `jit.direct`."""
    return direct(_play, new_cells(), new_cells(), new_scratch(), 0, 0, boundary.new_event())


class Setup:
    """What all states of one game share."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.cards = [CARD_INDEX[card] for card in cards_in_play(options.players)]
        self.stars = [card for card in self.cards if options.deck[CARDS[card]].star]
        self.dealt = HAND * options.players
        self.shown = self.dealt + len(cities_in_play(options.players))
        self.faces = options.deck.bytes_in_play(options.players).tolist()
        self.list_legal, _ = boundary.steps()
        self.play = _direct_play()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Setup":
        """Stay the same: OpenSpiel copies all that a state has when it clones it."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the options: OpenSpiel pickles a state to serialise it."""
        return Setup, (self.options,)


class Position(NamedTuple):
    """Where a game stands, as a value: a step makes a new one."""

    player: int = _CHANCE  # who acts: a seat, chance, or nobody
    start: int = -1  # seat that begins; -1 before chance has said so
    order: tuple[int, ...] = ()  # cards dealt so far: hands, then display
    cells: Cells | None = None  # the rules' state, once all are dealt; never changed
    pending: int = -1  # a decision that waits for a card to be turned up
    told: tuple[int, ...] = ()  # codes, and cards turned up (counted from DECISIONS)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        """Stay the same: nothing in it changes."""
        return self


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
    ) -> "Observer":
        """Return what writes observations and information states."""
        if params:
            raise ValueError(f"unknown parameters of the observer: {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(len(self.setup.cards), kind.perfect_recall)


class PatrizierState(pyspiel.State):  # type: ignore[misc]
    """A position of the game, or a moment in which chance deals."""

    def __init__(self, game: PatrizierGame) -> None:
        super().__init__(game)
        self._setup = game.setup
        self._at = Position()
        self._buffer = new_scratch()
        self._event = boundary.new_event()

    # -- whose turn it is

    def current_player(self) -> int:
        """Return the seat to decide, or chance, or that the game is over."""
        return self._at.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._at.player == _OVER

    def _legal_actions(self, player: int) -> list[int]:
        count = self._setup.list_legal(self._at.cells, self._buffer)  # type: ignore[arg-type]
        codes: list[int] = self._buffer["codes"][0, :count].tolist()
        codes.sort()
        return codes

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may come, all equally likely; first, who may begin."""
        outcomes = self._outcomes()
        share = 1.0 / len(outcomes)
        return [(outcome, share) for outcome in outcomes]

    def _outcomes(self) -> list[int]:
        at, setup = self._at, self._setup
        if at.cells is not None:
            pile: list[int] = at.cells["pile"][0, : int(at.cells["pile_left"][0])].tolist()
            pile.sort()
            return pile
        if at.start < 0:
            return list(range(setup.options.players))
        among = setup.stars if len(at.order) < setup.dealt else setup.cards
        return [card for card in among if card not in at.order]

    # -- playing

    def _apply_action(self, action: int) -> None:
        at = self._at
        if at.cells is None:
            self._at = self._dealt(action)
        elif at.player == _CHANCE:
            self._at = self._stepped(at.cells, at.pending, action, (*at.told, DECISIONS + action))
        else:
            self._at = self._stepped(at.cells, action, -1, (*at.told, action))

    def _dealt(self, outcome: int) -> Position:
        at, setup = self._at, self._setup
        if at.start < 0:
            return at._replace(start=outcome)
        order = (*at.order, outcome)
        if len(order) < setup.shown:
            return at._replace(order=order)
        rest = [card for card in setup.cards if card not in order]
        self._buffer["order"][0, : len(setup.cards)] = [*order, *rest]
        cells = setup.options.blank_cells()
        boundary.lay_out(cells, self._buffer, at.start)
        return at._replace(player=at.start, order=order, cells=cells)

    def _stepped(self, cells: Cells, code: int, card: int, told: tuple[int, ...]) -> Position:
        """Decide; if that turns up a card, wait for chance to say which."""
        at = self._at
        after = np.empty(1, STATE)
        player = self._setup.play(cells, after, self._buffer, code, card, self._event)
        if player == _REFUSED:
            raise ValueError(f"decision {code} is not legal here: {self._legal_actions(0)} are")
        if player == _CHANCE:
            return Position(_CHANCE, at.start, at.order, cells, code, told)
        return Position(player, at.start, at.order, after, -1, told)

    def returns(self) -> list[float]:
        """Return players * share of the victory - 1 by seat; zeros before the end."""
        players = self._setup.options.players
        if self._at.cells is None or not self.is_terminal():
            return [0.0] * players
        return rewards_of(players, Outcome(count_scores(self._at.cells)).winners)

    # -- as text

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"player {action} begins" if self._at.start < 0 else CARDS[action]
        face = self._setup.faces[action // WAYS] if action < NO_MOVE else 0
        return decision_text(action, 1 + (face & SECOND_CREST))

    def __str__(self) -> str:
        return f"{self.information(None)}, hands {_names(self._at.order[: self._setup.dealt])}"

    def information(self, player: int | None) -> str:
        """Return all that a player has seen: own cards, face-up cards, and every decision."""
        at, dealt = self._at, self._setup.dealt
        own = () if player is None else at.order[player * HAND : (player + 1) * HAND]
        told = (CARDS[it - DECISIONS] if it >= DECISIONS else str(it) for it in at.told)
        parts = (
            "" if player is None else f"player {player}",
            f"begins {at.start}",
            f"own {_names(sorted(own))}",
            f"display {_names(at.order[dealt:])}",
            f"then {' '.join(told)}",
        )
        return ", ".join(filter(None, parts))

    # -- for our bots, and for searches that resample

    def view(self, player: int) -> View:
        """Return what a seat may know, as our bots take it."""
        if self._at.cells is None:
            raise ValueError("the cards are still being dealt: there is nothing to see yet")
        return State(self._setup.options, copy_cells(self._at.cells)).view(player)

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "PatrizierState":
        """Return a state that this player cannot tell from this one, drawn uniformly."""
        at = self._at
        sampled = self.view(player_id).sample(int(probability_sampler() * 2**53)).record
        assert at.cells is not None
        order = list(at.order)
        for seat in range(self._setup.options.players):
            hand = range(seat * HAND, (seat + 1) * HAND)
            slots = [slot for slot in hand if at.cells["where"][0, order[slot]] == DEALT + seat]
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


class Observer:
    """Writes observations, or information states, which add all that was told so far."""

    def __init__(self, cards: int, perfect_recall: bool) -> None:
        self._recall = perfect_recall
        length = (MOST_STEPS + 1) * cards if perfect_recall else 0
        self.tensor = np.zeros(FLOATS + length, np.float32)
        self.dict = {"observation": self.tensor[:FLOATS]}
        if perfect_recall:
            self.dict["told"] = self.tensor[FLOATS:]

    def set_from(self, state: PatrizierState, player: int) -> None:
        """Write what a player may know into the tensor."""
        self.tensor.fill(0)
        at = state._at
        if at.cells is None:
            return
        self.dict["observation"][:] = observation_of(at.cells, player, floats=True)
        if self._recall:
            told = np.array(at.told, np.float32)
            self.dict["told"][: len(told)] = (told + 1) / (DECISIONS + len(CARDS))

    def string_from(self, state: PatrizierState, player: int) -> str:
        """Return what a player may know as text."""
        if self._recall or state._at.cells is None:
            return state.information(player)
        return observation_of(state._at.cells, player, floats=False).tobytes().hex()


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots as a bot of OpenSpiel's; it gets its seat's view, and nothing else."""

    def __init__(self, bot: Bot | str, player: int, seed: int | None = None) -> None:
        super().__init__()
        self._decider = Decider(bot, seed)
        self._player = player

    def step(self, state: PatrizierState) -> int:
        """Return the bot's action."""
        return self._decider.code(state.view(self._player))


pyspiel.register_game(_TYPE, PatrizierGame)
