"""What each step of a turn would bring the seat to decide, as data; the page puts it into words.

Immediate points, portraits, and replies that others could make with cards they are known to hold.
Computed from a view, so nothing hidden leaks. Steps are named as in `standing`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from patrizier.rules import boundary
from patrizier.rules.board import CARD_INDEX, CITY_INDEX, MAX_CITIES, SITES
from patrizier.rules.codes import NO_MOVE
from patrizier.rules.state import (
    AT_BUILT_CITY,
    BUILDING,
    NONE,
    WITH_MESSENGERS,
    copy_cells,
)
from patrizier.state import State
from patrizier.sums import Noble, Portraits
from patrizier.view import View

Shares: TypeAlias = tuple[tuple[int, int], ...]  # pairs of seat and number, the highest first
Held: TypeAlias = tuple[int, str]  # a seat and a card known to be in its hand


@dataclass(frozen=True, slots=True)
class Answer:
    """An immediate reply that another player has with a card known to be in hand."""

    seat: int
    card: str
    sites: str  # L, R or LR: towers in which they could take the lead from the seat to decide
    points: int  # they would gain by completing the city; 0: not possible


@dataclass(frozen=True, slots=True)
class Gain:
    """What the portraits of a card bring when it is played."""

    noble: Noble
    heads: int  # of this noble on the pile afterwards
    points: int  # for sets it completes
    missing: int  # portraits short of the next set afterwards


@dataclass(frozen=True, slots=True)
class Prospects:
    """The effects of all legal turns, by card or step."""

    gains: dict[str, Gain] = field(default_factory=dict)  # by card in hand that shows portraits
    takes: dict[str, Shares] = field(default_factory=dict)  # points, by step that scores a city
    answers: dict[str, tuple[Answer, ...]] = field(default_factory=dict)  # by step
    leads: dict[str, Shares] = field(default_factory=dict)  # towers a messenger counts for, by pair


def prospects(view: View, *, memory: bool = True) -> Prospects:
    """Return the effects of the next steps for the viewer; empty unless it is their turn.

    Without ``memory``, cards that the viewer would have to remember are left out.
    """
    if view.viewer is None or view.viewer != view.seat:
        return Prospects()
    state = bare(State(view.options, view.known()))
    found = Prospects(gains=_gains(view), leads=_leads(view))
    known = list(known_cards(view)) if memory else []
    for step, later in _steps(state):
        city = None if step[0] == "@" else CITY_INDEX[step.strip(">")[:2]]
        if city is None or later._cells["missing"][0, city] == 0:
            if points := _points(state, _ended(later, state.turn)):
                found.takes[step] = points
        elif answers := tuple(answers_in(later, city, view.viewer, known)):
            found.answers[step] = answers
    return found


def _gains(view: View) -> dict[str, Gain]:
    assert view.viewer is not None
    own, found = view.seats[view.viewer], dict[str, Gain]()
    for card in own.hand if view.phase == "build" else ():
        face = view.options.deck[card]
        if face.noble is not None:
            now = Portraits.of(face.noble, own.heads[face.noble])
            then = Portraits.of(face.noble, now.heads + face.heads)
            found[card] = Gain(then.noble, then.heads, then.points - now.points, then.missing)
    return found


def _leads(view: View) -> dict[str, Shares]:
    """Return, by pair of cities, how many unscored towers each seat leads there."""
    if view.phase != "messenger":
        return {}
    cities = {city.code: city for city in view.cities}
    found = {}
    for pair in sorted({move.messenger for move in view.legal if move.messenger}):
        open_cities = [cities[code] for code in pair.split("-") if cities[code].winners is None]
        found[pair] = _ranked(
            Counter(seat for city in open_cities for seat in city.leaders if seat is not None)
        )
    return found


def _ranked(shares: dict[int, int]) -> Shares:
    return tuple(sorted(shares.items(), key=lambda share: (-share[1], share[0])))


# -- the steps of a turn


def bare(state: State) -> State:
    """Return the position without cards to draw, so that hidden cards cannot matter."""
    cells = copy_cells(state._cells)
    cells["display"][0] = NONE
    cells["pile_left"][0] = 0
    return State(state.options, cells)


def _steps(state: State) -> Iterator[tuple[str, State]]:
    """Yield every next build, special action or messenger, with the position after it."""
    moves: dict[str, State] = {}
    for code in state.legal_decisions():
        text, later = state.decision_text(code), state.apply(code)
        if code != NO_MOVE:
            yield text, later
        if state.phase == "build" and later.phase == "move":
            for move in later.legal_decisions():
                if move != NO_MOVE and later.decision_text(move) not in moves:
                    moves[later.decision_text(move)] = later.apply(move)
    yield from moves.items()


def _ended(state: State, turn: int) -> State:
    """Return the position after the turn, with all its remaining choices declined."""
    while state.turn == turn:
        state = state.apply(state.legal_decisions()[0])  # declining comes first
    return state


def _points(before: State, after: State) -> Shares:
    """Return the points each seat gains between two positions."""
    one, two = before._cells, after._cells
    more = (two["tokens"] + two["chips"] - one["tokens"] - one["chips"])[0].tolist()
    return _ranked({seat: points for seat, points in enumerate(more) if points})


# -- who could answer


def known_cards(view: View) -> Iterator[Held]:
    """Yield the cards known to be in other hands, in turn order."""
    assert view.viewer is not None
    for ahead in range(1, view.options.players):
        seat = (view.viewer + ahead) % view.options.players
        for card in view.seats[seat].hand:
            yield seat, card


def answers_in(state: State, city: int, mover: int, known: Sequence[Held]) -> Iterator[Answer]:
    """Yield the replies that known cards allow in an incomplete city."""
    before = _leaders(state, city)
    for seat, card in known:
        lost, points = set[str](), 0
        for later in _played(state, city, seat, card):
            after = _leaders(later, city)
            lost |= {
                site
                for site, one, two in zip(SITES, before, after, strict=True)
                if one == mover and two == seat
            }
            if later._cells["missing"][0, city] == 0:
                points = max(points, dict(_points(state, later)).get(seat, 0))
        if lost or points:
            yield Answer(seat, card, "".join(sorted(lost)), points)


def _played(state: State, city: int, seat: int, card: str) -> Iterator[State]:
    """Yield the positions that a seat could reach in a city by playing a card."""
    here = CITY_INDEX[card[:2]] == city
    if not here and not state.options.deck[card].special_action:
        return
    cells = copy_cells(state._cells)
    cells["seat"], cells["phase"] = seat, BUILDING
    cells["rules"] &= ~(WITH_MESSENGERS | AT_BUILT_CITY)  # a complete city is scored at once
    cells["hands"][0, seat] = (CARD_INDEX[card], NONE, NONE)
    begun = State(state.options, cells)
    for code in begun.legal_decisions():
        later = begun.apply(code)
        if here:
            yield later
        else:
            if later.phase == "move":
                for move in later.legal_decisions():
                    if move != NO_MOVE and CITY_INDEX[later.decision_text(move)[1:3]] == city:
                        yield later.apply(move)
            return  # wherever the card's own floor goes, the same moves are possible


def _leaders(state: State, city: int) -> list[int]:
    found = np.empty((MAX_CITIES, len(SITES)), np.int64)
    boundary.leaders(state._cells, found)
    leaders: list[int] = found[city].tolist()
    return leaders
