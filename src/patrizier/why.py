"""Why something is not allowed: a code, which clients translate, and an English sentence.

Both come from the same checks. The page knows no rules: it gets a code for every step that a player
may try and that is not legal.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from patrizier.errors import IllegalMove
from patrizier.move import Move
from patrizier.rules.board import (
    CARD_INDEX,
    CARDS,
    CITIES,
    CITY_INDEX,
    EDGE_INDEX,
    EDGES,
    MAX_PLAYERS,
    PISTOIA,
    SITES,
)
from patrizier.rules.codes import SITE_TEXTS
from patrizier.rules.deck import FREE_DRAW, SPECIAL_ACTION, STAR
from patrizier.rules.state import AT_BUILT_CITY, NONE, WITH_MESSENGERS, Cells
from patrizier.state import State, crests_of

Bar: TypeAlias = Literal[
    "must-fill-site",  # the last floors of a city may not leave a site empty
    "built-here",  # no special action in the city just built in
    "scored",  # nor in a scored city
    "no-floor",  # nor in a city without a floor of your own
    "empty-site",  # no floor to move
    "no-card",  # no card to draw
    "forced-draw",  # not a free draw
    "messenger-pair",  # there is a messenger already
    "messenger-two",  # a city has two messengers already
    "messenger-city-built",  # not at the city just built in
]
Barred: TypeAlias = dict[Bar, list[str]]
Why: TypeAlias = tuple[str, str, dict[str, str | int]]  # the rule's key, the sentence, its values

_SENTENCES: dict[Bar, str] = {
    "must-fill-site": "each tower needs a floor: the last one in {city} goes to the {side} site",
    "built-here": "the special action may not touch {city}, the city just built in",
    "scored": "{city} has already been scored",
    "no-floor": "you own no floor in {city}",
    "empty-site": "there is no floor to move on that site of {city}",
    "no-card": "no card lies at {city}",
    "forced-draw": "the draw is not free: the card at {city} is taken without writing it",
    "messenger-pair": "a messenger already lies between {one} and {two}",
    "messenger-two": "{city} already has two messengers",
    "messenger-city-built": "a messenger may not lie at {city}, the city just built in",
}


# -- codes


def barred(state: State) -> Barred:
    """Return the illegal steps of the rest of this turn, by reason.

    A step is named by the text of its decision, ``BO1:LL`` or ``@MI-PA``; ``>MI`` means both towers
    of a city. Steps that are illegal for one card only start with its id: ``BO1>BO``; ``BO1+``
    means any draw.
    """
    found: Barred = {}
    for bar, step in _bars(state):
        found.setdefault(bar, []).append(step)
    return found


def _bars(state: State) -> Iterator[tuple[Bar, str]]:
    cells, phase = state._cells, state.phase
    if phase == "over":
        return
    if phase == "messenger":
        yield from _barred_pairs(cells)
        return
    cards = [int(cells["card"][0])]
    if phase == "build":
        hand = cells["hands"][0, int(cells["seat"][0])].tolist()
        cards = [card for card in hand if card != NONE]
        yield from _barred_builds(cells, cards)
    if phase != "draw":
        yield from _barred_moves(cells, cards)
    yield from _barred_draws(cells, cards)


def _barred_builds(cells: Cells, cards: list[int]) -> Iterator[tuple[Bar, str]]:
    missing = cells["missing"][0].tolist()
    for card in cards:
        crests = crests_of(cells, card)
        for sites in SITE_TEXTS[crests - 1] if missing[_city_of(card)] == crests else ():
            if _site_left_empty(cells, card, sites) is not None:
                yield "must-fill-site", f"{CARDS[card]}:{sites}"


def _barred_moves(cells: Cells, cards: list[int]) -> Iterator[tuple[Bar, str]]:
    movers = [card for card in cards if int(cells["faces"][0, card]) & SPECIAL_ACTION]
    if not movers:
        return
    heights = cells["heights"][0].tolist()
    for card in movers:
        yield "built-here", f"{CARDS[card]}>{CARDS[card][:2]}"
    for city in _on_board(cells):
        code, bar = CITIES[city].code, _bar_on_move(cells, city)
        if bar is not None:
            yield bar, f">{code}"
            continue
        for site, height in zip(SITES, heights[city], strict=True):
            if height == 0:
                yield "empty-site", f">{code}.{site}"


def _barred_draws(cells: Cells, cards: list[int]) -> Iterator[tuple[Bar, str]]:
    display = cells["display"][0].tolist()
    for city in _on_board(cells):
        if display[city] == NONE:
            yield "no-card", f"+{CITIES[city].code}"
    for card in cards:
        if not _draws_freely(cells, card):
            yield "forced-draw", f"{CARDS[card]}+"


def _barred_pairs(cells: Cells) -> Iterator[tuple[Bar, str]]:
    card, on_board = int(cells["card"][0]), _on_board(cells)
    for pair in EDGES:
        bar = _bar_on_pair(cells, pair, card)
        if bar and all(city in on_board for city in _ends(pair)):
            yield bar[0], f"@{pair}"


def _on_board(cells: Cells) -> list[int]:
    whole = int(cells["players"][0]) == MAX_PLAYERS
    return [city for city in range(len(CITIES)) if whole or city != PISTOIA]


# -- sentences


def why_illegal(cells: Cells, move: Move) -> IllegalMove:
    """Return the error for the first rule that a move breaks at the start of a turn."""
    rule, text, values = (
        _why_not_build(cells, move)
        or _why_not_move(cells, move)
        or _why_not_draw(cells, move)
        or _why_not_post(cells, move)
        or _because("impossible", "this turn is not possible here")
    )
    return IllegalMove(f"{move}: {text}", rule, **values)


def _because(rule: str, text: str, **values: str | int) -> Why:
    return rule, text.format(**values), values


def _by_bar(bar: Bar, **values: str) -> Why:
    return _because(bar, _SENTENCES[bar], **values)


def _why_not_build(cells: Cells, move: Move) -> Why | None:
    state, card = cells[0], CARD_INDEX[move.card]
    hand = state.hands[int(state.seat)].tolist()
    if card not in hand:
        text, seat = "{card} is not in the hand of seat {seat}", int(state.seat) + 1
        return _because("hand", text, card=move.card, seat=seat)
    crests = crests_of(cells, card)
    if len(move.sites) != crests:
        ways = SITE_TEXTS[crests - 1]
        rule, floors = ("one-floor", "one floor") if crests == 1 else ("two-floors", "two floors")
        text = f"{{card}} builds {floors}: write {', '.join(ways[:-1])} or {ways[-1]}"
        return _because(rule, text, card=move.card)
    site = _site_left_empty(cells, card, move.sites)
    if site is None:
        return None
    side = ("left", "right")[site]
    return _by_bar("must-fill-site", city=_name(_city_of(card)), side=side)


def _why_not_move(cells: Cells, move: Move) -> Why | None:
    if move.moved is None:
        return None
    state, card, city = cells[0], CARD_INDEX[move.card], CITY_INDEX[move.moved[:2]]
    if not int(state.faces[card]) & SPECIAL_ACTION:
        return _because("no-special", "{card} does not show the special action", card=move.card)
    bar: Bar | None = "built-here" if city == _city_of(card) else _bar_on_move(cells, city)
    if bar is None and state.heights[city, SITES.index(move.moved[3])] == 0:
        bar = "empty-site"
    return _by_bar(bar, city=_name(city)) if bar else None


def _why_not_draw(cells: Cells, move: Move) -> Why | None:
    state, card = cells[0], CARD_INDEX[move.card]
    name = _name(_city_of(card))
    lying = (state.display != NONE).any()
    free = _draws_freely(cells, card)
    if move.draw is None:
        if free and lying:
            text, example = "name the city to draw from, like {example}", f"+{_first_lying(cells)}"
            if int(state.faces[card]) & FREE_DRAW:
                shown = f"{{card}} shows ?: {text}"
                return _because("free-draw", shown, card=move.card, example=example)
            return _because(
                "open-draw", f"no card lies at {{city}}: {text}", city=name, example=example
            )
        return None
    if not lying:
        return _because("no-draw", "no card lies face up, so none is drawn")
    if not free:
        return _by_bar("forced-draw", city=name)
    if state.display[CITY_INDEX[move.draw]] == NONE:
        return _by_bar("no-card", city=_name(CITY_INDEX[move.draw]))
    return None


def _why_not_post(cells: Cells, move: Move) -> Why | None:
    if move.messenger is None:
        return None
    state, card = cells[0], CARD_INDEX[move.card]
    if not int(state.rules) & WITH_MESSENGERS:
        return _because("no-messengers", "this game is played without messengers")
    if not int(state.faces[card]) & STAR:
        text = "{card} has no star, and only star cards send a messenger"
        return _because("no-star", text, card=move.card)
    if state.messengers_left[int(state.seat)] == 0:
        return _because("none-left", "you have no messenger left")
    ends = _ends(move.messenger)
    one, two = map(_name, ends)
    if move.messenger not in EDGE_INDEX:
        return _because("neighbours", "{one} and {two} are not neighbours", one=one, two=two)
    if not set(ends) <= set(_on_board(cells)):
        return _because("pistoia", "Pistoia is in play with five players only")
    found = _bar_on_pair(cells, move.messenger, card)
    if found is None:
        return None
    bar, city = found
    return _by_bar(bar, city=_name(city), one=one, two=two)


# -- checks


def _site_left_empty(cells: Cells, card: int, sites: str) -> int | None:
    """Return the site that a build would leave empty forever."""
    city = _city_of(card)
    if cells["missing"][0, city] != crests_of(cells, card):
        return None
    for site in range(2):
        if cells["heights"][0, city, site] == 0 and SITES[site] not in sites:
            return site
    return None


def _bar_on_move(cells: Cells, city: int) -> Bar | None:
    """Return why no floor of a city may be moved, regardless of the build."""
    if cells["winners"][0, city, 0] != NONE:
        return "scored"
    left, right = cells["counts"][0, city, :, int(cells["seat"][0])].tolist()
    return "no-floor" if left + right == 0 else None


def _draws_freely(cells: Cells, card: int) -> bool:
    """Whether a card gives a free draw: it shows ``?``, or no card lies at its city."""
    shown = int(cells["faces"][0, card]) & FREE_DRAW
    return bool(shown or cells["display"][0, _city_of(card)] == NONE)


def _bar_on_pair(cells: Cells, pair: str, card: int) -> tuple[Bar, int] | None:
    """Return why no messenger may be laid between two neighbours, and the city concerned."""
    state = cells[0]
    ends = _ends(pair)
    if state.messengers[EDGE_INDEX[pair]]:
        return "messenger-pair", ends[0]
    for city in ends:
        if city == _city_of(card) and not int(state.rules) & AT_BUILT_CITY:
            return "messenger-city-built", city
        if state.messengers_at[city] >= 2:
            return "messenger-two", city
    return None


def _city_of(card: int) -> int:
    return CITY_INDEX[CARDS[card][:2]]


def _ends(pair: str) -> list[int]:
    return [CITY_INDEX[code] for code in pair.split("-")]


def _name(city: int) -> str:
    return CITIES[city].name


def _first_lying(cells: Cells) -> str:
    return next(c.code for c, card in zip(CITIES, cells[0].display, strict=True) if card != NONE)
