"""A guest bot of the server: offered beside the levels, and playing like them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.house import SETTINGS, Client, Visits, bots, need_page, wait_for_bots
from browser.player import Player
from patrizier.server.loadtest.process import ServerProcess

BOTS = """
from patrizier.bots.base import Bot

class First(Bot):
    name, about = "first", "Plays the first turn."
    def choose(self, view, rng):
        return view.legal[0]
"""
SAYS = {"en": "Guest bot", "de": "Gast-Bot", "nl": "Gastbot", "it": "Bot ospite"}


@pytest.fixture(scope="module")
def hosting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a guest bot."""
    need_page()
    folder: Path = tmp_path_factory.mktemp("guests")
    (folder / "bots_on_the_page.py").write_text(BOTS, "utf-8")
    guests = {"PATRIZIER_BOTS": "Stroller=bots_on_the_page.First", "PYTHONPATH": str(folder)}
    with ServerProcess(folder, settings={**SETTINGS, **guests}) as server:
        wait_for_bots(server)
        yield server
        assert server.errors == []


@pytest.fixture
def visits(browser: Browser, hosting: ServerProcess) -> Iterator[Visits]:
    """Pages of that server; none may have reported an error."""
    visits = Visits(browser, hosting.url)
    yield visits
    visits.close()
    assert visits.errors == []


def test_a_guest_is_chosen_at_a_new_table_and_moves(visits: Visits) -> None:
    page = visits.open("/new?friends=1")
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    seat = page.get_by_role("combobox", name="Seat 2")
    seat.select_option(label="Stroller (bot)")
    expect(page.get_by_text("Guest bot · Plays the first turn.")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    player = Player(page)
    for _ in range(3):
        player.play_turn()
    assert player.wait() == "turn"  # the guest has answered
    rival = page.locator(".players > li").nth(1)
    expect(rival.locator(".name")).to_have_text("Stroller")
    expect(rival.locator(".status")).to_have_text("Guest bot")
    message = player.look()
    assert message["seats"][1]["level"] == "guest:Stroller"
    assert [turn["by"] for turn in message["log"] if turn["kind"] == "turn"].count("bot") >= 2


@pytest.mark.parametrize("language", SAYS)
def test_a_guest_is_chosen_in_the_waiting_room(visits: Visits, language: str) -> None:
    page = visits.open("/new?friends=1", kept={"settings": {"language": language}})
    page.locator("form button[type=submit]").click()
    fill = page.locator(".fill")
    fill.locator("select").select_option("guest:Stroller")
    expect(fill.locator("option:checked")).to_have_text("Stroller")
    fill.get_by_role("button").click()
    player = Player(page)
    player.wait()
    players = page.locator(".players > li")
    names = sorted(players.locator(".name").all_inner_texts())
    assert names[-2:] == ["Stroller", "Stroller 2"]
    statuses = players.locator(".status").all_inner_texts()
    assert statuses.count(SAYS[language]) >= 1  # the other may be thinking


def test_a_guest_plays_on_from_a_position_of_a_finished_game(
    visits: Visits, hosting: ServerProcess
) -> None:
    anna = Client(hosting.url)
    game = anna.play(anna.create(bots(2, seats=["person", "guest:Stroller"])))
    page = visits.open(f"/what-if?table={game['table']}&at=30", person=anna)
    anna.close()
    expect(page.get_by_role("heading", name="After turn 30")).to_be_visible()
    expect(page.locator(".role span").nth(1)).to_have_text("Stroller")  # as at the table
    page.get_by_role("combobox", name="Let a bot play this turn").select_option("guest:Stroller")
    page.get_by_role("button", name="Let a bot play this turn").click()
    expect(page.get_by_role("heading", name="After turn 31")).to_be_visible()
