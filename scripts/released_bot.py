"""A bot of another release, in a process of its own: `scripts/compare_release.py` plays against it.

PATRIZIER_RELEASE is the Python that has that release, PATRIZIER_RELEASE_BOT the bot. Views go there
as JSON, turns come back as text, so the two versions share no code.
"""

import atexit
import json
import os
import subprocess
from functools import cache

import numpy as np

from patrizier import Move, View
from patrizier.bots.base import Bot

# The other process runs this: only names of the public API, which every release has.
_OTHER = """
import json, sys
import numpy as np
from patrizier import View
from patrizier.bots.registry import make_bot
bots = {}
for line in sys.stdin:
    key, spec, seed, view = json.loads(line)
    if key not in bots:
        bots = {**dict(list(bots.items())[-15:]), key: make_bot(spec)}
    move = bots[key].choose(View.from_json(view), np.random.default_rng(seed))
    print(move.text, flush=True)
"""


class ReleasedBot(Bot):
    """Asks a bot of the other release."""

    name = "released"
    about = "A bot of another release."
    _count = 0

    def __init__(self) -> None:
        ReleasedBot._count += 1
        self._key = ReleasedBot._count
        self._spec = os.environ["PATRIZIER_RELEASE_BOT"]

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the choice of the other release."""
        other = _process()
        assert other.stdin is not None
        assert other.stdout is not None
        asked = [self._key, self._spec, int(rng.integers(2**32)), view.to_json()]
        other.stdin.write(json.dumps(asked) + "\n")
        other.stdin.flush()
        answer = other.stdout.readline()
        if not answer:
            raise RuntimeError("the other release has stopped: its views may be of another kind")
        return Move(answer.strip())


@cache
def _process() -> "subprocess.Popen[str]":
    """Return the other process; there is one for each of ours."""
    command = [os.environ["PATRIZIER_RELEASE"], "-c", _OTHER]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(stop)
    return process


def stop() -> None:
    """End the other process, if there is one."""
    if _process.cache_info().currsize:
        _process().communicate()
        _process.cache_clear()
        atexit.unregister(stop)
