"""Draws one city: with standing towers if there is room, else lying ones."""

from dataclasses import dataclass

from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.words import city_name, face_short
from patrizier.rules.deck import Deck
from patrizier.view import CityView

CARD_WIDTH = 13
_CARD_HEIGHT = 4
_FLOOR_WIDTH = 5
_SEAMS_FROM = 24  # columns a city needs to show seams between lying floors


@dataclass(frozen=True)
class Scene:
    """What all cities of a drawing share."""

    cast: Cast
    deck: Deck
    over: bool  # at the end no city is dimmed

    def rests(self, city: CityView) -> bool:
        """Whether a city is dimmed, because it is complete."""
        return city.winners is not None and not self.over


def standing_height(city: CityView) -> int:
    """Return how many lines a city with standing towers needs, its frame included."""
    return 2 + max(_CARD_HEIGHT, len(city.left), len(city.right))


def standing(city: CityView, scene: Scene, width: int, height: int) -> list[Text]:
    """Draw a city with standing towers as lines of this width and number."""
    rests = scene.rests(city)
    frame = QUIET if rests else ""
    inner, rows = width - 2, height - 2
    card = _card(city.card, scene)
    slot = (inner - CARD_WIDTH - 1) // 2
    lines = [_title(city, width, frame)]
    for row in range(rows):
        level = rows - 1 - row
        line = Text.assemble(("│", frame))
        for floors in (city.left, city.right):
            floor = _floor(floors, level, scene.cast, dim=rests)
            line.append_text(centred(floor, slot))
        line.append_text(fit(Text(), inner - 2 * slot - CARD_WIDTH - 1))
        from_top = row - (rows - _CARD_HEIGHT)  # the card lies on the ground line, too
        line.append_text(card[from_top] if from_top >= 0 else Text(" " * CARD_WIDTH))
        lines.append(Text.assemble(line, " ", ("│", frame)))
    lines.append(_base(city, scene.cast, width, slot, frame))
    return lines


def lying(city: CityView, scene: Scene, width: int, links: str) -> list[Text]:
    """Draw a city in four lines: name and messengers, a line for each tower, the card."""
    rests = scene.rests(city)
    name = Text(city.name, QUIET if rests else "bold")
    title = Text.assemble(name, (f" {_built(city)}/{city.capacity} ", QUIET if rests else ""))
    rule = Text("─" * max(0, width - len(title.plain) - len(links)), QUIET)
    lines = [fit(Text.assemble(title, rule, (links, GILT)), width)]
    for floors, token in zip((city.left, city.right), tokens_now(city, scene.cast), strict=True):
        tower = scene.cast.lying_tower(floors, seams=width >= _SEAMS_FROM, dim=rests)
        lines.append(fit(Text.assemble(fit(token, 6), tower), width))
    return [*lines, fit(_card_line(city.card, scene, width), width)]


def fit(text: Text, width: int) -> Text:
    """Return a text cut or filled to this width."""
    text = text.copy()
    text.truncate(width, overflow="ellipsis", pad=True)
    return text


def centred(text: Text, width: int) -> Text:
    """Return a text in the middle of this width."""
    space = max(0, width - text.cell_len)
    return fit(Text.assemble(" " * (space // 2), text), width)


def _built(city: CityView) -> int:
    return len(city.left) + len(city.right)


def _title(city: CityView, width: int, frame: str) -> Text:
    built = f" {_built(city)}/{city.capacity} "
    name = Text(f" {city.name} ", frame or "bold")
    rule = "─" * (width - 4 - len(name.plain) - len(built))
    return Text.assemble(("╭─", frame), name, (rule, frame), (built, frame), ("─╮", frame))


def _base(city: CityView, cast: Cast, width: int, slot: int, frame: str) -> Text:
    """Draw the ground line: under each tower its token, and who gets it."""
    line = Text.assemble(("╰", frame))  # own style: winners stay bright on a dimmed city
    for token in tokens_now(city, cast):
        space = slot - token.cell_len - 2
        line.append("─" * (space // 2), frame)
        line.append_text(Text.assemble(" ", token, " "))
        line.append("─" * (space - space // 2), frame)
    return line.append("─" * (width - 2 - 2 * slot) + "╯", frame)


def tokens_now(city: CityView, cast: Cast) -> tuple[Text, Text]:
    """Return for the left and the right tower: its token, and who takes or took it."""
    high, low = city.tokens
    if city.winners:
        taken = [
            Text.assemble((f"{value}✓", QUIET), cast.mark(winner))
            for value, winner in zip((high, low), city.winners, strict=True)
        ]
        return (taken[0], taken[1]) if city.taller == "L" else (taken[1], taken[0])
    values = {"L": (f"{high}", f"{low}"), "R": (f"{low}", f"{high}")}
    left, right = values.get(city.taller or "", (f"{high}/{low}",) * 2)
    return _promise(left, city.leaders[0], cast), _promise(right, city.leaders[1], cast)


def _promise(value: str, leader: int | None, cast: Cast) -> Text:
    if leader is None:
        return Text(value, QUIET)
    return Text.assemble(f"{value}▸", cast.mark(leader))


def _floor(floors: tuple[int, ...], level: int, cast: Cast, *, dim: bool) -> Text:
    if level < len(floors):
        if dim:
            return Text(f"▐{cast.marks[floors[level]].center(_FLOOR_WIDTH - 2)}▌", QUIET)
        return cast.floor(floors[level], _FLOOR_WIDTH)
    return Text("╌" * _FLOOR_WIDTH if level == 0 else "", QUIET)


def _card(card: str | None, scene: Scene) -> list[Text]:
    """Draw the face-up card of a city."""
    inner = CARD_WIDTH - 2
    if card is None:
        empty = [Text()] * (_CARD_HEIGHT - 1) + [_no_card(scene)]
        return [centred(line, CARD_WIDTH) for line in empty]
    name = centred(Text(city_name(card)), inner)
    face = centred(_face(card, scene.deck), inner)
    return [
        Text(f"┌{'─' * inner}┐", GILT),
        Text.assemble(("│", GILT), name, ("│", GILT)),
        Text.assemble(("│", GILT), face, ("│", GILT)),
        Text(f"└{'─' * inner}┘", GILT),
    ]


def _face(card: str, deck: Deck) -> Text:
    text = Text(face_short(deck[card]))
    text.highlight_regex("★", GILT)
    return text


def _card_line(card: str | None, scene: Scene, width: int) -> Text:
    if card is None:
        return _no_card(scene)
    name = city_name(card) if width >= _SEAMS_FROM else card[:2]
    return Text.assemble(("▤ ", GILT), f"{name}, ", _face(card, scene.deck))


def _no_card(scene: Scene) -> Text:
    return Text("" if scene.over else "no card", QUIET)
