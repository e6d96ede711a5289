"""The standing of a city after each step of a turn: who would take its tokens, or who took them.

The page previews a turn step by step and animates those of others. It knows no rules, so the
effect of each step is computed here. A step is named by the text of its decision, ``BO1:LR`` or
``>MI.R``; the first of two floors is a step of its own, ``BO1:L``. Draws and messengers change no
standing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from patrizier.rules import boundary
from patrizier.rules.board import CITY_INDEX, MAX_CITIES, SITES
from patrizier.rules.codes import NO_MOVE
from patrizier.rules.state import NONE, Cells, copy_cells
from patrizier.state import State
from patrizier.tally import Tally, tally

Site: TypeAlias = Literal["L", "R"]


@dataclass(frozen=True, slots=True)
class Standing:
    """Who would take the tokens of a city now; who does, once it is complete."""

    taller: Site | None  # site of the taller tower; None while both are equal
    tallies: tuple[Tally, Tally]  # floors of the left and the right tower, by owner
    winners: tuple[int, int] | None  # who takes the taller and the lower tower's token
    late: bool = False  # complete, but scored only at the end of the turn

    @property
    def leaders(self) -> tuple[int | None, int | None]:
        """Seats that lead the left and the right tower."""
        left, right = (tower[0][0] if tower else None for tower in self.tallies)
        return left, right


Standings: TypeAlias = dict[str, Standing]  # by step


def legal_standings(state: State) -> Standings:
    """Return the standings after every step of every legal turn."""
    found: Standings = {}
    if state.phase == "build":
        for code in state.legal_decisions():
            later = _add_build(found, state, code)
            if later.phase == "move":
                _add_moves(found, later)
    elif state.phase == "move":
        _add_moves(found, state)
    return found


def standings_of(state: State, decisions: Iterable[int]) -> Standings:
    """Return the standings after every step of one turn, which may be unfinished."""
    found: Standings = {}
    for code in decisions:
        if state.phase == "build":
            state = _add_build(found, state, code)
        elif state.phase == "move" and code != NO_MOVE:
            state = _add_move(found, state, code)
        else:
            break  # later steps change no standing
    return found


def _add_build(found: Standings, state: State, code: int) -> State:
    """Add the steps of a build, one per floor; return the position after it."""
    text, later = state.decision_text(code), state.apply(code)
    card, sites = text.split(":")
    city = CITY_INDEX[card[:2]]
    if len(sites) > 1:
        for site in dict.fromkeys(sites):
            first = _with_floor(state, city, SITES.index(site))
            found.setdefault(f"{card}:{site}", _standing(first, city))
    cells, late = later._cells, False
    if cells["missing"][0, city] == 0 and cells["winners"][0, city, 0] == NONE:
        cells, late = _ended(later)._cells, True
    found[text] = _standing(cells, city, late=late)
    return later


def _add_moves(found: Standings, state: State) -> None:
    for code in state.legal_decisions():
        if code != NO_MOVE and state.decision_text(code) not in found:
            _add_move(found, state, code)


def _add_move(found: Standings, state: State, code: int) -> State:
    text, later = state.decision_text(code), state.apply(code)
    found[text] = _standing(later._cells, CITY_INDEX[text[1:3]])
    return later


def _with_floor(state: State, city: int, site: int) -> Cells:
    """Return the position with one more floor of the seat to move."""
    cells = copy_cells(state._cells)
    seat, height = int(cells["seat"][0]), int(cells["heights"][0, city, site])
    cells["floors"][0, city, site, height] = seat
    cells["heights"][0, city, site] = height + 1
    cells["counts"][0, city, site, seat] += 1
    return cells


def _ended(state: State) -> State:
    """Return the position after any completion of this turn: the city built in is settled."""
    turn = state.turn
    while state.turn == turn:
        state = state.apply(state.legal_decisions()[0])
    return state


def _standing(cells: Cells, city: int, *, late: bool = False) -> Standing:
    found = np.empty((MAX_CITIES, 2), np.int64)
    boundary.leaders(cells, found)
    leads_left, leads_right = found[city].tolist()
    left_height, right_height = cells["heights"][0, city].tolist()
    left, right = cells["floors"][0, city].tolist()
    taller, lower = cells["winners"][0, city].tolist()
    return Standing(
        taller=_taller(left_height, right_height),
        tallies=(
            tally(tuple(left[:left_height]), leads_left),
            tally(tuple(right[:right_height]), leads_right),
        ),
        winners=(taller, lower) if taller != NONE else None,
        late=late,
    )


def _taller(left: int, right: int) -> Site | None:
    return None if left == right else "L" if left > right else "R"
