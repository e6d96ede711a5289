"""Draws the board: cities in their places, messengers between them."""

from itertools import pairwise

from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.drawing.city import Scene, centred, lying, standing, standing_height
from patrizier.view import CityView, View

_ROWS = (("MI", "PA", "VE"), ("LU", None, "FE"), ("SI", None, "BO"), ("RO", "PI", "FI"))
_WIDEST_CITY = 40
_NARROWEST_CITY = 18
_KEY = (("▸", "7 would go to {}"), ("✓", "7 went to {}"))
STANDING_FROM = 96  # columns that standing towers need


def board_standing(view: View, cast: Cast, width: int) -> list[Text]:
    """Draw the board with standing towers and the roads between the cities."""
    ways = "messengers" in view.options.rules
    gap = 4 if ways else 2
    wide = min(_WIDEST_CITY, (width - 2 * gap) // 3)
    scene = _scene(view, cast)
    cities = {city.code: city for city in view.cities}
    heights = [
        max(standing_height(cities[code]) for code in row if code in cities) for row in _ROWS
    ]
    middle = _middle(view, cast, wide, heights[1] + heights[2] + int(ways))
    lines: list[Text] = []
    for number, (row, height) in enumerate(zip(_ROWS, heights, strict=True)):
        if number and ways:
            lines.append(_ways_down(view, row, wide, gap, middle.pop(0) if number == 2 else None))
        blocks = [
            standing(cities[code], scene, wide, height)
            if code in cities
            else [middle.pop(0) for _ in range(height)]
            if number in (1, 2)
            else [Text(" " * wide)] * height
            for code in row
        ]
        for level in range(height):
            parts = [block[level] for block in blocks]
            lines.append(
                _joined(view, row, parts, gap, at_way=ways and level == _way_level(number, height))
            )
    return lines


def _way_level(row: int, height: int) -> int:
    """Return the line on which the cities of a row are joined, clear of the text in the middle."""
    return {1: 1, 2: height - 2}.get(row, height // 2)


def _joined(
    view: View, row: tuple[str | None, ...], parts: list[Text], gap: int, *, at_way: bool
) -> Text:
    left, middle, right = row
    if not at_way:
        return Text(" " * gap).join(parts)
    if middle in [city.code for city in view.cities]:
        first, second = (_way(view, pair, gap) for pair in pairwise(row))
        return Text.assemble(parts[0], first, parts[1], second, parts[2])
    if middle is None:
        long_way = _way(view, (left, right), 2 * gap + parts[1].cell_len)
        return Text.assemble(parts[0], long_way, parts[2])
    return Text(" " * gap).join(parts)


def _way(view: View, pair: tuple[str | None, str | None], width: int) -> Text:
    """Draw the road between two neighbours, with its messenger."""
    if "-".join(sorted(str(code) for code in pair)) in view.messengers:
        side = (width - 2) // 2
        return Text("━" * side + "◀▶" + "━" * (width - 2 - side), f"bold {GILT}")
    return Text("┄" * width, QUIET)


def _ways_down(
    view: View, row: tuple[str | None, ...], wide: int, gap: int, middle: Text | None
) -> Text:
    """Draw the line above a row: roads from its outer cities to those above."""
    parts = []
    for column, code in enumerate(row):
        above = _ROWS[_ROWS.index(row) - 1][column]
        if column == 1:
            parts.append(middle or Text(" " * wide))
        elif "-".join(sorted((str(code), str(above)))) in view.messengers:
            parts.append(centred(Text("▲ messenger ▼", f"bold {GILT}"), wide))
        else:
            parts.append(centred(Text("┊", QUIET), wide))
    return Text(" " * gap).join(parts)


def board_lying(view: View, cast: Cast, width: int, *, airy: bool = True) -> list[Text]:
    """Draw the board with lying towers: four lines per city, blank lines between them if airy."""
    scene = _scene(view, cast)
    wide = min(_WIDEST_CITY, (width - 4) // 3)
    if wide < _NARROWEST_CITY:
        lines = _words(view, cast)
        for city in view.cities:
            lines += [Text(), *lying(city, scene, width, _links(view, city))]
        return lines
    cities = {city.code: city for city in view.cities}
    middle = _middle(view, cast, wide, 9 if airy else 8)
    lines = []
    for number, row in enumerate(_ROWS):
        if number and airy:
            between = middle.pop(0) if number == 2 else Text()
            lines.append(Text.assemble(" " * (wide + 2), between))
        blocks = [
            lying(cities[code], scene, wide, _links(view, cities[code]))
            if code in cities
            else [middle.pop(0) if number in (1, 2) else Text(" " * wide) for _ in range(4)]
            for code in row
        ]
        lines += [Text("  ").join(parts) for parts in zip(*blocks, strict=True)]
    return lines


def _scene(view: View, cast: Cast) -> Scene:
    return Scene(cast, view.options.deck, over=view.seat is None)


def _links(view: View, city: CityView) -> str:
    """Return the messengers at a city and their other ends: `` ◆PA◆LU``."""
    pairs = [pair.split("-") for pair in view.messengers if city.code in pair]
    return " " * bool(pairs) + "".join(f"◆{b if a == city.code else a}" for a, b in pairs)


def _words(view: View, cast: Cast) -> list[Text]:
    """Return the text in the middle of the board."""
    turns = 55 if view.options.players == 5 else 48
    lines = [Text(f"turn {min(view.turn + 1, turns)} of {turns}", QUIET)]
    if view.seat is None:
        return [*lines, Text("the game is over", "bold")]
    if view.seat == cast.you:
        lines.append(Text.assemble(cast.chip(view.seat), (" your turn", f"bold {GILT}")))
    else:
        name = (f" {cast.names[view.seat]} to play", "bold")
        lines.append(Text.assemble(cast.chip(view.seat), name))
    pile = "the pile is empty"
    if view.pile_left:
        pile = f"{view.pile_left} in the pile"
    return [*lines, Text(pile)]


def _middle(view: View, cast: Cast, width: int, height: int) -> list[Text]:
    """Return the middle of the board: the state of the game, and a key to the signs."""
    words = _words(view, cast)
    if height >= 9:
        words[2:2] = [Text()]
    if height >= 11:
        keys = _KEY if view.seat is not None else _KEY[1:]
        words += [Text(), *(_key(sign, meaning, cast) for sign, meaning in keys)]
    above = (height - len(words)) // 2
    lines = [Text()] * above + words
    return [centred(line, width) for line in lines + [Text()] * (height - len(lines))]


def _key(sign: str, meaning: str, cast: Cast) -> Text:
    words = meaning.format(cast.names[0])
    return Text.assemble((f"7{sign}", QUIET), cast.mark(0), (f"  {words}", QUIET))
