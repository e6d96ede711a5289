"""Whole random games as messages to a page, with the engine's answer to every step of a turn.

The page's own code is run against these: whatever it shows has to be what stands here.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from page.truths import truths
from patrizier import Deck, Move, State
from patrizier.rules.codes import NO_MESSENGER
from patrizier.server.table.setup import OwnDeck, Rule, TableSetup
from server.support.table_driver import TableDriver, decide
from support.referee import tower_winner

Json = dict[str, Any]
PEOPLE = ("anna", "ben", "cleo", "dora", "eve")
MOST_TRIED = 8  # of the legal turns of a position


def whole_game(players: int, rules: tuple[Rule, ...], deck: Deck | None, seed: int) -> Json:
    """Play a game decision by decision, and record the messages that its people get."""
    own = _own(deck) if deck else None
    driver = TableDriver(TableSetup(players=players, rules=rules, deck=own, memory_help=True))
    driver.sit(*PEOPLE[1:players])
    rng, towers = Random(seed), dict[str, Json]()
    positions, messages, since = list[Json](), list[Json](), 0
    while driver.table.phase == "playing":
        state = driver.game.state
        _note_towers(towers, state)
        (told,) = driver.told(driver.mover).views
        tries = [_try(state, move, rng) for move in _some(state, rng)]
        positions.append({"told": told.model_dump(mode="json"), "tries": tries})
        if rng.random() < 0.8:  # some decisions share a message
            message = driver.told("anna", since=since).model_dump(mode="json")
            messages.append(message)
            since = message["seq"]
        decision = state.decision_text(_choose(state, rng))
        decide(driver, decision)
    messages.append(driver.told("anna", since=since).model_dump(mode="json"))
    return {"positions": positions, "messages": messages, "towers": towers}


def _own(deck: Deck) -> OwnDeck:
    return OwnDeck(name=deck.name, cards={card: face.text for card, face in deck.faces})


def _choose(state: State, rng: Random) -> int:
    """Return a legal decision; messengers are mostly kept, so that some are left near the end."""
    keep = state.phase == "messenger" and rng.random() < 0.85
    return NO_MESSENGER if keep else rng.choice(state.legal_decisions())


def _some(state: State, rng: Random) -> list[str]:
    moves = [move.text for move in state.legal_moves()]
    return rng.sample(moves, min(len(moves), MOST_TRIED))


def _try(state: State, text: str, rng: Random) -> Json:
    """Return a turn, choice by choice with the cities after each, and what bars other steps."""
    bars = truths(state.view(state.seat), Move(text).card)
    return {"turn": text, "steps": list(_steps(state, text, rng)), "truths": bars}


def _steps(state: State, text: str, rng: Random) -> Iterator[Json]:
    move, turn = Move(text), state.turn
    if state.phase == "build":
        yield {"choice": {"card": move.card}, "cities": _cities(state)}
        sites = rng.sample(move.sites, len(move.sites))
        for number, site in enumerate(sites[:-1]):
            floors = sites[: number + 1]
            yield {"choice": {"site": site}, "cities": _with_floors(state, move.card, floors)}
        before, state = state, state.apply(move.decision("build"))
        taken = _taken(before, state)
        yield {"choice": {"site": sites[-1]}, "cities": _cities(state), "taken": taken}
    if state.turn == turn and state.phase == "move":
        state = state.apply(move.decision("move"))
        tower = {"city": move.moved[:2], "site": move.moved[3]} if move.moved else "none"
        yield {"choice": {"move": tower}, "cities": _cities(state)}
    if state.turn == turn and state.phase == "draw":
        state = state.apply(move.decision("draw"))
        yield {"choice": {"draw": move.draw}, "cities": _cities(state)}
    if state.turn == turn and state.phase == "messenger":
        state = state.apply(move.decision("messenger"))
        yield {"choice": {"messenger": move.messenger or "none"}, "cities": _cities(state)}


def _taken(before: State, state: State) -> Json:
    """Return the points that a build brings by the end of the turn, if no messenger is laid."""
    while state.turn == before.turn:
        state = state.apply(state.legal_decisions()[0])
    return {
        str(seat): after.tokens + after.chips - score.tokens - score.chips
        for seat, (score, after) in enumerate(zip(before.scores(), state.scores(), strict=True))
        if after.tokens + after.chips > score.tokens + score.chips
    }


def _cities(state: State) -> list[Json]:
    """Return what a board shows of every city, but for its card."""
    return [
        {
            "code": city.code,
            "left": list(city.left),
            "right": list(city.right),
            "taller": city.taller,
            "leaders": list(city.leaders),
            "tallies": _lists(city.tallies),
            "winners": list(city.winners) if city.winners else None,
            "messengers": city.messengers,
        }
        for city in state.view(None).cities
    ]


def _with_floors(state: State, card: str, sites: list[str]) -> list[Json]:
    """Return the cities with the first of two floors laid, which the engine lays at once."""
    cities = _cities(state)
    (city,) = [each for each in cities if each["code"] == card[:2]]
    for site in sites:
        city["left" if site == "L" else "right"].append(state.seat)
    return [each | marks(each["left"], each["right"]) for each in cities]


def marks(left: list[int], right: list[int]) -> Json:
    """Return who leads which tower, as an independent referee sees it."""
    taller = None if len(left) == len(right) else "L" if len(left) > len(right) else "R"
    return {
        "taller": taller,
        "leaders": [tower_winner(tower) if tower else None for tower in (left, right)],
        "tallies": [_counted(tower) for tower in (left, right)],
    }


def _counted(tower: list[int]) -> list[list[int]]:
    """Return whose floors these are: most first, of equals who owns the higher one."""
    highest = {seat: level for level, seat in enumerate(tower)}
    order = sorted(highest, key=lambda seat: (-tower.count(seat), -highest[seat]))
    return [[seat, tower.count(seat)] for seat in order]


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, tuple) else value


def _note_towers(towers: dict[str, Json], state: State) -> None:
    """Note all pairs of towers that a board may show here or one step further."""
    for city in _cities(state):
        left, right = city["left"], city["right"]
        pairs = [(left, right)]
        for more in ([], [state.seat], [state.seat] * 2):
            pairs += [(left + more, right), (left, right + more), (left + more, right + more)]
        pairs += [(left[:-1], right + left[-1:]), (left + right[-1:], right[:-1])]
        for one, two in pairs:
            towers[f"{one}{two}".replace(" ", "")] = marks(one, two)
