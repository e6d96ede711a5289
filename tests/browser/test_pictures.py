"""Pictures of the key states, for people to look at: nothing is compared.

They go to the folder that PATRIZIER_SHOTS names.
"""

import os
from base64 import b64decode
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.house import MIDDLE, PHONE, SCHEMES, SETTLED, WIDE, Client, Visits, bots
from browser.player import Player

PAGES = {
    "front": "/",
    "lobby": "/tables",
    "new": "/new",
    "learn": "/learn/tie",
    "replay-open": "/replay",
    "rules": "/rules",
}


@pytest.fixture
def folder() -> Path:
    """Where pictures go."""
    name = os.environ.get("PATRIZIER_SHOTS")
    if not name:
        pytest.skip("PATRIZIER_SHOTS names no folder for pictures")
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def picture(page: Page, folder: Path, name: str) -> None:
    """Take pictures of a page in three sizes, light and dark."""
    line = page.context.new_cdp_session(page)
    for width, height in (WIDE, MIDDLE, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(SETTLED)
            shot = line.send("Page.captureScreenshot", {"format": "png"})
            file = folder / f"{name}-{width}x{height}-{scheme}.png"
            file.write_bytes(b64decode(shot["data"]))
    line.detach()


@pytest.mark.parametrize("name", list(PAGES))
def test_pages(visits: Visits, folder: Path, name: str) -> None:
    page = visits.open(PAGES[name])
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    picture(page, folder, name)


def test_a_five_player_game(visits: Visits, client: Client, folder: Path) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=0)
    page = visits.open(f"/t/{message['table']}", person=client)
    player = Player(page)
    player.wait()
    picture(page, folder, "table-start")
    client.play(message, turns=6)
    page.reload()
    player.wait()
    picture(page, folder, "table-middle")
    player.pick()
    picture(page, folder, "table-choosing")
    client.play(client.look(message["table"]))
    page.reload()
    assert player.wait() == "over"
    picture(page, folder, "table-end")
    page.goto(f"/replay/{message['table']}?turn=30")
    expect(page.get_by_role("slider")).to_be_visible()
    picture(page, folder, "replay")
