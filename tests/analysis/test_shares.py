"""Shares in millionths: they add up, whatever is rounded."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from patrizier.analysis.shares import WHOLE, difference, in_parts, swing, total

SHARES = st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=5).map(np.array)


@given(SHARES)
def test_parts_add_up_and_are_never_far_off(shares: np.ndarray) -> None:
    parts = in_parts(shares)
    assert sum(parts) == WHOLE
    assert max(abs(np.array(parts) / WHOLE - shares / shares.sum())) <= 1 / WHOLE


def test_what_changes_hands_is_counted_once() -> None:
    change = difference((600_000, 300_000, 100_000), (500_000, 300_000, 200_000))
    assert change == (100_000, 0, -100_000)
    assert swing(change) == 100_000
    assert total(change, change) == (200_000, 0, -200_000)
