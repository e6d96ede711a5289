"""Bodies and answers about hints. Import them from `messages`."""

from patrizier.server.table.commands import SeatNumber, TurnCount
from patrizier.server.table.setup import Form


class HintBody(Form):
    """The seat and turn that the hint is for."""

    seat: SeatNumber
    at_turn: TurnCount  # completed turns that the asker has seen


class Hint(Form):
    """A turn, and the result that the best bot expects of it."""

    move: str  # a whole turn, as in the legal turns of the view
    share: tuple[float, ...]  # of the victory, by seat; they add up to 1
    points: tuple[float, ...]  # final, by seat
    exact: bool  # solved, not estimated


class HintAnswer(Form):
    """The best bot's turns, the best first."""

    turn: int  # completed turns at the time of the request
    step: int  # decisions of the current turn by then
    candidates: tuple[Hint, ...]
