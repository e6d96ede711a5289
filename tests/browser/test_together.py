"""Two people in two browsers at one table."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from browser.house import Client, Json, Visits, wait_until
from browser.player import Player
from patrizier.server.links import table_link


def test_a_friend_joins_by_link_and_both_play(visits: Visits) -> None:
    host = Player(visits.open("/new?friends=1"), seed=1)
    host.page.get_by_role("radio", name="2", exact=True).check()
    host.page.locator("form button[type=submit]").click()
    link = host.page.get_by_label("Send this link to your friends").input_value()
    assert link == f"{host.page.url}?lang=en"  # the language of its preview

    friend = Player(visits.open(link.removeprefix(visits.url)), seed=2)
    friend.button("Sit here").click()
    for player in (host, friend):
        expect(player.page.locator("[data-card]")).to_have_count(3)
    for _ in range(6):
        play_one_turn(host, friend)
    say_hello(host, friend)


def test_everybody_chooses_a_colour_that_nobody_has(visits: Visits) -> None:
    host = Player(visits.open("/new?friends=1"), seed=1)
    host.page.get_by_role("group", name="Your colour").get_by_role("radio", name="Red").check()
    host.page.locator("form button[type=submit]").click()
    host.page.get_by_label("Send this link to your friends").wait_for()
    assert colours(host) == ["red", "white", "black"]

    friend = Player(visits.open(host.page.url.removeprefix(visits.url)), seed=2)
    wishes = friend.page.get_by_role("group", name="Your colour").get_by_role("radio")
    expect(wishes).to_have_count(2)  # not the host's
    friend.page.get_by_role("radio", name="Black").check()
    friend.button("Sit here").first.click()
    own = friend.page.get_by_role("listitem").get_by_role("group")
    expect(own.get_by_role("radio", name="Black")).to_be_checked()
    assert colours(friend) == ["red", "black", "white"]

    own.get_by_role("radio", name="White").check()
    wait_until(host.page, lambda: colours(host)[1] == "white", "the colour does not arrive")
    expect(host.page.get_by_role("listitem").get_by_role("radio", name="White")).to_have_count(0)
    expect(host.page.get_by_role("listitem").get_by_role("radio", name="Black")).to_have_count(1)


def test_the_link_for_friends_comes_before_the_seats(visits: Visits) -> None:
    page = visits.phone("/new?friends=1")
    page.get_by_role("radio", name="5", exact=True).check()
    page.locator("form button[type=submit]").click()
    expect(page.get_by_role("button", name="Copy the link")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Send this link to your friends")).to_be_in_viewport(ratio=1)


def colours(player: Player) -> list[str]:
    return [str(seat["colour"]) for seat in player.look()["seats"]]


def test_who_sits_down_is_no_watcher_and_not_away(visits: Visits) -> None:
    host = Player(visits.open("/new?friends=1"), seed=1)
    host.page.get_by_role("radio", name="2", exact=True).check()
    host.page.locator("form button[type=submit]").click()
    host.page.get_by_label("Send this link to your friends").wait_for()
    told = presence_told(host.page)
    host.page.reload()
    friend = Player(visits.open(host.page.url.removeprefix(visits.url)), seed=2)
    wait_until(host.page, lambda: ([0], 1) in told, "the friend is not seen to come")
    friend.button("Sit here").click()
    for player in (host, friend):
        expect(player.page.locator("[data-card]")).to_have_count(3)
        expect(player.page.locator(".players .status").get_by_text("away")).to_have_count(0)
        expect(player.page.locator(".facts")).not_to_contain_text("watcher")
    wait_until(host.page, lambda: told[-1] == ([0, 1], 0), "the friend is not seen to sit down")


@pytest.mark.parametrize("size", [(390, 664), (844, 390), (1440, 900)], ids=str)
def test_who_is_to_play_and_away_does_not_think(
    visits: Visits, client: Client, friend: Client, size: tuple[int, int]
) -> None:
    seats = ["person", "person", "apprentice", "apprentice"]
    table = client.create({"players": 4, "seats": seats})["table"]
    friend.act(table, "join", contribution="2" * 64)
    while (message := friend.look(table))["you"]["to_move"] is None:
        if (mine := client.look(table))["you"]["to_move"] is not None:
            client.turn(mine)
        else:
            friend.look(table, since=message["seq"], wait=20)
    page = visits.open(f"/t/{table}", person=client, size=size)
    expect(page.locator(".players .moving .status").get_by_text("away")).to_be_visible()
    expect(page.locator(".players .thinking")).to_have_count(0)


def presence_told(page: Page) -> list[tuple[list[int], int]]:
    """Return a list that collects the presence messages of a page: seats and watchers."""
    told: list[tuple[list[int], int]] = []

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["kind"] == "presence":
            told.append((message["seats"], message["watchers"]))

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return told


def play_one_turn(host: Player, friend: Player) -> None:
    """Whoever is to play plays; the other sees it, and no hand but their own."""
    wait_until(host.page, lambda: any_to_move(host, friend), "nobody is to play")
    hosts_turn = host.look()["you"]["to_move"] is not None
    mover, other = (host, friend) if hosts_turn else (friend, host)
    assert mover.wait() == "turn"
    assert other.choices() == []
    field = other.page.locator(".players > li").filter(has_text=mover_name(mover))
    expect(field.locator(".status")).to_have_text("thinking…")
    check_hidden(mover, other)
    check_hidden(other, mover)
    told = lines(other.page)
    mover.play_turn()
    wait_until(other.page, lambda: lines(other.page) > told, "the other is not told")


def any_to_move(*players: Player) -> bool:
    return any(each.look()["you"]["to_move"] is not None for each in players)


def mover_name(player: Player) -> str:
    (name,) = [str(seat["name"]) for seat in player.look()["seats"] if seat["you"]]
    return name


def lines(page: Page) -> int:
    """How many turns the chronicle tells of."""
    return page.get_by_role("tabpanel").locator("li button").count()


def check_hidden(one: Player, other: Player) -> None:
    """No page has anything of the hand of somebody else."""
    mine = set(one.hand)
    assert len(mine) == 3
    assert not mine & set(other.hand)
    content = other.page.content()
    assert not [card for card in mine if re.search(rf"\b{card}\b", content)]


def say_hello(host: Player, friend: Player) -> None:
    host.page.get_by_role("tab", name="Chat").click()
    host.page.get_by_label("Say something").fill("Buona sera!")
    host.button("Send").click()
    expect(host.page.get_by_text("Buona sera!")).to_be_visible()
    friend.page.get_by_role("tab", name="Chat (1)").click()
    expect(friend.page.get_by_text("Buona sera!")).to_be_visible()
    expect(friend.page.get_by_role("tab", name="Chat", exact=True)).to_be_visible()


# -- one of them by page, the other by plain requests


def hand_of(message: Json) -> list[str]:
    """Return the hand of somebody with one seat."""
    (seat,), (shown,) = message["you"]["seats"], message["views"]
    hand: list[str] = shown["view"]["seats"][seat]["hand"]
    return hand


def play_dealt(person: Client, message: Json, dealt: set[str]) -> None:
    """Play a turn, with one of the cards that were dealt as long as there is any."""
    (shown,) = message["views"]
    legal = shown["view"]["legal"]
    move = person.rng.choice([each for each in legal if each[:3] in dealt] or legal)
    seat, turn = message["you"]["to_move"], message["turn"]
    person.act(message["table"], "play", seat=seat, move=move, at_turn=turn)


def two_people(visits: Visits, client: Client, *, until_pile: int = 100) -> Player:
    """Sit somebody with a page opposite the client, and let the one with the page be to play.

    So many cards are left in the pile at most: a turn that turned one up is never taken back, and
    none with a card that nobody had seen before. So those are played first.
    """
    host = Client(visits.url)
    table = host.create({"players": 2, "seats": ["person", "person"]})["table"]
    client.act(table, "join", contribution="2" * 64)
    while client.look(table)["phase"] == "open":
        client.look(table, since=client.look(table)["seq"], wait=20)
    dealt = {*hand_of(host.look(table)), *hand_of(client.look(table))}
    while True:
        message = host.look(table)
        if message["you"]["to_move"] is None:
            play_dealt(client, client.look(table), dealt)
        elif message["views"][0]["view"]["pile_left"] <= until_pile:
            break
        else:
            play_dealt(host, message, dealt)
    host.close()
    player = Player(visits.open(table_link("", table), person=host))
    assert player.wait() == "turn"
    return player


def test_a_turn_is_taken_back_when_the_other_agrees(visits: Visits, client: Client) -> None:
    player = two_people(visits, client, until_pile=0)
    hand, turn = player.hand, player.look()["turn"]
    player.play_turn()
    for yes in (False, True):
        player.button("Ask to take my turn back").click()
        asked = player.page.get_by_role("alertdialog")
        expect(asked).to_contain_text("Waiting for the others to agree.")
        (seat,) = client.look(player.table)["you"]["seats"]
        client.act(player.table, "answer-undo", seat=seat, to_turn=turn, yes=yes)
        expect(asked).to_be_hidden()
    assert player.wait() == "turn"
    assert player.look()["turn"] == turn
    assert player.hand == hand


def test_the_other_is_asked_and_agrees(visits: Visits, client: Client) -> None:
    player = two_people(visits, client, until_pile=0)
    player.play_turn()
    message = client.turn(client.look(player.table))
    (seat,) = message["you"]["seats"]
    turn = message["turn"] - 1
    client.act(player.table, "ask-undo", seat=seat, to_turn=turn, at_turn=turn + 1)
    asked = player.page.get_by_role("alertdialog")
    asked.get_by_role("button", name="Agree", exact=True).click()
    expect(asked).to_be_hidden()
    assert client.look(player.table)["turn"] == turn


def test_giving_up_and_coming_back(visits: Visits, client: Client) -> None:
    player = two_people(visits, client)
    player.button("Give up").click()
    player.page.get_by_role("button", name="Cancel").click()
    player.button("Give up").click()
    player.button("Give up").click()
    back = player.button("Play again myself")
    expect(back).to_be_visible()
    expect(player.button("Give up")).to_have_count(0)  # once is enough

    def the_bot_has_played() -> bool:
        return client.look(player.table)["you"]["to_move"] is not None

    wait_until(player.page, the_bot_has_played, "the bot does not play")
    back.click()
    expect(back).to_be_hidden()
    expect(player.button("Give up")).to_be_visible()
    client.turn(client.look(player.table))
    assert player.wait() == "turn"
    player.play_turn()
