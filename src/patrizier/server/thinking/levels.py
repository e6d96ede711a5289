"""Which bot plays a level, and how long it may think when many wait."""

from functools import cache

from patrizier.bots.registry import bot_names

LONGEST_WAIT = 5.0  # seconds for a bot's answer, as far as thinking less can help
ADVISER = "doge"
_USUAL = {"doge": 1.0}  # seconds of those who think for a time
_LEAST = 0.02  # seconds: then there is hardly anything to gain
_SUBSTITUTE = "greedy"  # for levels that are not installed


def bot_of(level: str) -> str:
    """Return what `make_bot` calls a level.

    >>> bot_of("merchant"), bot_of("os.system")
    ('merchant', 'greedy')
    """
    return level if level in _installed() else _SUBSTITUTE


def seconds_for(level: str, crowd: float) -> float | None:
    """Return how long a level may think where so many wait; None: as long as usual.

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
