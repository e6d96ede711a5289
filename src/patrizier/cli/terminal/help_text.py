"""The short explanation that `?` shows during a game."""

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT, QUIET
from patrizier.options import Options

_GAME = """\
Play a card: you build in the city it names, one floor per crest, on either of the two towers, \
whoever built below. Then you take the card that lies face up at that city, and a new one is \
turned up there.

A city is complete when it has all its floors (6/7: one is missing). Then the player with most \
floors in the taller tower takes the high token, the one with most floors in the lower tower the \
other. In a tie the highest floor of those tied decides. Neither tower may stay empty."""

_SIGNS = (
    ("7▸A", "this tower would bring 7 to the player A if the city were complete now"),
    ("7/4▸A", "both towers are equally high: either token"),
    ("7✓A", "A has taken the 7; the city is complete and rests"),
    ("2", "build two floors: both on one tower, or one on each"),
    (
        ">",
        "move the top floor of a tower to the other tower of that city: not where you just "
        "built, only where you have a floor, not in a complete city",
    ),
    ("?", "take the card of any city"),
    ("L B K", "Lady, Banker, Knight: three portraits of one noble are worth 6 in the end"),
)
_MESSENGERS = (
    (
        "★",
        "after your turn you may lay a messenger between two neighbours, not at the city "
        "you just built in; no city has more than two. Stars are few: keep one while you have "
        "messengers",
    ),
    (
        "◆",
        "a messenger: each tower won at a city brings 2 more for every messenger there; who is "
        "in the fewest towers of such cities loses 3 in the end",
    ),
)
_END = (
    "The game ends when all cards are played. Most points win; in a tie fewer floors on the board."
)
_KEYS = "A number chooses · b takes back a step · v shows the board · p your pile · q quits"


def help_panel(options: Options) -> Panel:
    """Return the rules in short, with the signs of the picture."""
    signs = Table.grid(padding=(0, 2, 0, 0))
    signs.add_column(style=f"bold {GILT}", justify="right", no_wrap=True)
    signs.add_column()
    for sign, meaning in _SIGNS + (_MESSENGERS if "messengers" in options.rules else ()):
        signs.add_row(sign, meaning)
    text = Group(Text(f"{_GAME}\n"), signs, Text(f"\n{_END}\n"), Text(_KEYS, QUIET))
    return Panel(text, title="How to play", title_align="left", border_style=QUIET, width=80)
