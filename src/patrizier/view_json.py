"""The JSON form of a view, for clients and bots in any language.

Version 1. Seats count from 0. Texts are those of the game record: cards ``BO7``, cities ``BO``,
turns ``LU3:L>MI.R``, pairs of cities ``MI-PA``.
"""

import json
from typing import Any

from patrizier.options import Options
from patrizier.record import Record
from patrizier.rules import RULES_VERSION, boundary
from patrizier.rules.board import (
    CAPACITY,
    CARD_INDEX,
    CITY_INDEX,
    EDGE_CITIES,
    EDGE_INDEX,
    HAND,
)
from patrizier.rules.check import check_state
from patrizier.rules.codes import SITE_TEXTS, tower_index
from patrizier.rules.deck import NOBLES, Deck
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import (
    DEALT,
    NONE,
    ON_DISPLAY,
    OVER,
    PHASES,
    PLAYED,
    TAKEN,
    TURN_FIELDS,
    UNKNOWN,
    UNSEEN,
    Cells,
    copy_cells,
)
from patrizier.state import State
from patrizier.view import VIEW_VERSION, SeatView, TableView, View


def view_to_json(view: View) -> dict[str, Any]:
    """Return a view as plain lists, dictionaries, numbers and strings."""
    options = view.options
    return {
        "version": VIEW_VERSION,
        "rules_version": RULES_VERSION,
        "players": options.players,
        "rules": options.rules_text.split(",") if options.rules else [],
        "colours": list(options.colours),
        "deck": {
            "name": options.deck.name,
            "cards": options.deck.texts.copy(),
        },
        "viewer": view.viewer,
        "start": view.start,
        "turn": view.turn,
        "turns": view.turns,
        "seat": view.seat,
        "phase": view.phase,
        "pending": view.pending.to_json() if view.pending else None,
        "cities": [
            {
                "code": city.code,
                "capacity": city.capacity,
                "tokens": list(city.tokens),
                "left": list(city.left),
                "right": list(city.right),
                "leaders": list(city.leaders),
                "tallies": [[list(entry) for entry in tower] for tower in city.tallies],
                "taller": city.taller,
                "card": city.card,
                "messengers": city.messengers,
                "winners": list(city.winners) if city.winners else None,
            }
            for city in view.cities
        ],
        "messengers": list(view.messengers),
        "bonuses": view.bonuses,
        "seats": [_plain(seat) for seat in view.seats],
        "table": [_plain(seat) for seat in view.table],
        "sums": view.sums.to_json() if view.sums else None,
        "pile_left": view.pile_left,
        "unseen": list(view.unseen),
        "legal": [move.text for move in view.legal],
        "history": [record.to_json() for record in view.history],
        "outcome": view.outcome.to_json() if view.outcome else None,
    }


def _plain(seat: SeatView | TableView) -> dict[str, Any]:
    """Return the fields of a seat; several times faster than `dataclasses.asdict`."""
    plain = {}
    for name in seat.__slots__:
        value = getattr(seat, name)
        if isinstance(value, tuple):
            value = list(value)
        plain[name] = dict(value) if isinstance(value, dict) else value
    return plain


def view_from_json(data: dict[str, Any]) -> View:
    """Read a view and check all of it against the rules."""
    if not isinstance(data, dict) or data.get("version") != VIEW_VERSION:
        raise ValueError(f"not a view of version {VIEW_VERSION}")
    if data.get("rules_version") != RULES_VERSION:
        raise ValueError(f"not a view of rules version {RULES_VERSION}")
    try:
        options = Options(
            data["players"],
            data["rules"],
            Deck.of(data["deck"]["name"], data["deck"]["cards"]),
            data["colours"],
        )
        viewer = data["viewer"]
        if viewer is not None and type(viewer) is not int:
            raise TypeError("viewer is a seat or null")
        known = _known(data, options)
        history = tuple(Record.from_json(record) for record in data["history"])
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"not a view: {type(error).__name__}: {error}") from None
    _check_history(history, data)
    world = copy_cells(known)
    boundary.sample_hidden(world, new_scratch())
    check_state(world)
    view = View.of(State(options, world), viewer, history)
    if _canonical(view.to_json()) != _canonical(data):
        raise ValueError("the view contradicts itself")
    return view


def _check_history(history: tuple[Record, ...], data: dict[str, Any]) -> None:
    """Raise ValueError unless the history covers all finished turns, or none."""
    if history and len(history) != data["turn"]:
        raise ValueError(f"a history of {len(history)} turns, but {data['turn']} were played")
    for number, record in enumerate(history):
        seat = (data["start"] + number) % data["players"]
        if (record.turn, record.seat) != (number + 1, seat):
            raise ValueError(f"turn {number + 1} of the history is not seat {seat}'s")


def _canonical(data: dict[str, Any]) -> str:
    """Return JSON text for comparison: 1, 1.0 and True are equal in Python but not in JSON."""
    try:
        return json.dumps(data, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"not a view: {error}") from None


def _known(data: dict[str, Any], options: Options) -> Cells:
    """Return the state behind a view, with unknown cards masked."""
    cells = options.blank_cells()
    state = cells[0]
    for name in ("hands", "display", "pile", "tops", "floors", "winners", "where"):
        state[name][...] = NONE
    for name in TURN_FIELDS:
        state[name] = NONE
    state.start = data["start"]
    state.turn = data["turn"]
    state.seat = (data["start"] + data["turn"]) % options.players
    state.phase = PHASES.index(data["phase"])
    for card in data["unseen"]:
        state.where[CARD_INDEX[card]] = UNSEEN
    state.pile_left = data["pile_left"]
    state.pile[: data["pile_left"]] = UNKNOWN
    state.missing[:] = CAPACITY
    for city in data["cities"]:
        _lay_city(cells, city)
    for pair in data["messengers"]:
        state.messengers[EDGE_INDEX[pair]] = 1
        state.messengers_at[EDGE_CITIES[EDGE_INDEX[pair]]] += 1
    for number, seat in enumerate(data["seats"]):
        _lay_seat(cells, number, seat, options.players)
    if data["pending"] is not None and state.phase != OVER:
        _lay_turn(cells, Record.from_json(data["pending"]))
    if int((state.hands == UNKNOWN).sum()) + data["pile_left"] != len(data["unseen"]):
        raise ValueError("the unseen cards do not fill the hands and the draw pile")
    return cells


def _lay_city(cells: Cells, city: dict[str, Any]) -> None:
    state, index = cells[0], CITY_INDEX[city["code"]]
    if city["card"] is not None:
        state.display[index] = CARD_INDEX[city["card"]]
        state.where[CARD_INDEX[city["card"]]] = ON_DISPLAY
    for site, owners in enumerate((city["left"], city["right"])):
        state.floors[index, site, : len(owners)] = owners
        state.heights[index, site] = len(owners)
        state.missing[index] -= len(owners)
        for owner in owners:
            state.counts[index, site, owner] += 1
    if city["winners"] is not None:
        state.winners[index] = city["winners"]


def _lay_seat(cells: Cells, number: int, seat: dict[str, Any], players: int) -> None:
    state = cells[0]
    if seat["unknown"] not in range(HAND + 1):
        raise ValueError(f"{seat['unknown']!r} unknown cards in a hand")
    held = [CARD_INDEX[card] for card in seat["hand"]] + [UNKNOWN] * seat["unknown"]
    state.hands[number, : len(held)] = held
    for card in seat["hand"]:
        secret = card in seat["secret"]
        state.where[CARD_INDEX[card]] = (DEALT if secret else TAKEN) + number
    for card in seat["pile"]:
        state.where[CARD_INDEX[card]] = PLAYED + number
    state.tops[number] = NONE if seat["top"] is None else CARD_INDEX[seat["top"]]
    state.heads[number] = [seat["heads"][noble] for noble in NOBLES]
    state.supply[number] = seat["supply"]
    state.tokens[number] = sum(seat["tokens"])
    state.chips[number] = seat["chips"]
    state.messengers_left[number] = seat["messengers_left"]


def _lay_turn(cells: Cells, pending: Record) -> None:
    """Fill in the current turn; a draw that its move does not name was forced, or is to come."""
    state, move = cells[0], pending.move
    city = CITY_INDEX[move.card[:2]]
    state.card = CARD_INDEX[move.card]
    state.way = SITE_TEXTS[len(move.sites) - 1].index(move.sites)
    state.moved = NONE if move.moved is None else tower_index(move.moved)
    forced = pending.drawn is not None and move.draw is None
    state.free = 0 if forced or PHASES[int(state.phase)] == "move" else 1
    if pending.drawn is not None:
        state.drawn = CARD_INDEX[pending.drawn]
        state.source = city if forced else CITY_INDEX[move.draw or ""]
    if pending.refill is not None:
        state.refill = CARD_INDEX[pending.refill]
    if pending.scored is not None:
        state.scored = CITY_INDEX[pending.scored.city]
