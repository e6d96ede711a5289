"""What the server says reaches people in their own language: names, and why something failed."""

import re
from pathlib import Path

from playwright.sync_api import expect

from browser.house import Client, Visits, bots

WRONG_DECK = 'name = "mio"\n[cards]\nBO = ["2", "2", "2", "L*", "B*", "K", "LL"]\n'


def test_a_guest_is_called_a_guest_in_the_readers_language(visits: Visits, client: Client) -> None:
    number = client.http.get("/api/me").json()["alias"]["number"]
    table = client.create(bots(2))["table"]
    page = visits.open("/you", locale="it-IT", person=client)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Ospite {number}")
    name = page.get_by_role("textbox", name="Il tuo nome")
    expect(name).to_have_value("")
    expect(name).to_have_attribute("placeholder", f"Ospite {number}")
    page.goto(f"/t/{table}")
    expect(page.get_by_text(f"Ospite {number} si siede al tavolo.")).to_be_visible()
    assert "Guest" not in page.locator("body").inner_text()
    watcher = visits.open(f"/t/{table}", locale="de-DE")
    expect(watcher.get_by_text(f"Gast {number} setzt sich dazu.")).to_be_visible()


def test_a_table_that_is_not_there(visits: Visits) -> None:
    page = visits.open("/t/aB3aB3aB3aB3aB3aB3", locale="nl-NL")
    expect(page.get_by_role("heading", name="Deze tafel bestaat niet (meer).")).to_be_visible()
    assert "no such" not in page.locator("body").inner_text()


def test_a_wrong_password(visits: Visits) -> None:
    page = visits.open("/you", locale="de-DE")
    page.get_by_text("Anmelden", exact=True).first.click()
    form = page.locator("form").filter(has=page.locator("[autocomplete=current-password]"))
    form.get_by_label("Kontoname").fill("niemand")
    form.locator("[type=password]").fill("falsch und lang")
    form.get_by_role("button").last.click()
    expect(page.get_by_role("alert").filter(has_text="Name oder Passwort")).to_be_visible()
    visits.ignore_errors("403")


def test_a_deck_that_cannot_be_played(visits: Visits, tmp_path: Path) -> None:
    file = tmp_path / "mio.toml"
    file.write_text(WRONG_DECK)
    page = visits.open("/new", locale="it-IT")
    page.get_by_text("Altre scelte").click()
    page.locator("[type=file]").set_input_files(file)
    page.get_by_role("button", name=re.compile("Apri il tavolo|Inizia la partita")).click()
    said = "Gli stemmi sulle carte di Bologna sono in tutto 10, e devono essere esattamente 9."
    expect(page.get_by_text(said)).to_be_visible()
    visits.ignore_errors("422")
