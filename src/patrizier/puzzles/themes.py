"""What a puzzle is about: facts of the rules about its solution."""

from collections.abc import Callable, Iterator

from patrizier.analysis.reasons import facts
from patrizier.bots.endgame.solver import turns_left
from patrizier.move import Move
from patrizier.state import State
from patrizier.view import CityView, View

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
    denies = any(fact.kind == "denies" for fact in facts(view, after))
    return denies or any(True for _ in _cards_kept_away(view, after))


def _cards_kept_away(view: View, after: State) -> Iterator[str]:
    """Yield the card taken, if it completes a city in which others lead a tower."""
    assert view.viewer is not None
    own, later = view.seats[view.viewer], after.view(view.viewer)
    cities = {city.code: city for city in later.cities}
    for card in set(later.seats[view.viewer].hand) - set(own.hand):
        city = cities[card[:2]]
        others = {leader for leader in city.leaders if leader not in (None, view.viewer)}
        if city.winners is None and _missing(city) <= view.options.deck[card].crests and others:
            yield card


def _missing(city: CityView) -> int:
    return city.capacity - len(city.left) - len(city.right)


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
