"""What one seat, or a spectator, may know of a game. Only this leaves the core."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from patrizier.move import Move, turn_text
from patrizier.options import Options
from patrizier.outcome import Outcome
from patrizier.record import Record, Scored
from patrizier.rules import boundary
from patrizier.rules.board import (
    CARDS,
    CITIES,
    CITY_INDEX,
    CODES,
    EDGES,
    MAX_CITIES,
    MAX_PLAYERS,
    cards_in_play,
    cities_in_play,
)
from patrizier.rules.chance import Seed, word_from
from patrizier.rules.deck import NOBLES, SECOND_CREST
from patrizier.rules.score import CHIP_POINTS
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import (
    DEALT,
    MOVING,
    NONE,
    OVER,
    PLAYED,
    POSTING,
    TAKEN,
    UNKNOWN,
    UNSEEN,
    Cells,
    copy_cells,
)
from patrizier.state import State, card_name, list_moves, unpack
from patrizier.sums import Sums
from patrizier.tally import Tally, tally

VIEW_VERSION = 1

_TOKENS = tuple(city.tokens for city in CITIES)


@dataclass(frozen=True, slots=True)
class CityView:
    """A city as everyone sees it."""

    code: str
    left: tuple[int, ...]  # owners of the floors on the left site, bottom to top
    right: tuple[int, ...]
    leaders: tuple[int | None, int | None]  # who leads the left and the right tower
    card: str | None  # face-up card
    messengers: int  # messengers at this city
    winners: tuple[int, int] | None  # who took the token of the taller and of the lower tower

    @property
    def name(self) -> str:
        """The city's name."""
        return CITIES[CITY_INDEX[self.code]].name

    @property
    def capacity(self) -> int:
        """Floors that stand here in the end."""
        return CITIES[CITY_INDEX[self.code]].capacity

    @property
    def tokens(self) -> tuple[int, int]:
        """Values of the taller and the lower tower's token."""
        return CITIES[CITY_INDEX[self.code]].tokens

    @property
    def taller(self) -> str | None:
        """The site of the taller tower, L or R; None while both are equal."""
        if len(self.left) == len(self.right):
            return None
        return "L" if len(self.left) > len(self.right) else "R"

    @property
    def tallies(self) -> tuple[Tally, Tally]:
        """The floors of the left and the right tower, by owner, the leaders first."""
        return tally(self.left, self.leaders[0]), tally(self.right, self.leaders[1])


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player as known with perfect memory: all of this was public at some point."""

    seat: int
    colour: str
    supply: int  # floors left
    messengers_left: int
    hand: tuple[str, ...]  # cards known to be in hand
    secret: tuple[str, ...]  # those nobody else has seen; only in the viewer's own hand
    unknown: int  # starting cards in hand that the viewer does not know
    pile: tuple[str, ...]  # cards played
    top: str | None  # the pile's top card
    heads: dict[str, int]  # portraits on the pile, by noble
    tokens: tuple[int, ...]  # values of tokens won
    chips: int  # points of messenger chips won


@dataclass(frozen=True, slots=True)
class TableView:
    """A player as the table shows them to the viewer, without relying on memory."""

    seat: int
    tokens_won: int  # how many, face down
    tokens: tuple[int, ...] | None  # their values, if the viewer may look
    chips: int | None  # points of chips, if the viewer may look
    pile_size: int
    pile: tuple[str, ...] | None  # all its cards, if the viewer may look
    top: str | None


@dataclass(frozen=True)
class View:
    """What one seat, or a spectator, may know; with a documented JSON form.

    >>> from patrizier import Game, Options
    >>> view = Game(Options(players=3), seed=1).view(0)
    >>> len(view.seats[0].hand), view.seats[1].hand, view.seats[1].unknown
    (3, (), 3)
    """

    options: Options
    viewer: int | None  # seat whose view this is; None for a spectator
    start: int  # seat that began
    turn: int  # completed turns
    seat: int | None  # seat to decide; None when the game is over
    phase: str  # build, move, draw, messenger, over
    pending: Record | None  # the current turn so far
    cities: tuple[CityView, ...]  # in city order
    messengers: tuple[str, ...]  # pairs of cities with a messenger
    seats: tuple[SeatView, ...]
    table: tuple[TableView, ...]
    pile_left: int  # cards in the draw pile
    unseen: tuple[str, ...]  # cards the viewer has never seen
    legal: tuple[Move, ...]  # legal turns, if it is the viewer's turn
    history: tuple[Record, ...]  # finished turns; empty if unknown
    outcome: Outcome | None
    _known: Cells = field(repr=False, compare=False)  # the state with hidden cards masked

    @classmethod
    def of(cls, state: State, viewer: int | None, history: Iterable[Record] = ()) -> "View":
        """Return the view of a seat, or of a spectator (None)."""
        if viewer is not None and not 0 <= viewer < state.options.players:
            raise ValueError(f"there is no seat {viewer}")
        known = copy_cells(state._cells)
        boundary.hide_from(known, NONE if viewer is None else viewer)
        facts = unpack(known)
        facts.at = _places(facts.where)
        facts.won = _tokens_won(facts.winners)
        seats = range(state.options.players)
        own_turn = viewer is not None and viewer == state.seat
        return cls(
            options=state.options,
            viewer=viewer,
            start=facts.start,
            turn=state.turn,
            seat=state.seat,
            phase=state.phase,
            pending=_pending(facts),
            cities=_cities(known, facts),
            messengers=tuple(e for e, there in zip(EDGES, facts.messengers, strict=True) if there),
            seats=tuple(_seat(facts, state.options, seat) for seat in seats),
            table=tuple(_table(facts, state.options, seat, viewer) for seat in seats),
            pile_left=facts.pile_left,
            unseen=tuple(facts.at[UNSEEN]),
            legal=tuple(list_moves(state._cells)) if own_turn else (),
            history=tuple(history),
            outcome=state.outcome(),
            _known=known,
        )

    def _repr_svg_(self) -> str:
        """Return the diagram that notebooks show: nothing that the viewer does not know."""
        from patrizier.diagram import view_svg

        return view_svg(self)

    @property
    def turns(self) -> int:
        """Number of turns in the whole game."""
        return len(cards_in_play(self.options.players))

    @property
    def bonuses(self) -> dict[str, int]:
        """Points that messengers add to each tower of a city, for cities still to be scored."""
        return {
            city.code: CHIP_POINTS * city.messengers
            for city in self.cities
            if city.messengers and city.winners is None
        }

    @property
    def sums(self) -> Sums | None:
        """The viewer's own points so far; None for a spectator."""
        if self.viewer is None:
            return None
        own = self.seats[self.viewer]
        minus = self.outcome.scores[self.viewer].minus if self.outcome else 0
        return Sums.of(sum(own.tokens), own.chips, minus, own.heads)

    def known(self) -> Cells:
        """Return the rules' state with hidden cards masked, for compiled search."""
        return copy_cells(self._known)

    def sample(self, seed: Seed) -> State:
        """Return a position consistent with this view, drawn uniformly."""
        cells = copy_cells(self._known)
        boundary.sample_hidden(cells, new_scratch(word_from(seed)))
        return State(self.options, cells)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; `docs/view.schema.json` is its schema."""
        from patrizier.view_json import view_to_json

        return view_to_json(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "View":
        """Read what `to_json` wrote; ValueError if it is not a view of a real position."""
        from patrizier.view_json import view_from_json

        return view_from_json(data)


def _places(where: list[int]) -> list[list[str]]:
    """Return the cards at every place, in their order."""
    places: list[list[str]] = [[] for _ in range(UNSEEN + 1)]
    for card, place in zip(CARDS, where, strict=True):
        if place >= 0:
            places[place].append(card)
    return places


def _cities(known: Cells, facts: SimpleNamespace) -> tuple[CityView, ...]:
    leaders = np.empty((MAX_CITIES, 2), np.int64)
    boundary.leaders(known, leaders)
    found = leaders.tolist()
    return tuple(_city(facts, city, found[city]) for city in _in_play(facts.players))


@cache
def _in_play(players: int) -> tuple[int, ...]:
    return tuple(CITY_INDEX[city.code] for city in cities_in_play(players))


def _city(facts: SimpleNamespace, city: int, leaders: list[int]) -> CityView:
    (left, right), (left_height, right_height) = facts.floors[city], facts.heights[city]
    left_leader, right_leader = leaders
    taller, lower = facts.winners[city]
    return CityView(
        code=CODES[city],
        left=tuple(left[:left_height]),
        right=tuple(right[:right_height]),
        leaders=(
            left_leader if left_leader >= 0 else None,
            right_leader if right_leader >= 0 else None,
        ),
        card=card_name(facts.display[city]),
        messengers=facts.messengers_at[city],
        winners=(taller, lower) if taller >= 0 else None,
    )


def _tokens_won(winners: list[list[int]]) -> list[tuple[int, ...]]:
    """Return the values of the tokens that each seat has won, the highest first."""
    values: list[list[int]] = [[] for _ in range(MAX_PLAYERS)]
    for tokens, (taller, lower) in zip(_TOKENS, winners, strict=True):
        if taller >= 0:
            values[taller].append(tokens[0])
            values[lower].append(tokens[1])
    return [tuple(sorted(won, reverse=True)) for won in values]


def _seat(facts: SimpleNamespace, options: Options, seat: int) -> SeatView:
    secret = tuple(facts.at[DEALT + seat])
    hand = sorted((*secret, *facts.at[TAKEN + seat]))
    return SeatView(
        seat=seat,
        colour=options.colours[seat],
        supply=facts.supply[seat],
        messengers_left=facts.messengers_left[seat],
        hand=tuple(hand),
        secret=secret,
        unknown=facts.hands[seat].count(UNKNOWN),
        pile=tuple(facts.at[PLAYED + seat]),
        top=card_name(facts.tops[seat]),
        heads=dict(zip(NOBLES, facts.heads[seat], strict=True)),
        tokens=facts.won[seat],
        chips=facts.chips[seat],
    )


def _table(facts: SimpleNamespace, options: Options, seat: int, viewer: int | None) -> TableView:
    shown = seat == viewer or facts.phase == OVER  # at the end everything is open
    sees_tokens, sees_pile = shown or options.tokens_open, shown or options.piles_open
    tokens, pile = facts.won[seat], tuple(facts.at[PLAYED + seat])
    return TableView(
        seat=seat,
        tokens_won=len(tokens),
        tokens=tokens if sees_tokens else None,
        chips=facts.chips[seat] if sees_tokens else None,
        pile_size=len(pile),
        pile=pile if sees_pile else None,
        top=card_name(facts.tops[seat]),
    )


def _pending(facts: SimpleNamespace) -> Record | None:
    """Return the current turn, if it is past its first decision."""
    if not MOVING <= facts.phase <= POSTING:
        return None
    draw = facts.source if facts.free == 1 else NONE
    crests = 1 + (facts.faces[facts.card] & SECOND_CREST)
    text = turn_text(facts.card, crests, facts.way, facts.moved, draw, NONE)
    city, scored = facts.scored, None
    if city >= 0:
        taller, lower = facts.winners[city]
        scored = Scored(CODES[city], taller, lower, CHIP_POINTS * facts.messengers_at[city])
    return Record(
        turn=facts.turn + 1,
        seat=facts.seat,
        move=Move(text),
        drawn=card_name(facts.drawn),
        refill=card_name(facts.refill),
        scored=scored,
    )
