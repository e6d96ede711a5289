"""Diagrams: a position as a picture in SVG, from the drawings of the page.

Notebooks show a `Game`, a `State` and a `View` this way by themselves.
"""

from collections.abc import Sequence
from html import escape

from patrizier.art import placed
from patrizier.rules.deck import NOBLES, Face
from patrizier.state import State
from patrizier.view import CityView, View

_WIDTH, _MARGIN, _HEAD = 1000.0, 16.0, 44.0
_COLUMNS = 5
_CITY_HEIGHT = 216.0
_FLOOR_WIDTH, _FLOOR_HEIGHT = 62.0, 14.0
_GROUND = 168.0  # where the towers stand, below the top of their city
_SEAT_HEIGHT = 66.0
_CARD_WIDTH, _CARD_HEIGHT = 84.0, 30.0
_INK, _SOFT, _GOLD, _PAPER, _PANEL = "#2a2320", "#675a49", "#b3812b", "#f4eadb", "#faf1e4"
_LINE, _CARD = "#dccbb0", "#fbf7ec"
_SYMBOLS = {"?": "symbols/draw", ">": "symbols/move"}


def view_svg(view: View) -> str:
    """Return what a viewer knows as a picture: their own cards, backs for those not known."""
    hands = [[*seat.hand, *[None] * seat.unknown] for seat in view.seats]
    return _board(view, hands)


def state_svg(state: State) -> str:
    """Return a whole position as a picture, with all hands open."""
    hands = [state.view(seat).seats[seat].hand for seat in range(state.options.players)]
    return _board(state.view(None), hands)


def _board(view: View, hands: Sequence[Sequence[str | None]]) -> str:
    rows = -(-len(view.cities) // _COLUMNS)
    below = _HEAD + rows * (_CITY_HEIGHT + 8)
    height = below + len(view.seats) * _SEAT_HEIGHT + _MARGIN
    each = (_WIDTH - 2 * _MARGIN) / _COLUMNS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:g}" '
        f'style="width:100%;max-width:{_WIDTH:g}px" role="img" aria-label="{_title(view)}">',
        f'<path fill="{_PAPER}" d="M0 0H{_WIDTH:g}V{height:g}H0z"/>',
        _text(_title(view), _MARGIN, 30, 20, weight=600),
        _text(f"{view.pile_left} cards in the pile", _WIDTH - _MARGIN, 30, 15, anchor="end"),
    ]
    for number, city in enumerate(view.cities):
        row, column = divmod(number, _COLUMNS)
        x, y = _MARGIN + column * each, _HEAD + row * (_CITY_HEIGHT + 8)
        parts += _city(view, city, x + 3, y, each - 6)
    for seat, hand in enumerate(hands):
        parts += _seat(view, seat, hand, below + seat * _SEAT_HEIGHT)
    return "".join([*parts, "</svg>"])


def _title(view: View) -> str:
    if view.outcome:
        winners = " and ".join(view.options.colours[seat] for seat in view.outcome.winners)
        return f"After {view.turn} turns: {winners} won"
    assert view.seat is not None
    return f"Turn {view.turn + 1} of {view.turns}: {view.options.colours[view.seat]} to move"


def _city(view: View, city: CityView, x: float, y: float, width: float) -> list[str]:
    middle = x + width / 2
    taller, lower = city.tokens
    parts = [
        _panel(x, y, width, _CITY_HEIGHT, _GOLD if city.winners else _LINE),
        placed(f"crests/{city.code}", x + 8, y + 7, 18),
        _text(city.name, x + 32, y + 24, 17, weight=600),
        _text(f"{taller} · {lower}", x + width - 9, y + 23, 15, anchor="end", fill=_GOLD),
    ]
    for floors, leader, left in (
        (city.left, city.leaders[0], middle - _FLOOR_WIDTH - 6),
        (city.right, city.leaders[1], middle + 6),
    ):
        parts += _tower(view, floors, leader, left, y + _GROUND, closed=bool(city.winners))
    left = x + 8
    if city.card:
        parts += _card(view, city.card, left, y + _GROUND + 12)
        left += _CARD_WIDTH + 8
    parts += [
        placed("messenger", left + 30 * number, y + _GROUND + 20, 28)
        for number in range(city.messengers)
    ]
    if city.winners:
        took = zip(city.tokens, city.winners, strict=True)
        said = "; ".join(f"{view.options.colours[seat]} {points}" for points, seat in took)
        parts.append(_text(said, x + width - 9, y + _GROUND + 34, 14, anchor="end"))
    return parts


def _tower(
    view: View, floors: Sequence[int], leader: int | None, x: float, ground: float, *, closed: bool
) -> list[str]:
    drawn = _FLOOR_HEIGHT * 1.2  # a floor's drawing reaches into the one above
    parts = [placed("site", x - 2, ground, _FLOOR_WIDTH + 4)]
    parts += [
        placed(
            f"floors/{view.options.colours[seat]}",
            x,
            ground - level * _FLOOR_HEIGHT - drawn,
            _FLOOR_WIDTH,
            drawn,
        )
        for level, seat in enumerate(floors)
    ]
    if not floors or leader is None:
        return parts
    top = ground - len(floors) * _FLOOR_HEIGHT - 2
    if closed:
        roof = f"roofs/{view.options.colours[floors[-1]]}"
        return [*parts, placed(roof, x, top - 15, _FLOOR_WIDTH, 16)]
    count = f"{view.options.colours[leader]} {floors.count(leader)}/{len(floors)}"
    return [*parts, _text(count, x + _FLOOR_WIDTH / 2, top - 6, 11, anchor="middle", fill=_SOFT)]


def _card(view: View, card: str | None, x: float, y: float) -> list[str]:
    """Return a card lying on its side: number, crests and what else it shows."""
    parts = [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{_CARD_WIDTH:g}" height="{_CARD_HEIGHT:g}" rx="4" '
        f'fill="{_CARD if card else "#84402f"}" stroke="{_SOFT}"/>'
    ]
    if card is None:
        return [*parts, placed("ornaments/rosette", x + _CARD_WIDTH / 2 - 10, y + 5, 20)]
    face: Face = view.options.deck[card]
    parts.append(_text(card, x + 5, y + 20, 13, weight=600))
    shown = [f"crests/{card[:2]}"] * face.crests
    if face.noble:
        shown += [f"nobles/{face.noble}"] * face.heads
    elif symbol := _SYMBOLS.get(face.text[0]):
        shown.append(symbol)
    if face.star:
        shown.append("symbols/star")
    step = min(18.0, 46.0 / len(shown))
    return parts + [placed(name, x + 35 + step * n, y + 6, 15) for n, name in enumerate(shown)]


def _seat(view: View, seat: int, hand: Sequence[str | None], y: float) -> list[str]:
    known = view.seats[seat]
    width = _WIDTH - 2 * _MARGIN
    parts = [
        _panel(_MARGIN, y, width, _SEAT_HEIGHT - 6, _GOLD if seat == view.seat else _LINE),
        placed(f"floors/{known.colour}", _MARGIN + 10, y + 12, 48),
        _text(known.colour, _MARGIN + 68, y + 27, 17, weight=600),
        _text(f"{known.supply} floors left", _MARGIN + 10, y + 49, 13, fill=_SOFT),
    ]
    x = _MARGIN + 136
    for card in hand:
        parts += _card(view, card, x, y + 15)
        x += _CARD_WIDTH + 6
    x = _MARGIN + 136 + 3 * (_CARD_WIDTH + 6) + 16
    for noble in NOBLES:
        parts += [
            placed(f"nobles/{noble}", x, y + 15, 28),
            _text(str(known.heads.get(noble, 0)), x + 34, y + 36, 16),
        ]
        x += 60
    tokens = " ".join(map(str, known.tokens)) or "none"
    parts.append(_text(f"tokens: {tokens}", x + 6, y + 27, 15))
    others = f"chips: {known.chips} · " if "messengers" in view.options.rules else ""
    points = view.outcome.scores[seat].total if view.outcome else None
    if points is not None:
        others += f"points: {points}"
    return [*parts, _text(others.removesuffix(" · "), x + 6, y + 47, 14, fill=_SOFT)]


def _panel(x: float, y: float, width: float, height: float, edge: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:g}" rx="8" '
        f'fill="{_PANEL}" stroke="{edge}" stroke-width="{2 if edge == _GOLD else 1}"/>'
    )


def _text(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    weight: int = 400,
    anchor: str = "start",
    fill: str = _INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="EB Garamond, Georgia, serif" '
        f'font-size="{size:g}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="{fill}">{escape(text)}</text>'
    )
