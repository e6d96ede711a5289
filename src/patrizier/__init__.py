"""Patrizier: the board game, to play, study and program against.

>>> from patrizier import Game, Options
>>> game = Game(Options(players=3), seed=7)
>>> while not game.is_over:
...     record = game.play(game.legal_moves[0])
>>> game.turn
48
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patrizier.deal import Deal as Deal
    from patrizier.errors import IllegalMove as IllegalMove
    from patrizier.errors import InvalidMove as InvalidMove
    from patrizier.errors import PatrizierError as PatrizierError
    from patrizier.errors import RecordError as RecordError
    from patrizier.errors import StaleMove as StaleMove
    from patrizier.game import Game as Game
    from patrizier.move import Move as Move
    from patrizier.options import Options as Options
    from patrizier.outcome import Outcome as Outcome
    from patrizier.outcome import Score as Score
    from patrizier.ptr import GameRecord as GameRecord
    from patrizier.ptr import load_games as load_games
    from patrizier.ptr import read_games as read_games
    from patrizier.ptr import write_games as write_games
    from patrizier.record import Record as Record
    from patrizier.record import Scored as Scored
    from patrizier.rules import RULES_VERSION as RULES_VERSION
    from patrizier.rules.deck import Deck as Deck
    from patrizier.rules.deck import DeckError as DeckError
    from patrizier.state import State as State
    from patrizier.view import View as View

__version__ = "1.0.0"

# Lazy imports: importing Numba takes longer than many programs run.
_HOMES = {
    "deal": ("Deal",),
    "errors": ("IllegalMove", "InvalidMove", "PatrizierError", "RecordError", "StaleMove"),
    "game": ("Game",),
    "move": ("Move",),
    "options": ("Options",),
    "outcome": ("Outcome", "Score"),
    "ptr": ("GameRecord", "load_games", "read_games", "write_games"),
    "record": ("Record", "Scored"),
    "rules": ("RULES_VERSION",),
    "rules.deck": ("Deck", "DeckError"),
    "state": ("State",),
    "view": ("View",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
