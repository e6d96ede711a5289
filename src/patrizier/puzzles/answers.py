"""The possible answers to a puzzle: turns up to a messenger, with mirror images as one.

The sites of a city are interchangeable: turns whose positions differ only by swapped sites are one
answer.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from patrizier.analysis.options import Option, options_of
from patrizier.move import Move
from patrizier.rules.codes import step_of
from patrizier.state import State
from patrizier.view import View


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: a turn, and all options that begin with it."""

    move: Move  # as much of it as is asked for
    options: tuple[Option, ...]
    after: State  # in one world consistent with the view


def answers_of(view: View) -> list[Answer]:
    """Return all different answers of the seat to decide."""
    start = view.sample(0)
    found: dict[Hashable, Answer] = {}
    for option in options_of(start._cells):
        after = start
        for code in option.codes:
            if view.phase != "messenger" and step_of(code) == "messenger":
                break
            after = after.apply(code)
        key = _key(view, after)
        known = found.get(key)
        if known is None:
            found[key] = Answer(before_messenger(view, option.move), (option,), after)
        else:
            found[key] = Answer(known.move, (*known.options, option), known.after)
    return list(found.values())


def before_messenger(view: View, move: Move) -> Move:
    """Return the part of a turn that is asked for: all but the messenger, or the messenger alone.

    >>> from patrizier import Game, Options
    >>> view = Game(Options(players=2, rules={"messengers"}), seed=1).view(0)
    >>> before_messenger(view, Move("BO4:L@MI-PA")).text
    'BO4:L'
    """
    if view.phase == "messenger" or move.messenger is None:
        return move
    return Move.of(move.card, move.sites, moved=move.moved, draw=move.draw)


def accepted(view: View, solution: Move) -> frozenset[str]:
    """Return every turn that is the same answer as the solution."""
    start = view.sample(0)
    wanted = _key(view, played(view, start, solution))
    return frozenset(
        text
        for text in {before_messenger(view, move).text for move in view.legal}
        if text[:3] == solution.card and _key(view, played(view, start, Move(text))) == wanted
    )


def played(view: View, state: State, move: Move) -> State:
    """Return the position after the part of a turn that is asked for."""
    return state.play(move, until=None if view.phase == "messenger" else "messenger")


def _key(view: View, state: State) -> Hashable:
    """Return what the viewer sees of a position, with the sites of every city in a fixed order."""
    seen = state.view(view.viewer)
    cities = tuple((*sorted((city.left, city.right)), city.card) for city in seen.cities)
    hands = tuple(tuple(sorted(seat.hand)) for seat in seen.seats)
    return state.turn, state.phase, cities, hands, seen.messengers
