"""The bots of a worker process: each lives as long as its seat, as far as there is room."""

from collections import OrderedDict
from collections.abc import Callable

from patrizier.bots.base import Bot
from patrizier.bots.registry import make_bot

from .question import Question, answer

ROOM = 64  # for bots in one process, in units of a light one
_HEAVY = 16  # units: a bot that thinks for a time has a tree of some 10 to 40 MB


def weight(bot: str) -> int:
    """Return how much room a bot takes.

    >>> weight("merchant"), weight("doge")
    (1, 16)
    """
    return _HEAVY if bot == "doge" else 1


class SeatBots:
    """Bots by their seat's life; those not asked for longest make room."""

    def __init__(self, make: Callable[[str], Bot] = make_bot, room: int = ROOM) -> None:
        self._make = make
        self._room = room
        self._bots: OrderedDict[int, tuple[str, Bot, int]] = OrderedDict()  # spec, bot, turn

    def __len__(self) -> int:
        return len(self._bots)

    def think(self, question: Question) -> str:
        """Return the answer to a question, or ``!`` and what went wrong."""
        try:
            bot = self._bot(question)
            text = answer(question, bot)
        except Exception as error:
            return f"!{type(error).__name__}"  # not what it says: that may tell of a hand
        if question.life is not None:
            self._keep(question, bot)
        return text

    def _bot(self, question: Question) -> Bot:
        """Return the bot of a seat: another one if it is new, or if turns were taken back."""
        kept = self._bots.pop(question.life, None) if question.life is not None else None
        if kept is not None:
            spec, bot, turn = kept
            if spec == question.bot and turn <= question.view.turn:
                return bot
        return self._make(question.bot)

    def _keep(self, question: Question, bot: Bot) -> None:
        assert question.life is not None
        self._bots[question.life] = question.bot, bot, question.view.turn
        while sum(weight(spec) for spec, _, _ in self._bots.values()) > self._room:
            self._bots.popitem(last=False)
