"""Messages contain all that people may know, and nothing else."""

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from patrizier import View
from patrizier.server.table import commands as c
from patrizier.server.table.chat import mark_of
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.setup import Correspondence, Realtime, TableSetup
from patrizier.server.table.table import Table
from patrizier.server.table.visibility import log_since, record_text, visible
from server.support.table_driver import KEY, NAMES, SECRET, TABLE, TableDriver, with_other_secrets

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "view.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def game(players: int = 3, **setup: Any) -> TableDriver:
    driver = TableDriver(TableSetup(players=players, **setup))
    driver.sit(*("ben", "cleo", "dora", "eve")[: players - 1])
    return driver


def view(driver: TableDriver, person: str | None, key: str = "") -> dict[str, Any]:
    (only,) = driver.told(person, key=key).views
    return only.view.root


# -- who is told what


def test_players_get_the_view_of_their_seat() -> None:
    driver = game()
    driver.play_turns(4)
    for seat, person in enumerate(("anna", "ben", "cleo")):
        told = driver.told(person)
        assert told.you.role == "player"
        assert told.you.seats == (seat,)
        assert [shown.seat for shown in told.views] == [seat]
        assert view(driver, person)["viewer"] == seat
        mine = seat == driver.table.to_move
        assert told.you.to_move == (seat if mine else None)
        assert bool(view(driver, person)["legal"]) == mine
        assert len(view(driver, person)["seats"][seat]["hand"]) == 3


def test_watchers_get_what_everybody_may_know() -> None:
    driver = game(watch="everyone", memory_help=True)
    driver.play_turns(4)
    for person in ("eve", None):
        told = driver.told(person)
        assert told.you.role == "watcher"
        assert view(driver, person)["viewer"] is None
        assert view(driver, person)["legal"] == []
        assert not any(seat["secret"] for seat in view(driver, person)["seats"])
        assert told.you.watch_key is None


@pytest.mark.parametrize("watch", ["nobody", "link"])
def test_outsiders_see_only_who_sits_there(watch: str) -> None:
    driver = game(watch=watch)
    driver.do("anna", c.Say(id="1", text="Hello"))
    driver.finish()
    told = driver.told("eve", key="wrong")
    assert told.you.role == "outsider"
    assert told.views == ()
    assert told.log == ()
    assert told.result is None
    assert told.deal.secret is None
    assert [seat.name for seat in told.seats] == ["Anna", "Ben", "Cleo"]
    with pytest.raises(Refused):
        record_text(driver.table, "eve", "wrong")
    assert driver.told("eve", key=KEY).you.role == ("watcher" if watch == "link" else "outsider")


def test_players_learn_the_watchers_link() -> None:
    driver = game(watch="link")
    assert driver.told("anna").you.watch_key == KEY
    assert KEY not in driver.told("eve").model_dump_json()
    assert KEY not in driver.told("eve", key=KEY).model_dump_json()


def test_a_finished_game_against_bots_is_open_to_whom_its_player_gives_the_link() -> None:
    driver = TableDriver(TableSetup(players=3, watch="nobody", seats=("person", "doge", "doge")))
    driver.sit()
    driver.play_turns(4)
    assert driver.told("anna").you.watch_key is None
    assert driver.told("eve", key=KEY).you.role == "outsider"
    driver.finish()
    assert driver.told("anna").you.watch_key == KEY
    assert driver.told("eve", key=KEY).you.role == "watcher"
    assert driver.told("eve").you.role == driver.told("eve", key="wrong").you.role == "outsider"
    assert record_text(driver.table, "eve", KEY) == record_text(driver.table, "anna")


@pytest.mark.parametrize("guest", [c.Join(id="1"), c.Join(id="1", hot_seat=True, name="Ben")])
def test_a_game_of_several_people_stays_closed(guest: c.Join) -> None:
    driver = TableDriver(TableSetup(players=3, watch="nobody", seats=("person", "person", "doge")))
    driver.do("anna" if guest.hot_seat else "ben", guest)
    driver.sit()
    driver.finish()
    assert driver.table.phase == "finished"
    assert driver.told("anna").you.watch_key is None
    assert driver.told("eve", key=KEY).you.role == "outsider"


def test_a_hot_seat_gets_one_view_for_each_of_its_seats() -> None:
    driver = TableDriver(TableSetup(players=3))
    driver.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    driver.sit("cleo")
    told = driver.told("anna")
    assert [shown.seat for shown in told.views] == [0, 1]
    assert [shown.view.root["viewer"] for shown in told.views] == [0, 1]
    assert [shown.seat for shown in driver.told("cleo").views] == [2]


def test_who_resigned_still_sees_the_own_seat_but_is_not_to_move() -> None:
    driver = game(players=2)
    driver.do(driver.mover, c.Resign(id="1", seat=driver.table.to_move or 0))
    person = driver.table.seats[driver.table.to_move or 0].person
    told = driver.told(person)
    assert told.views
    assert told.you.to_move is None
    (info,) = (seat for seat in told.seats if seat.you)
    assert (info.state, info.stand_in, info.level) == ("person", "resigned", "merchant")


# -- memory help


def test_with_memory_help_the_view_is_whole() -> None:
    driver = game(memory_help=True, rules=("messengers",))
    while driver.table.phase == "playing":
        driver.play_turns(11)
        for person, seat in (("anna", 0), (None, None)):
            data = view(driver, person)
            VALIDATOR.validate(data)
            again = View.from_json(json.loads(json.dumps(data)))
            assert again == driver.game.state.view(seat)


@pytest.mark.parametrize(
    "rules", [(), ("open-ledger",), ("messengers",), ("messengers", "open-tokens")]
)
def test_without_it_others_are_shown_as_the_table_shows_them(rules: tuple[str, ...]) -> None:
    driver = game(rules=rules)
    for _ in range(9):
        driver.play_turns(5)
        if driver.table.phase != "playing":
            break
        full = driver.game.state.view(1).to_json()
        data = view(driver, "ben")
        VALIDATOR.validate(data)
        assert data["unseen"] == []
        assert data["history"] == []
        for name in set(data) - {"unseen", "seats"}:
            assert data[name] == full[name]
        assert data["seats"][1] == full["seats"][1]
        for seat in (0, 2):
            shown, known = data["seats"][seat], full["seats"][seat]
            assert shown["hand"] == []
            assert shown["unknown"] == len(known["hand"]) + known["unknown"]
            for name in ("supply", "messengers_left", "top", "colour"):
                assert shown[name] == known[name]
            if "open-ledger" in rules:
                for name in ("pile", "tokens", "chips", "heads"):
                    assert shown[name] == known[name]
            else:
                open_tokens = "open-tokens" in rules
                won = (known["tokens"], known["chips"]) if open_tokens else ([], 0)
                assert (shown["tokens"], shown["chips"]) == won
                assert shown["pile"] == [known["top"]]
                assert set(shown["heads"].values()) == {0}


def test_without_it_the_log_goes_back_one_round() -> None:
    for memory_help, turns in ((False, 3), (True, 10)):
        driver = game(memory_help=memory_help)
        driver.play_turns(10)
        entries = [entry for entry in driver.told("anna").log if entry.kind == "turn"]
        assert len(entries) == turns
        driver.finish()
        entries = [entry for entry in driver.told("anna").log if entry.kind == "turn"]
        assert len(entries) == 48  # now everything is open


# -- the log


def test_the_log_tells_what_is_new() -> None:
    driver = game(memory_help=True)
    driver.play_turns(3)
    since = driver.table.seq
    assert log_since(driver.table, "anna", since) == []
    driver.play_turns(2)
    driver.do("ben", c.Say(id="1", text="Hm"))
    entries = log_since(driver.table, "anna", since)
    assert [entry.kind for entry in entries] == ["turn", "turn", "said"]
    assert [entry.seq for entry in entries] == [since + 1, since + 2, since + 3]
    assert entries[0].kind == "turn"
    assert entries[0].record == driver.game.records[3].to_json()
    told = driver.told("anna", since=since)
    assert told.log_since == since
    assert list(told.log) == entries


def test_turns_taken_back_are_told_and_gone() -> None:
    driver = TableDriver(
        TableSetup(players=2, seats=("person", "doge"), memory_help=True, rated=True)
    )
    driver.sit()
    while driver.table.turn < 6 or driver.table.to_move != 0:
        driver.play()
    since, turn = driver.table.seq, driver.table.turn
    driver.do("anna", c.TakeBack(id="1", seat=0, to_turn=turn - 2, at_turn=turn))
    (entry,) = log_since(driver.table, "anna", since)
    assert entry.kind == "undone"
    assert entry.to_turn == turn - 2
    turns = [entry for entry in log_since(driver.table, "anna", 0) if entry.kind == "turn"]
    assert len(turns) == turn - 2
    assert not driver.told("anna").rated


def test_news_are_told_in_order() -> None:
    driver = game(players=2)
    driver.do("ben", c.Resign(id="1", seat=1))
    driver.do("ben", c.TakeOver(id="2", seat=1))
    news = [e for e in driver.told("anna").log if e.kind == "news"]
    assert [entry.what for entry in news] == [
        "created",
        "joined",
        "joined",
        "started",
        "resigned",
        "stand-in",
        "took-over",
    ]
    assert news[5].detail == "resigned"
    assert news[6].name == "Ben"


# -- chat


def texts(driver: TableDriver, person: str | None, key: str = "") -> list[str]:
    return [entry.text for entry in driver.told(person, key=key).log if entry.kind == "said"]


def test_players_and_watchers_read_apart_until_the_end() -> None:
    driver = game(watch="everyone")
    driver.do("anna", c.Say(id="1", text="among us"))
    driver.do("eve", c.Say(id="2", text="among you"))
    assert texts(driver, "ben") == ["among us"]
    assert texts(driver, "eve") == texts(driver, None) == ["among you"]
    driver.finish()
    assert texts(driver, "ben") == ["among us", "among you"]
    assert texts(driver, "eve") == ["among you"]


def test_a_player_can_mute() -> None:
    driver = game()
    driver.do("ben", c.Say(id="1", text="bla"))
    mark = driver.told("anna").seats[1].who
    assert mark
    driver.do("anna", c.Mute(id="2", who=mark))
    assert driver.do("anna", c.Mute(id="3", who=mark)) == []
    driver.do("ben", c.Say(id="2", text="bla bla"))
    assert texts(driver, "anna") == []
    assert texts(driver, "cleo") == ["bla", "bla bla"]
    assert driver.told("anna").you.muted == (mark,)
    assert driver.told("ben").you.muted == ()
    driver.do("anna", c.Mute(id="4", who=mark, on=False))
    assert texts(driver, "anna") == ["bla", "bla bla"]


def test_muting_has_its_limits() -> None:
    driver = game()
    own = driver.told("anna").seats[0].who
    for person, who, code in (
        ("anna", "nobody", "unknown"),
        ("anna", own, "unknown"),
        ("eve", own, "not-allowed"),
    ):
        with pytest.raises(Refused) as refused:
            driver.do(person, c.Mute(id="1", who=who or ""))
        assert refused.value.code == code


def test_watchers_can_be_muted_too() -> None:
    driver = game()
    driver.do("eve", c.Say(id="1", text="I know better"))
    driver.do("anna", c.Mute(id="2", who=mark_of(TABLE, "eve")))
    driver.finish()
    assert texts(driver, "anna") == []
    assert texts(driver, "ben") == ["I know better"]


# -- around it


def test_clocks_are_told() -> None:
    driver = game(players=2, pace=Realtime(base=60, increment=5))
    told = driver.told("anna")
    assert told.clock.seat == driver.table.to_move
    assert told.clock.deadline == driver.now + 60
    assert [seat.seconds_left for seat in told.seats] == [60, 60]
    slow = game(players=2, pace=Correspondence(days=1)).told("anna")
    assert slow.clock.deadline == driver.now + 86_400
    assert slow.seats[0].seconds_left is None
    assert game(players=2).told("anna").clock.deadline is None


def test_undo_is_told_to_players() -> None:
    driver = game()
    while driver.game.view(None).unseen:
        driver.play()
    driver.play_turns(2)
    turn = driver.table.turn
    driver.do("ben", c.AskUndo(id="1", seat=1, to_turn=turn - 1, at_turn=turn))
    undo = driver.told("anna").undo
    assert undo
    assert (undo.seat, undo.to_turn, undo.agreed, undo.waiting) == (1, turn - 1, (1,), (0, 2))
    assert driver.told("eve").undo is None


def test_the_end_is_told_with_its_proof() -> None:
    driver = game(rated=True)
    driver.do("ben", c.Resign(id="1", seat=1))
    assert driver.told("anna").result is None
    driver.finish()
    told = driver.told("anna")
    outcome = driver.game.outcome()
    assert told.result
    assert outcome
    assert told.result.outcome == outcome.to_json()
    assert told.result.forfeits == (1,)
    assert told.deal.secret == SECRET.hex()
    assert told.deal.contributions == tuple(seat.contribution for seat in driver.table.seats)
    assert SECRET.hex() in record_text(driver.table, "anna")
    driver.do("anna", c.OfferRematch(id="2"))
    assert driver.told("ben").rematch_wanted == (0,)


# -- secrets


def deal_is_hidden(driver: TableDriver, person: str | None, text: str) -> None:
    for word in (SECRET.hex(), *(s.contribution or "-" * 9 for s in driver.table.seats)):
        assert word not in text
    for other in NAMES:
        assert f'"{other}"' not in text  # ids are nobody's business


def test_no_message_has_the_secret_or_an_id() -> None:
    driver = game(memory_help=True, rules=("messengers",))
    driver.do("anna", c.Say(id="x", text="Hello"))
    driver.do("eve", c.Say(id="y", text="Hello"))
    driver.do("anna", c.Mute(id="z", who=mark_of(TABLE, "eve")))
    rng = Random(2)
    while driver.table.phase == "playing":
        for person in (*NAMES, None):
            deal_is_hidden(driver, person, driver.told(person).model_dump_json())
        driver.play(rng=rng)


HOSTILE: list[Command] = [
    *(c.Play(id="h", seat=seat, move="BO1:LL", at_turn=7) for seat in (0, 1, 2, 4)),
    *(c.Decide(id="h", seat=seat, decision="BO4:L", at_turn=7, at_step=0) for seat in (0, 1, 2, 4)),
    c.AskUndo(id="h", seat=0, to_turn=3, at_turn=7),
    c.TakeBack(id="h", seat=0, to_turn=3, at_turn=7),
    c.AnswerUndo(id="h", seat=1, to_turn=3, yes=True),
    c.TakeOver(id="h", seat=1),
    c.Contribute(id="h", seat=1, contribution="00" * 32),
    c.OfferRematch(id="h"),
    c.Start(id="h"),
    c.Mute(id="h", who="0123456789ab"),
]


def answer(table: Table, person: str, command: Command) -> str:
    """Return the refusal of a command, or its events."""
    try:
        return str(table.handle(command, person, 0.0, name="Name"))
    except Refused as refused:
        return f"{refused.code}: {refused.text}"


@pytest.mark.parametrize(
    ("players", "rules", "memory_help"),
    [
        (2, (), False),
        (2, ("messengers",), True),
        (3, ("messengers",), False),
        (3, ("messengers", "open-ledger"), True),
        (4, ("open-ledger",), False),
        (4, ("messengers", "open-tokens"), False),
        (5, ("messengers",), True),
    ],
)
def test_nothing_told_depends_on_what_is_hidden(
    players: int, rules: tuple[str, ...], memory_help: bool
) -> None:
    """Replacing hidden cards, secret and others' contributions changes no byte."""
    driver = game(players, rules=rules, memory_help=memory_help, watch="everyone")
    people = [*("anna", "ben", "cleo", "dora", "eve")[:players], None]
    rng, changed = Random(players), 0
    while driver.table.phase == "playing":
        if driver.table.turn == 7:
            driver.do("anna", c.Say(id="s", text="Hello"))
        for viewer, person in enumerate(people):
            if rng.random() < 0.8:
                continue
            seat = None if person is None else viewer
            other = Table.load(TABLE, with_other_secrets(driver, seat, rng))
            assert other.game
            changed += other.game.deal != driver.game.deal
            told = driver.told(person).model_dump_json()
            assert visible(other, person, now=driver.now).model_dump_json() == told
            assert other.due(driver.now) == driver.table.due(driver.now)
            with pytest.raises(Refused):
                record_text(other, person)
            for command in HOSTILE if person and driver.table.turn < 12 else ():
                mine = answer(driver.table, person or "", command)
                assert answer(other, person or "", command) == mine
        if "messengers" in rules and rng.random() < 0.5 and driver.game.phase == "build":
            game_now = driver.game
            decision = game_now.state.decision_text(rng.choice(game_now.legal_decisions()))
            table = driver.table
            driver.do(
                driver.mover,
                c.Decide(
                    id=driver.id(),
                    seat=table.to_move or 0,
                    decision=decision,
                    at_turn=table.turn,
                    at_step=table.step,
                ),
            )
        else:
            driver.play(rng=rng)
    assert changed > 10


# -- rated games are watched late


def rated_game() -> TableDriver:
    return game(players=2, memory_help=True, rated=True)


def test_a_rated_game_is_watched_a_round_late() -> None:
    driver = rated_game()
    driver.play_turns(7)
    told, player = driver.told(None), driver.told("anna")
    assert (player.turn, player.late) == (7, False)
    assert (told.turn, told.step, told.late) == (5, 0, True)
    assert driver.table.playing is not None
    before = driver.table.playing.state_at(5).view(None).to_json()
    assert told.views[0].view.root["cities"] == before["cities"]
    shown = [entry.record for entry in told.log if entry.kind == "turn"]
    assert shown == [record.to_json() for record in driver.game.records[:5]]


def test_nothing_that_watchers_get_depends_on_the_last_round() -> None:
    one, two = rated_game(), rated_game()
    one.play_turns(4)
    two.play_turns(4)
    one.play_turns(2, seed=3)
    two.play_turns(2, seed=4)
    assert one.game.records != two.game.records
    assert one.told(None) == two.told(None)
    assert one.told("anna") != two.told("anna")


def test_late_watchers_miss_no_turn_and_get_none_twice() -> None:
    driver = rated_game()
    since, heard = 0, []
    while True:
        told = driver.told(None, since=since)
        heard += [entry.record for entry in told.log if entry.kind == "turn"]
        since = told.seq
        if told.phase == "finished":
            break
        driver.play_turns(1)
    assert heard == [record.to_json() for record in driver.game.records]
    driver.do("anna", c.Say(id="bye", text="Bravo"))
    assert [entry.kind for entry in driver.told(None, since=since).log] == []


def test_other_games_are_watched_as_they_are_played() -> None:
    driver = game(players=2, memory_help=True)
    driver.play_turns(7)
    assert (driver.told(None).turn, driver.told(None).late) == (7, False)
