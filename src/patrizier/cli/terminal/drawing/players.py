"""Draws players and hands."""

from itertools import compress

from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.drawing.city import fit
from patrizier.cli.terminal.words import (
    card_text,
    city_name,
    face_action,
    face_short,
    sums_text,
)
from patrizier.view import SeatView, TableView, View

ONE_LINE_FROM = 96  # columns that a player in one line needs
_TITLES = ("", "floors", "", "tokens", "portraits", "top of pile", "hand")


def players(view: View, cast: Cast, width: int) -> list[Text]:
    """Draw a line for each player, or two where the terminal is narrow."""
    names = max(cast.label(seat.seat).cell_len for seat in view.seats) + 3
    is_open = any(table.pile is not None for table in view.table if table.seat != view.viewer)
    short = width < ONE_LINE_FROM
    widths = (names, 6, 3, 15, 0, 14, 24) if short else (names, 8, 3, 17, 11, 22, 24)
    if short and (is_open or sum(widths) > width):
        return [line for seat in view.seats for line in _two_lines(view, cast, seat.seat, width)]
    needed = {"portraits": is_open, "hand": view.seat is not None}  # at the end hands are empty
    shown = [needed.get(title, True) for title in _TITLES]
    lines = []
    rows = [_row(view, cast, seat.seat, short=short) for seat in view.seats]
    for row in ([Text(title, QUIET) for title in _TITLES], *rows):
        cells = compress(map(fit, row, widths), shown)
        line = Text.assemble(*cells)
        line.rstrip()
        lines.append(line)
    return lines


def _row(view: View, cast: Cast, number: int, *, short: bool) -> list[Text]:
    """Return the cells of a player, in the order of the titles."""
    seat, table = view.seats[number], view.table[number]
    at_turn = Text("▸" if number == view.seat else " ", f"bold {GILT}")
    return [
        Text.assemble(at_turn, cast.label(number)),
        Text(f"{seat.supply:4}"),
        Text("◆" * seat.messengers_left, GILT),
        _tokens(table),
        Text(" ".join(f"{noble}{n}" for noble, n in seat.heads.items()) if table.pile else ""),
        _pile(table, view, short=short),
        _hand(seat, view),
    ]


def _two_lines(view: View, cast: Cast, number: int, width: int) -> list[Text]:
    name, supply, messengers, tokens, heads, pile, held = _row(view, cast, number, short=False)
    first = (fit(name, 19), supply, " floors  ", fit(messengers, 3), tokens, "  ", heads)
    second = ("     ", ("pile ", QUIET), fit(pile, 21), ("hand ", QUIET), held)
    return [fit(Text.assemble(*first), width), fit(Text.assemble(*second), width)]


def _tokens(table: TableView) -> Text:
    """Return what a player has won, as far as the viewer may see it."""
    if not table.tokens_won:
        return Text("–", QUIET)
    if table.tokens is None:
        return Text.assemble(str(table.tokens_won), (" face down", QUIET))
    chips = f" +{table.chips}" if table.chips else ""
    return Text.assemble(f"{table.tokens_won} worth {sum(table.tokens)}", (chips, GILT))


def _pile(table: TableView, view: View, *, short: bool) -> Text:
    if table.top is None:
        return Text("–", QUIET)
    if short:
        return Text(f"{table.top[:2]} {face_short(view.options.deck[table.top])}")
    return Text(card_text(table.top, view.options.deck))


def _hand(seat: SeatView, view: View) -> Text:
    """Return the known cards of a hand, and the number of unknown ones."""
    deck = view.options.deck
    parts = [f"{card[:2]} {deck[card].text.replace('*', '★')}" for card in seat.hand]
    if seat.unknown:
        parts.append(f"{seat.unknown} hidden")
    return Text(" · ".join(parts) or "–")


def hand(view: View, cast: Cast, width: int) -> list[Text]:
    """Draw the viewer's hand in full, with what each card does and would draw."""
    if view.viewer is None:
        return []
    seat = view.seats[view.viewer]
    assert view.sums is not None
    sums = Text(f"   {sums_text(view.sums)}", QUIET)
    heading = [Text.assemble(("Your hand", "bold"), sums)]
    if heading[0].cell_len > width:
        heading = [Text("Your hand", "bold"), sums]
    if not seat.hand:
        return [*heading, Text("  no card left", QUIET)]
    if width < ONE_LINE_FROM:
        lines = [_hand_line(view, number, card, width) for number, card in enumerate(seat.hand, 1)]
        return [*heading, *lines]
    wide = min(42, width // 3 - 1)
    blocks = [_hand_card(view, number, card, wide) for number, card in enumerate(seat.hand, 1)]
    return [*heading, *(Text(" ").join(parts) for parts in zip(*blocks, strict=True))]


def _draws(view: View, card: str) -> str:
    """Return what playing a card would draw."""
    deck = view.options.deck
    lying = {city.code: city.card for city in view.cities}
    if not any(lying.values()):
        return "no card to draw"
    shown = lying[card[:2]]
    if deck[card].free_draw or shown is None:
        return "draw any card"
    return f"draw {card_text(shown, deck)}"


def _hand_card(view: View, number: int, card: str, width: int) -> list[Text]:
    inner = width - 2
    rows = [
        Text.assemble((f"{city_name(card)}", "bold"), (f"  {card}", QUIET)),
        _action(view, card),
        Text(_draws(view, card), QUIET),
    ]
    top = f"╭─ {number} " + "─" * (inner - 4) + "╮"
    lines = [Text(top, GILT)]
    lines += [Text.assemble(("│", GILT), " ", fit(row, inner - 1), ("│", GILT)) for row in rows]
    return [*lines, Text("╰" + "─" * inner + "╯", GILT)]


def _hand_line(view: View, number: int, card: str, width: int) -> Text:
    line = Text.assemble(
        (f" {number}  ", f"bold {GILT}"),
        f"{card}  ",
        fit(Text(city_name(card), "bold"), 9),
        fit(_action(view, card), 19),
        (_draws(view, card), QUIET),
    )
    return fit(line, width)


def _action(view: View, card: str) -> Text:
    """Return a card's symbol and what it does."""
    face = view.options.deck[card]
    symbol, action = face_action(face)
    star = " ★" if face.star else ""
    return Text.assemble((symbol, f"bold {GILT}"), f" {action}", (star, GILT))
