"""The curve of the network's strength: drawn from what the lab notebook tells."""

import draw_learning
import pytest

from patrizier.arena.sequential import expected_share

ROWS = draw_learning.read_rows(draw_learning.NOTEBOOK.read_text("utf-8"))


def test_the_picture_and_the_table_show_the_notebook() -> None:
    assert draw_learning.PICTURE.read_text("utf-8") == draw_learning.picture_of(ROWS)
    document = (draw_learning.ROOT / "docs" / "strength.md").read_text("utf-8")
    assert draw_learning.table_of(ROWS) in document


def test_all_rows_are_read() -> None:
    assert len(ROWS) == 7
    assert [row.games for row in ROWS] == sorted(row.games for row in ROWS)
    assert ROWS[0] == draw_learning.Row(89_000, {2: 0.9, 4: 0.71})
    assert ROWS[-1].games == 2_401_000
    assert ROWS[-1].guest == pytest.approx({2: 0.027, 4: 0.056})


@pytest.mark.parametrize("players", [2, 4])
def test_a_lead_is_the_one_that_a_sequential_test_would_expect(players: int) -> None:
    for row in ROWS:
        lead, low, high = draw_learning.with_interval(row.guest[players], players)
        assert expected_share(-lead, players) == pytest.approx(row.guest[players])
        assert low < lead < high
