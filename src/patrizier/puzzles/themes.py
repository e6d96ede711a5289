"""What a puzzle is about: facts of the rules about its solution."""

from collections.abc import Callable

from patrizier.analysis.reasons import DENIALS, facts
from patrizier.bots.endgame.solver import turns_left
from patrizier.move import Move
from patrizier.state import State
from patrizier.view import View

_PORTRAITS = {"set", "portraits", "draws-set"}
_TOWERS = {"scores", "lead", "lead-from"}


def themes_of(view: View, move: Move, after: State) -> tuple[str, ...]:
    """Return the themes of a solution; ``after`` is the position that it leads to."""
    return tuple(name for name, holds in THEMES.items() if holds(view, move, after))


def _ties(view: View, _move: Move, after: State) -> bool:
    """A tie in a tower that has changed goes to the solver, who did not lead there before."""
    assert view.viewer is not None
    before = {city.code: city for city in view.cities}
    return any(
        leader == view.viewer and was != view.viewer and _is_tied(tower)
        for city in after.view(view.viewer).cities
        for leader, was, tower in zip(
            city.leaders, before[city.code].leaders, (city.left, city.right), strict=True
        )
    )


def _is_tied(tower: tuple[int, ...]) -> bool:
    floors = sorted((tower.count(seat) for seat in set(tower)), reverse=True)
    return len(floors) > 1 and floors[0] == floors[1]


def _special_action(view: View, move: Move, _after: State) -> bool:
    """A floor is moved."""
    return move.moved is not None and view.phase != "messenger"


def _free_draw(view: View, move: Move, _after: State) -> bool:
    """The draw is free."""
    return move.draw is not None and view.phase != "messenger"


def _portraits(view: View, _move: Move, after: State) -> bool:
    """Portraits make a set, or are one short of it."""
    return any(fact.kind in _PORTRAITS for fact in facts(view, after))


def _messengers(view: View, _move: Move, after: State) -> bool:
    """The question is where a messenger goes, or a tower is won or led where messengers lie."""
    if view.phase == "messenger":
        return True
    there = {city.code for city in view.cities if city.messengers}
    return any(
        fact.kind in _TOWERS and dict(fact.values)["city"] in there for fact in facts(view, after)
    )


def _denying(view: View, _move: Move, after: State) -> bool:
    """Others lose points: a floor is moved, or the card they need is taken."""
    return any(fact.kind in DENIALS for fact in facts(view, after))


def _last_round(view: View, _move: Move, _after: State) -> bool:
    """Everybody has one turn left at most."""
    return turns_left(view) <= view.options.players


def _endings(view: View, _move: Move, _after: State) -> bool:
    """The draw pile is empty."""
    return view.pile_left == 0


THEMES: dict[str, Callable[[View, Move, State], bool]] = {
    "ties": _ties,
    "special-action": _special_action,
    "free-draw": _free_draw,
    "portraits": _portraits,
    "messengers": _messengers,
    "denying": _denying,
    "last-round": _last_round,
    "endings": _endings,
}
