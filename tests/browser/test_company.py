"""People: leaderboards, figures, friends, invitations, and what can be shared or removed."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.house import Client, Json, Visits, bots, wait_until
from browser.test_axe import check
from patrizier.server.loadtest.process import ServerProcess

PHONE = (390, 664)
SIZES = [PHONE, (820, 1180), (1440, 900)]
LONGEST = "Wilhelmina van Amsterdam"  # as long as a name may be
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def people(server: ServerProcess) -> Iterator[list[Client]]:
    """Anna, Ben and somebody with a long name, who have played a rated game and are friends."""
    found = [Client(server.url) for _ in range(3)]
    for client, name in zip(found, ("Anna", "Ben", LONGEST), strict=True):
        ask(client, "PUT", "/api/me/name", name=name)
    play(found, rated=True)
    code = ask(found[0], "POST", "/api/my/friend-link")["code"]
    for client in found[1:]:
        ask(client, "POST", f"/api/friend-links/{code}")
    yield found
    for client in found:
        client.close()


def ask(client: Client, method: str, path: str, **body: Any) -> Json:
    answer = client.http.request(method, path, json=body or None)
    assert answer.is_success, answer.text
    found: Json = answer.json()
    return found


def begin(people: list[Client], **setup: Any) -> str:
    """Start a game of these people."""
    table: str = people[0].create({"players": len(people), **setup})["table"]
    for client in people[1:]:
        client.act(table, "join", contribution="2" * 64)
    return table


def play(people: list[Client], **setup: Any) -> str:
    """Play a game of these people to its end, until its result is stored."""
    table = begin(people, **setup)
    while (message := people[0].look(table))["phase"] != "finished":
        for client in people:
            if (message := client.look(table))["you"]["to_move"] is not None:
                client.turn(message)
                break
    while not any(
        game["table"] == table for game in ask(people[0], "GET", "/api/my/games")["games"]
    ):
        people[0].look(table, since=message["seq"], wait=0.1)
    return table


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", ["/ratings/3", "/friends", "/you", "/tables"])
def test_pages_of_people_fit_and_are_open_to_everyone(
    visits: Visits, people: list[Client], path: str, size: tuple[int, int]
) -> None:
    page = visits.open(path, size=size, person=people[0], locale="de-DE")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(FITS)
    check(page)


def test_a_leaderboard_shows_who_is_best_and_lets_one_hide(
    visits: Visits, people: list[Client]
) -> None:
    page = visits.open("/ratings/3", person=people[1])
    mine = page.locator("tr[aria-current]")
    expect(mine).to_contain_text("Ben")
    expect(page.get_by_text(LONGEST)).to_be_visible()
    page.goto("/you")
    page.get_by_role("switch", name="Show me in leaderboards").uncheck()
    wait_until(
        page, lambda: not ask(people[1], "GET", "/api/me")["listed"], "the choice was not stored"
    )
    page.goto("/ratings/3")
    expect(page.get_by_text(LONGEST)).to_be_visible()
    expect(mine).to_have_count(0)
    ask(people[1], "PUT", "/api/me/profile", listed=True)


def test_the_profile_tells_games_in_figures(visits: Visits, people: list[Client]) -> None:
    page = visits.open("/you", person=people[0])
    figures = page.locator(".figures")
    expect(figures.get_by_text("Points per game")).to_be_visible()
    expect(figures.locator("tbody tr")).to_have_count(1)
    expect(figures.locator("svg.curve circle")).to_have_count(1)
    expect(figures.locator(".opponent")).to_have_count(2)
    page.get_by_role("radio", name="Roma").check(force=True)
    wait_until(
        page, lambda: ask(people[0], "GET", "/api/me")["avatar"] == "RO", "the picture is not kept"
    )


def test_a_link_makes_friends(visits: Visits, people: list[Client], friend: Client) -> None:
    ask(friend, "PUT", "/api/me/name", name="Dora")
    page = visits.open("/friends", person=people[0])
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    link = page.get_by_role("textbox", name="Your link").input_value()
    other = visits.open(link.removeprefix(visits.url), person=friend)
    expect(other.get_by_role("heading", name="Anna would like to be friends")).to_be_visible()
    other.get_by_role("button", name="Be friends").click()
    expect(other.get_by_role("heading", name="You and Anna are friends")).to_be_visible()
    page.reload()
    line = page.get_by_role("listitem").filter(has_text="Dora")
    line.get_by_role("button", name="Remove").click()
    line.get_by_role("button", name="Really remove").click()
    expect(line).to_have_count(0)


def test_avatars_are_seen_at_the_table(visits: Visits, people: list[Client]) -> None:
    anna, ben, _ = people
    ask(anna, "PUT", "/api/me/profile", avatar="L")
    ask(ben, "PUT", "/api/me/profile", avatar="SI")
    table = begin([anna, ben])
    page = visits.open(f"/t/{table}", person=anna)
    expect(page.locator(".players .face .avatar")).to_have_count(2)
    expect(page.locator(".players .face").first.locator("use")).to_have_attribute(
        "href", "#nobles-L"
    )
    phone = visits.phone(f"/t/{table}", person=anna)  # there, on a touch
    phone.locator(".players button").last.tap()
    expect(phone.locator(".players .more .avatar use")).to_have_attribute("href", "#crests-SI")


def test_a_friend_is_invited_and_comes(visits: Visits, people: list[Client]) -> None:
    anna, ben, _ = people
    table = anna.create({"players": 2})["table"]
    page = visits.open(f"/t/{table}", person=anna)
    page.get_by_role("button", name="Ben: Invite").click()
    expect(page.get_by_role("button", name="Ben: Invite")).to_have_text("Invited")
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    other = visits.open("/", person=ben, size=PHONE)
    invitation = other.get_by_role("listitem").filter(has_text="Anna invites you")
    invitation.get_by_role("link", name="To the table").click()
    expect(other.get_by_role("heading", name="Anna invites you to a game")).to_be_visible()
    check(other)
    assert other.evaluate(FITS)
    other.get_by_role("button", name="Sit here").click()
    wait_until(other, lambda: anna.look(table)["phase"] == "playing", "the game does not start")


def test_a_stranger_says_their_name_and_sits_down(visits: Visits, client: Client) -> None:
    ask(client, "PUT", "/api/me/name", name=LONGEST)
    table = client.create({"players": 3, "rules": ["messengers"]})["table"]
    page = visits.open(f"/t/{table}", size=PHONE)
    expect(page.get_by_role("heading", name=f"{LONGEST} invites you")).to_be_visible()
    expect(page.get_by_text("Messengers")).to_be_visible()
    expect(page.get_by_role("link", name="Learn the game")).to_have_attribute("href", "/learn")
    page.get_by_label("Your name").fill("Nora")
    page.get_by_role("button", name="Sit here").first.click()
    wait_until(
        page,
        lambda: "Nora" in [seat["name"] for seat in client.look(table)["seats"]],
        "nobody called Nora sits there",
    )


def test_games_to_watch_are_listed(visits: Visits, people: list[Client]) -> None:
    table = begin(people, public=True, rated=True)
    page = visits.open("/tables")
    watch = page.get_by_role("region", name="Games to watch")
    expect(watch.locator(".who").first).not_to_contain_text("With")  # without the reader
    watch.locator(f'a[href="/t/{table}"]').click()
    expect(page.get_by_role("heading", name="one round late")).to_be_visible()


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        (bots(2), "You give the game up. It cannot be continued."),
        ({"players": 3}, "The table is closed for everybody."),
    ],
)
def test_a_running_game_is_removed(visits: Visits, client: Client, setup: Json, told: str) -> None:
    table = client.create(setup)["table"]
    page = visits.open("/tables", person=client)
    line = page.get_by_role("listitem").filter(has=page.locator(f'a[href="/t/{table}"]'))
    line.get_by_role("button", name=re.compile("^Remove")).click()
    expect(line.get_by_text(told)).to_be_visible()
    line.get_by_role("button", name="Remove", exact=True).click()
    expect(line).to_have_count(0)


@pytest.mark.parametrize("path", ["/tables", "/rules", "/t/"])
def test_an_invitation_arrives_without_looking_again(
    visits: Visits, people: list[Client], path: str
) -> None:
    anna, ben, _ = people
    at = path + (anna.create(bots(2))["table"] if path == "/t/" else "")
    page = visits.open("/about", person=anna)
    page.clock.install()
    page.goto(at)
    told = page.get_by_role("link", name=re.compile("[0-9]+ invitation"))
    page.get_by_role("link", name="Patrizier").first.wait_for()
    before = told.inner_text() if told.count() else ""
    friends = ask(ben, "GET", "/api/friends")["friends"]
    (friend,) = [each["id"] for each in friends if each["name"] == "Anna"]
    table = ben.create({"players": 2})["table"]
    ask(ben, "POST", f"/api/tables/{table}/invitations", friend=friend)
    page.clock.fast_forward(20_000)
    expect(told).to_be_visible()
    expect(told).not_to_have_text(before or "nothing")
    told.click()
    line = page.get_by_role("listitem").filter(has=page.locator(f'a[href="/t/{table}"]'))
    expect(line).to_contain_text("Ben invites you")
    line.get_by_role("button", name="No, thanks").click()
    expect(line).to_have_count(0)


def test_a_table_tells_who_has_not_come_yet(visits: Visits, client: Client, friend: Client) -> None:
    ask(client, "PUT", "/api/me/name", name="Elsa")
    table = play([client, friend])
    client.act(table, "offer-rematch")
    following = friend.act(table, "offer-rematch")["rematch"]
    page = visits.open(f"/t/{following}", person=friend)
    expect(page.get_by_text("Elsa has yet to open the table")).to_be_visible()
    expect(page.get_by_role("button", name="Start")).to_have_count(0)
    visits.open(f"/t/{following}", person=client)
    expect(page.locator(".board")).to_be_visible()


def test_people_are_invited_again(visits: Visits, people: list[Client]) -> None:
    page = visits.open("/you", person=people[0])
    page.get_by_role("button", name=re.compile("Invite again")).first.click()
    expect(page).to_have_url(re.compile("/t/"))
    table = page.url.split("/")[-1].split("?")[0]
    invited = ask(people[2], "GET", "/api/my/invitations")["invitations"]
    assert table in [each["table"]["table"] for each in invited]


def test_an_end_is_shared(visits: Visits, client: Client) -> None:
    table = client.play(client.create(bots(2, watch="link")))["table"]
    page = visits.open(f"/t/{table}", person=client, locale="de-DE")
    page.get_by_role("button", name="Teilen").click()
    picture = page.get_by_role("img", name=re.compile("Ein Bild vom Ende"))
    expect(picture).to_be_visible()
    assert picture.evaluate("async (each) => (await each.decode(), each.naturalWidth)") == 1200
    check(page)
    link = page.get_by_label("Link zur Partie").input_value()
    assert link.endswith("&lang=de")
    stranger = visits.open(link.removeprefix(visits.url))
    expect(stranger.get_by_role("slider")).to_be_visible()
    told = stranger.request.get(link).text()
    assert re.search(r'property="og:title" content="[^"]+ gewinnt mit \d+ Punkten"', told)


def test_a_game_against_bots_is_shared_by_the_dialog_of_a_phone(
    visits: Visits, client: Client
) -> None:
    table = client.play(client.create(bots(2, watch="nobody")))["table"]
    page = visits.phone("/about", person=client)
    page.context.add_init_script(
        "navigator.share = async (data) => { window.shared = data; };"
        "navigator.canShare = () => true;"
    )
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Share", exact=True).tap()
    link = page.get_by_label("Link to the game").input_value()
    page.get_by_role("img", name=re.compile("A picture of the end")).wait_for()
    with page.expect_response(re.compile("/picture")):  # a file, for the dialog
        page.get_by_role("button", name="Close").tap()
        page.get_by_role("button", name="Share", exact=True).tap()
    page.get_by_role("button", name="Share…").tap()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate(
        "[shared.url, shared.text, shared.files?.map((each) => [each.name, each.type])]"
    )
    assert shared[0] == link
    assert re.fullmatch(r".+ wins? a game of Patrizier with \d+ points\.", shared[1])
    assert shared[2] == [["patrizier.png", "image/png"]]
    stranger = visits.open(link.removeprefix(visits.url))
    expect(stranger.get_by_role("slider")).to_be_visible()
    closed = visits.open(f"/replay/{table}")  # without the key
    expect(closed.get_by_text("only to those who played it")).to_be_visible()
    visits.ignore_errors("403")


@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1440, 900)])
def test_a_coach_explains_the_turns_of_bots(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    table = client.play(client.create(bots(3)), turns=2)["table"]
    at_desk: Json = {"person": client, "size": size, "locale": "it-IT"}
    page = visits.open(f"/t/{table}", kept={"settings": {"coach": True}}, **at_desk)
    coach = page.get_by_role("note", name="Allenatore")
    expect(coach).to_be_visible()
    expect(coach).not_to_be_empty()
    cut, size_of_letters = page.locator(".middle .coach").evaluate(
        "(each) => [each.scrollHeight - each.clientHeight, "
        "parseFloat(getComputedStyle(each).fontSize)]"
    )
    assert cut <= 1
    assert size_of_letters > 12
    page.locator("[data-choice=card]").first.click()
    expect(coach).to_have_count(0)
    plain = visits.open(f"/t/{table}", **at_desk)
    plain.locator("[data-choice=card]").first.wait_for()
    expect(plain.get_by_role("note", name="Allenatore")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 640), PHONE, (844, 390)], ids=str)
def test_a_long_name_leaves_the_points_in_sight(
    visits: Visits, people: list[Client], size: tuple[int, int]
) -> None:
    table = play([people[0], people[2]], rules=["messengers"])
    page = visits.open(f"/t/{table}", person=people[0], size=size)
    expect(page.locator("dialog[data-over=true] tbody")).to_contain_text(LONGEST)
    points = page.locator("dialog td.total")
    expect(points).to_have_count(2)
    for each in points.all():
        box = each.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] < size[0]


def test_capacities_in_roman_numerals(visits: Visits, client: Client) -> None:
    table = client.create(bots(2))["table"]
    page = visits.open(f"/t/{table}", person=client, kept={"settings": {"roman": True}})
    expect(page.locator('[data-city="RO"]').get_by_text("IX")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, (1440, 900)], ids=str)
def test_roman_numerals_stand_within_their_badge(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.create(bots(2))
    while not (almost := [each for each in cities_of(message) if lacks_one(each)]):
        message = client.play(message, turns=1)
        assert message["phase"] == "playing"
    kept: Json = {"settings": {"roman": True}}
    page = visits.open(f"/t/{message['table']}", person=client, kept=kept, size=size)
    for city in almost:
        found = page.locator(f'[data-city="{city["code"]}"]')
        found.locator(".badge").wait_for()
        words, badge = (found.locator(each).bounding_box() for each in (".count", ".badge"))
        assert words is not None
        assert badge is not None
        assert badge["x"] < words["x"]
        assert words["x"] + words["width"] < badge["x"] + badge["width"]


def cities_of(message: Json) -> list[Json]:
    found: list[Json] = message["views"][0]["view"]["cities"]
    return found


def lacks_one(city: Json) -> bool:
    """Whether a city of at least seven floors lacks only one."""
    capacity: int = city["capacity"]
    return capacity > 5 and len(city["left"]) + len(city["right"]) == capacity - 1


def test_sounds_are_offered_once(visits: Visits) -> None:
    done = ["build", "complete", "tie", "empty-site", "free-draw", "move", "portraits", "double"]
    kept = {"learn": [*done, "last-cards", "messenger"]}
    page = visits.open("/learn", kept=kept)
    page.get_by_role("button", name="No sounds").click()
    page.reload()
    expect(page.get_by_role("button", name="Play a first game with a coach")).to_be_visible()
    expect(page.get_by_role("button", name="No sounds")).to_have_count(0)
