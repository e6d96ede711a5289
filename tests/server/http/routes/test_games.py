"""Leaderboards, figures and games to watch by plain requests."""

from collections.abc import Callable
from random import Random

from server.support.serving import Guest, next_turn

Make = Callable[..., Guest]


def rated_game(anna: Guest, ben: Guest) -> str:
    """Play a rated game to its end, until its result is stored."""
    table: str = anna.create(players=2, rated=True)["table"]
    answer = ben.act(table, "join", contribution="2" * 64)
    rng = Random(5)
    while answer["phase"] != "finished":
        who = anna if anna.look(table)["you"]["to_move"] is not None else ben
        answer = who.act(table, "play", **next_turn(who.look(table), rng))
    while not any(game["table"] == table for game in anna.ask("GET", "/api/my/games")["games"]):
        anna.look(table, wait=0.1, since=answer["seq"])
    return table


def test_figures_and_leaderboards_follow_a_game(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    assert anna.ask("GET", "/api/my/figures")["games"] == 0
    table = rated_game(anna, ben)
    figures = anna.ask("GET", "/api/my/figures")
    assert (figures["games"], figures["tallies"][0]["level"]) == (1, None)
    (opponent,) = figures["opponents"]
    assert (opponent["name"], opponent["table"], opponent["seat"]) == ("Ben", table, 1)
    board = anna.ask("GET", "/api/ratings/2")
    assert board["mine"]["name"] == "Anna"
    assert board["mine"]["place"] >= 1
    places = [line["place"] for line in board["ratings"]]
    assert places == list(range(1, len(places) + 1))
    # Invite again: Ben, with whom Anna played.
    again = anna.create(players=2)["table"]
    told = anna.ask("POST", f"/api/tables/{again}/invitations", json={"again": table})
    assert told["people"] == 1
    assert [
        each["table"]["table"] for each in ben.ask("GET", "/api/my/invitations")["invitations"]
    ] == [again]
    # Anna hides.
    assert anna.ask("PUT", "/api/me/profile", json={"listed": False})["listed"] is False
    hidden = anna.ask("GET", "/api/ratings/2")
    assert hidden["mine"] is None
    assert not any(line["you"] for line in hidden["ratings"])
    assert len(anna.ask("GET", "/api/my/ratings")["ratings"]) == 1
    for page in ("0", "21", "x"):
        anna.ask("GET", f"/api/ratings/2?page={page}", status=422)
    assert anna.ask("GET", "/api/ratings/2?page=20") == {
        "ratings": [],
        "mine": None,
        "more": False,
    }


def test_public_games_are_listed_for_watchers(guest: Make) -> None:
    anna, ben, eve = guest("Anna"), guest("Ben"), guest("Eve")

    def start(**setup: object) -> str:
        table: str = anna.create(players=2, **setup)["table"]
        ben.act(table, "join", contribution="2" * 64)
        return table

    shown = start(public=True, rated=True)
    start(public=True, watch="link")
    start(public=False)
    waiting = anna.create(players=2, public=True)["table"]
    listed = {each["table"]: each for each in eve.ask("GET", "/api/tables/watched")["tables"]}
    assert shown in listed
    assert waiting not in listed
    assert listed[shown]["phase"] == "playing"
    mine = [each["table"] for each in anna.ask("GET", "/api/my/tables")["tables"]]
    assert set(mine) & set(listed) == {shown}
    message = eve.look(shown)
    assert (message["you"]["role"], message["late"], message["turn"]) == ("watcher", True, 0)


def test_a_game_that_was_given_up_leaves_my_list(guest: Make) -> None:
    anna = guest("Anna")
    message = anna.create(players=2, seats=["person", "apprentice"])
    table = message["table"]
    assert [each["table"] for each in anna.ask("GET", "/api/my/tables")["tables"]] == [table]
    anna.act(table, "resign", seat=message["you"]["seats"][0])
    assert anna.ask("GET", "/api/my/tables")["tables"] == []
