"""Replays: of finished tables, and of any record."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import SETTLED, Client, Json, Visits, bots

DROP = """([text, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: 'text/plain' }));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
}"""


@pytest.fixture
def finished(client: Client) -> Json:
    """A table whose game is over."""
    return client.play(client.create(bots(2, messengers=True, watch="everyone")))


@pytest.fixture
def record(client: Client, finished: Json) -> str:
    """The record of that game."""
    return client.http.get(f"/api/tables/{finished['table']}/record").text


def points_at_the_end(page: Page) -> list[int]:
    page.get_by_role("button", name="To the end (End)").click()
    page.get_by_role("button", name="Show the result").click()
    totals = page.locator('[aria-labelledby="result-title"] td.total')
    expect(page.locator("dialog[data-over=true]")).to_be_visible()
    return sorted(int(text) for text in totals.all_inner_texts())


def totals(message: Json) -> list[int]:
    scores: list[Any] = message["result"]["outcome"]["scores"]
    return sorted(score["total"] for score in scores)


def test_a_finished_game_turn_by_turn(visits: Visits, client: Client, finished: Json) -> None:
    page = visits.open(f"/replay/{finished['table']}", person=client)
    slider = page.get_by_role("slider", name="Turn")
    expect(slider).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    page.get_by_role("button", name="Next turn (→)").click()
    expect(slider).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("1")
    (told,) = client.http.get(f"/api/tables/{finished['table']}/replay").json()["turns"][:1]
    names = page.get_by_role("heading", level=1).inner_text().split(" – ")
    mover = names[told["seat"]]  # of the turn that is shown, not of the one after it
    expect(page.locator("li.moving")).to_contain_text(mover)
    expect(page.locator(".middle .line")).to_have_text(mover)  # who has played it already
    page.get_by_role("checkbox", name="Show all hands").check()
    expect(page.locator(".hand svg")).not_to_have_count(0)
    assert points_at_the_end(page) == totals(finished)


def test_bots_are_called_as_at_the_table(visits: Visits, client: Client, finished: Json) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client)
    page.get_by_role("button", name="Look at the board").last.click()
    names = page.locator(".players .name").all_inner_texts()
    page.goto(f"/replay/{finished['table']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(" – ".join(names))


def test_every_press_shows_a_turn(visits: Visits, client: Client, finished: Json) -> None:
    page = visits.open(f"/replay/{finished['table']}", person=client, pace="calm")
    slider = page.get_by_role("slider", name="Turn")
    expect(slider).to_have_value("0")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("4")  # the fifth is being shown
    expect(page.locator(".number")).to_contain_text("5")


def test_the_result_leads_to_the_replay_and_checks_the_deal(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client)
    page.get_by_role("button", name="Check the deal").click()
    # The game was not played in this browser.
    expect(page.get_by_text("cannot be checked, because this browser did not")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider", name="Turn")).to_be_visible()


def test_a_record_from_a_file(visits: Visits, finished: Json, record: str, tmp_path: Path) -> None:
    file = tmp_path / "game.ptr"
    file.write_text(record, "utf-8")
    page = visits.open("/replay")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(file)
    assert points_at_the_end(page) == totals(finished)


def test_a_record_dropped_onto_the_page(visits: Visits, finished: Json, record: str) -> None:
    page = visits.open("/replay")
    expect(page.get_by_role("heading", name="Look at a game")).to_be_visible()
    page.evaluate(DROP, [record, "game.ptr"])
    assert points_at_the_end(page) == totals(finished)


def test_a_broken_record_says_what_is_wrong(visits: Visits, record: str) -> None:
    lines = record.splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("3."))
    lines[at] = "3. nonsense"
    page = visits.open("/replay")
    page.get_by_label("Or paste a record").fill("\n".join(lines))
    page.get_by_role("button", name="Show it").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This game cannot be shown")
    expect(alert).to_contain_text(f"The record has an error in line {at + 1}.")
    expect(alert).to_contain_text("nonsense")
    expect(alert).to_contain_text("This is not a turn.")
    visits.ignore_errors("status of 4")  # the server refuses it


def test_what_is_wrong_comes_in_the_readers_language(visits: Visits, record: str) -> None:
    """All of it: not one English word of the server's is left."""
    page = visits.open("/replay", locale="de-DE")
    first = record.partition("\n1. ")[2].partition(" ")[0]
    for wrong, why in (
        (record.replace(f"\n1. {first}", f"\n1. {first[:3]}:LLL"), "Das ist kein Zug."),
        (record.replace(f"\n1. {first}", f"\n1. {first[:3]}:L+XX"), "Eine Stadt XX gibt es nicht."),
        (
            record.replace(f"\n1. {first}", f"\n1. {first} {first}"),
            f"{first[:3]} ist nicht auf der Hand von Spieler",
        ),
        (
            record.replace('[Players "2"]', '[Players "9"]'),
            "Die Angabe Players kann diesen Wert nicht haben.",
        ),
    ):
        page.get_by_label("Oder eine Aufzeichnung einfügen").fill(wrong)
        page.get_by_role("button", name="Zeigen").click()
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(why)
        expect(alert).not_to_contain_text("is not")
    visits.ignore_errors("status of 4")  # the server refuses them


def test_turn_by_turn_the_cities_of_a_turn_stand_out(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/replay/{finished['table']}", person=client)
    page.get_by_role("combobox", name="Speed").select_option("instant")
    records = [
        entry["record"]
        for entry in client.look(finished["table"])["log"][1:]
        if entry["kind"] == "turn"
    ]
    for number, record in enumerate(records[:4], 1):
        page.get_by_role("button", name="Next turn (→)").click()
        expect(page.get_by_role("slider", name="Turn")).to_have_value(str(number))
        expect(page.locator(f"[data-city={record['move'][:2]}].lifted")).to_have_count(1)


# Whether the current turn can be seen within the list.
_IN_VIEW = """(list) => {
  const line = list.querySelector('[aria-current]').getBoundingClientRect();
  const room = list.getBoundingClientRect();
  return line.top >= room.top - 1 && line.bottom <= room.bottom + 1;
}"""


def test_the_chronicle_keeps_the_turn_in_view_when_it_shrinks(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/replay/{finished['table']}?turn=6", person=client, size=(1440, 1400))
    chronicle = page.locator(".chronicle ol")
    expect(chronicle.locator("[aria-current]")).to_be_visible()
    high = chronicle.evaluate("(list) => list.clientHeight")
    page.set_viewport_size({"width": 1440, "height": 700})
    page.wait_for_function(
        "(high) => document.querySelector('.chronicle ol').clientHeight < high", arg=high
    )
    page.evaluate(SETTLED)
    assert chronicle.evaluate(_IN_VIEW)
