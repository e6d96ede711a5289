"""The bots of a worker process, cached by seat."""

from collections import OrderedDict
from collections.abc import Callable

from patrizier.bots.base import Bot
from patrizier.bots.registry import is_built_in, make_bot

from .question import Question, answer

CAPACITY = 64  # capacity of one process, in units of a light bot
_HEAVY = 16  # units: a searching bot has a tree of 10 to 110 MB, a guest may have anything


def weight(bot: str) -> int:
    """Return the size of a bot, in units.

    >>> weight("merchant"), weight("doge"), weight("mybot.MyBot")
    (1, 16, 16)
    """
    return 1 if is_built_in(bot) and bot != "doge" else _HEAVY


class SeatBots:
    """Bots by id; the least recently used are evicted."""

    def __init__(self, make: Callable[[str], Bot] = make_bot, capacity: int = CAPACITY) -> None:
        self._make = make
        self._capacity = capacity
        self._bots: OrderedDict[int, tuple[str, Bot, int]] = OrderedDict()  # spec, bot, turn

    def __len__(self) -> int:
        return len(self._bots)

    def think(self, question: Question) -> str:
        """Return the answer to a question, or ``!`` and the error."""
        try:
            bot = self._bot(question)
            text = answer(question, bot)
        except Exception as error:
            return f"!{type(error).__name__}"  # not the message: it may reveal a hand
        if question.bot_id is not None:
            self._keep(question, bot)
        return text

    def _bot(self, question: Question) -> Bot:
        """Return the bot of a seat; a new one if turns were taken back."""
        kept = self._bots.pop(question.bot_id, None) if question.bot_id is not None else None
        if kept is not None:
            spec, bot, turn = kept
            if spec == question.bot and turn <= question.view.turn:
                return bot
        return self._make(question.bot)

    def _keep(self, question: Question, bot: Bot) -> None:
        assert question.bot_id is not None
        self._bots[question.bot_id] = question.bot, bot, question.view.turn
        while sum(weight(spec) for spec, _, _ in self._bots.values()) > self._capacity:
            self._bots.popitem(last=False)
