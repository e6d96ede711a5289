"""The games that every bridge is tried with: two to five players, with and without messengers."""

import pytest

every_game = pytest.mark.parametrize(
    ("players", "rules"),
    [(players, rules) for players in (2, 3, 4, 5) for rules in ((), ("messengers",))],
    ids=lambda it: str(it) if isinstance(it, int) else "-".join(it) or "base",
)
