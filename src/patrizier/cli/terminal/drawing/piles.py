"""Lists the piles of played cards: the viewer's own, and others if they are open."""

from rich.text import Text

from patrizier.cli.terminal.drawing.cast import QUIET, Cast
from patrizier.cli.terminal.words import card_text, count, portraits_text
from patrizier.view import View


def piles(view: View, cast: Cast) -> list[tuple[Text, Text]]:
    """Return heading and cards of the piles that the viewer may see, their own first."""
    seen = [table.seat for table in view.table if table.pile is not None]
    seen.sort(key=lambda seat: seat != view.viewer)
    return [_pile(view, cast, seat) for seat in seen]


def _pile(view: View, cast: Cast, seat: int) -> tuple[Text, Text]:
    heading = Text("Your pile" if seat == view.viewer else f"{cast.names[seat]}'s pile", "bold")
    cards = _top_first(view, seat)
    if not cards:
        return heading, Text("no card yet")
    size = f": {count(len(cards), 'card')}, {portraits_text(view.seats[seat].heads)}"
    texts = [card_text(card, view.options.deck) for card in cards]
    heading = Text.assemble(heading, size, (", the last one played first", QUIET))
    return heading, Text(" · ".join(texts))


def _top_first(view: View, seat: int) -> list[str]:
    """Return the cards of a pile from top to bottom."""
    turns = [*view.history, *([view.pending] if view.pending else [])]
    return [turn.move.card for turn in reversed(turns) if turn.seat == seat]
