"""While the server still compiles what the bots need, the page says how long that takes."""

import pytest
from playwright.sync_api import Route, expect

from browser.house import Client, Json, Visits, bots, wait_until
from browser.player import Player

SAYS = {
    "en": "Preparing the opponents, about {} s, once only.",
    "de": "Die Gegner werden vorbereitet: noch etwa {} s, nur dieses eine Mal.",
    "nl": "De tegenstanders worden klaargezet: nog ongeveer {} s, alleen deze ene keer.",
    "it": "Gli avversari si preparano: ancora circa {} s, solo questa volta.",
}


class Server:
    """Answers how far the preparation is, as the test says."""

    def __init__(self) -> None:
        self.says: Json | None = None  # None: no line
        self.asked: list[str] = []

    def __call__(self, route: Route) -> None:
        self.asked.append(route.request.url)
        if self.says is None:
            route.abort()
        else:
            route.fulfill(json=self.says)


@pytest.mark.parametrize("language", SAYS)
def test_it_is_said_with_progress_until_those_at_the_table_are_ready(
    visits: Visits, client: Client, language: str
) -> None:
    table = client.create(bots(2))["table"]
    page = visits.open("about:blank", person=client, kept={"settings": {"language": language}})
    server = Server()
    server.says = {"progress": 0.25, "seconds": 15}
    page.route("**/api/preparing*", server)
    page.goto(f"/t/{table}")
    note, bar = page.locator(".preparing"), page.get_by_role("progressbar")
    expect(note).to_have_text(SAYS[language].format(15))
    expect(bar).to_have_attribute("value", "0.25")
    server.says = None
    expect(note).to_be_visible()
    asked = len(server.asked)
    wait_until(page, lambda: len(server.asked) > asked + 1, "it does not ask again")
    server.says = {"progress": 0.75, "seconds": 5}
    expect(note).to_have_text(SAYS[language].format(5))
    expect(bar).to_have_attribute("value", "0.75")
    # Read out once, not at every second.
    expect(page.get_by_role("status").filter(has_text="15")).to_have_text(SAYS[language].format(15))
    server.says = {"progress": 1.0, "seconds": 0}
    expect(note).to_be_hidden()
    assert all("level=" in url for url in server.asked)  # of those at this table
    Player(page).wait()
    visits.ignore_errors("ERR_FAILED")
