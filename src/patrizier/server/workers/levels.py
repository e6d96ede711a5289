"""The bots behind the levels, and their time limits under load."""

from functools import cache

from patrizier.bots.registry import bot_names

LONGEST_WAIT = 5.0  # seconds to wait for a bot's answer, as far as shorter thinking helps
ADVISER = "doge"
_USUAL = {"doge": 1.0}  # seconds, of levels with a time budget
_LEAST = 0.02  # seconds: less gains nothing
_SUBSTITUTE = "greedy"  # for levels that are not installed, and guest bots no longer invited


def bot_of(level: str) -> str:
    """Return the name of a level's bot, for `make_bot`.

    >>> bot_of("merchant"), bot_of("os.system")
    ('merchant', 'greedy')
    """
    return level if level in _installed() else _SUBSTITUTE


def seconds_for(level: str, crowd: float) -> float | None:
    """Return a level's time limit at this load; None: no limit.

    >>> seconds_for("doge", crowd=3), seconds_for("doge", crowd=50), seconds_for("banker", 50)
    (None, 0.1, None)
    """
    usual = _USUAL.get(level)
    if usual is None or usual * crowd <= LONGEST_WAIT:
        return None
    return max(_LEAST, round(LONGEST_WAIT / crowd, 3))


@cache
def _installed() -> frozenset[str]:
    return frozenset(bot_names())
