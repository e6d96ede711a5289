"""Whole games against bots, with the mouse, from the front page to the result."""

import pytest
from playwright.sync_api import Page, expect

from browser.house import Visits
from browser.player import Player


def begin(visits: Visits, players: int, *, messengers: bool) -> Page:
    """Take the first door of the front page."""
    quick = {"players": players, "level": "apprentice", "messengers": messengers}
    page = visits.open(kept={"quick": quick})
    page.get_by_role("button", name="Play now").click()
    return page


def check_result(player: Player) -> None:
    """The result that is shown is the server's."""
    message = player.look()
    assert message["phase"] == "finished"
    outcome = message["result"]["outcome"]
    rows = player.result()
    assert len(rows) == len(message["seats"]) == len(outcome["scores"])
    shown = sorted([int(cell.replace("−", "-") or 0) for cell in row[1:]] for row in rows)
    parts = ["tokens", "sets", "total", "floors"]
    if "messengers" in message["setup"]["rules"]:
        parts[2:2] = ["chips", "minus"]
    assert shown == sorted([score[part] for part in parts] for score in outcome["scores"])
    best = outcome["scores"][outcome["winners"][0]]["total"]
    assert int(rows[0][-2]) == best == max(score["total"] for score in outcome["scores"])


@pytest.mark.parametrize("messengers", [False, True], ids=["plain", "messengers"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_whole_game_with_the_mouse(visits: Visits, players: int, messengers: bool) -> None:
    page = begin(visits, players, messengers=messengers)
    player = Player(page, seed=players)
    player.play_to_end()
    check_result(player)
    expect(page.get_by_role("link", name="Save the record")).to_be_visible()
