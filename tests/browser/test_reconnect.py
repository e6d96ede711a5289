"""The server dies in the middle of a game: the page waits, and goes on by itself."""

from playwright.sync_api import Browser, WebSocketRoute, expect

from browser.house import Client, Visits, bots, wait_until
from browser.player import Player
from patrizier.server.loadtest.process import ServerProcess

LOST = "Connection lost. Coming back…"


def test_a_page_goes_on_when_the_server_was_killed(
    browser: Browser, own_server: ServerProcess
) -> None:
    visits = Visits(browser, own_server.url)
    client = Client(own_server.url)
    message = client.play(client.create(bots(3, messengers=True)), turns=2)
    player = Player(visits.open(f"/t/{message['table']}", person=client))
    sign = player.page.get_by_text(LOST)
    player.wait()
    before, hand = player.look(), player.hand
    own_server.kill()
    expect(sign).to_be_visible()
    assert player.hand == hand
    own_server.start()
    expect(sign).to_be_hidden()
    after = player.look()
    assert (after["turn"], after["step"]) == (before["turn"], before["step"])
    assert player.hand == hand
    player.play_turn()
    player.wait()
    send_to_nobody(player, own_server)
    visits.ignore_errors("WebSocket", "ERR_CONNECTION_REFUSED")
    assert visits.errors == []
    client.close()
    visits.close()


def test_a_table_that_cannot_be_reached_says_so_and_comes_by_itself(
    browser: Browser, own_server: ServerProcess
) -> None:
    visits, client = Visits(browser, own_server.url), Client(own_server.url)
    message = client.play(client.create(bots(3)), turns=1)
    page, reached = visits.open("/about", person=client), False

    def connect(socket: WebSocketRoute) -> None:
        if reached:
            socket.connect_to_server()
        else:
            socket.close()

    page.route_web_socket("**", connect)
    page.route("**/api/me", lambda route: route.continue_() if reached else route.abort())
    page.goto(f"/t/{message['table']}")
    expect(page.get_by_text("No connection. Trying again")).to_be_visible()
    reached = True
    assert Player(page).wait() == "turn"
    visits.ignore_errors("WebSocket", "ERR_FAILED")
    assert visits.errors == []
    client.close()
    visits.close()


def send_to_nobody(player: Player, server: ServerProcess) -> None:
    """A turn that is ended while the server is down is played when it is back."""
    before = player.look()
    player.draft()
    server.kill()
    expect(player.page.get_by_text(LOST)).to_be_visible()
    player.pick()
    server.start()

    def has_arrived() -> bool:
        now = player.look()
        return bool((now["turn"], now["step"]) > (before["turn"], before["step"]))

    wait_until(player.page, has_arrived, "the turn does not arrive")
    assert player.wait() == "turn"
    player.play_turn()
