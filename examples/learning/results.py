"""What a game is worth to every seat: its result, and the lead in points.

It works on NumPy's arrays and on PyTorch's tensors.
"""

from typing import Any

POINTS = 20  # worth half a victory


def results(shares: Any, points: Any) -> Any:
    """Return what each seat gets for a step, a row for each game: 0 unless the step ended it.

    They add up to zero. Without ``restart``, ``done`` stays true in a finished game; its shares are
    those of its last step only, so every game is counted once.
    """
    players = shares.shape[1]
    others = (points.sum(1)[:, None] - points) / (players - 1)
    worth = (players * shares - 1) + (points - others) / POINTS
    return worth * (shares.sum(1) > 0)[:, None]
