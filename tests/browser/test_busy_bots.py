"""When many games wait for bots, the page says that they think less."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from browser.house import Client, Visits, bots

SAYS = {
    "en": ("Many games are going on here at the moment, so bots think for 0.08 s at most."),
    "de": ("Hier laufen gerade viele Partien, deshalb überlegen die Bots höchstens 0,08 s."),
    "nl": ("Er zijn hier nu veel partijen bezig, daarom denken de bots hooguit 0,08 s na."),
    "it": ("In questo momento si giocano molte partite: i bot pensano al massimo 0,08 s."),
}


def crowd(page: Page, **changes: Any) -> None:
    """Let the table's messages say that many wait."""

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def change(text: str | bytes) -> None:
            message = json.loads(text)
            if message["kind"] == "table":
                message |= {"bot_seconds": 0.08, **changes}
            line.send(json.dumps(message))

        server.on_message(change)

    page.route_web_socket("**/api/live", through)
    page.reload()


@pytest.mark.parametrize("language", SAYS)
def test_it_is_said_in_the_readers_language(visits: Visits, client: Client, language: str) -> None:
    table = client.create(bots(2))["table"]
    page = visits.open(f"/t/{table}", person=client, kept={"settings": {"language": language}})
    expect(page.locator(".board")).to_be_visible()
    expect(page.get_by_text(SAYS[language])).to_be_hidden()
    crowd(page)
    expect(page.get_by_text(SAYS[language])).to_be_visible()
