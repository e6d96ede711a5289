"""Other commands at a table, and the table as a value."""

from random import Random
from typing import Literal

import pytest

from patrizier.server.table import commands as c
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import (
    Finished,
    PersonErased,
    Rematched,
    StandIn,
    Stored,
    TookOver,
    TurnPlayed,
)
from patrizier.server.table.setup import TableSetup
from patrizier.server.table.table import Table
from patrizier.server.table.visibility import visible
from server.support.table_driver import (
    ALONE,
    KEY,
    SECRET,
    TABLE,
    THREE,
    TableDriver,
    kinds,
    playing,
    refuse,
)

# -- resigning


def test_resigning_brings_a_stand_in_and_the_person_may_return() -> None:
    driver = playing()
    assert kinds(driver.do("ben", c.Resign(id="1", seat=1)))[1] is StandIn
    refuse(driver, "ben", c.Resign(id="2", seat=1), "not-allowed")
    refuse(driver, "anna", c.TakeOver(id="2", seat=1), "foreign")
    assert driver.do("ben", c.TakeOver(id="3", seat=1)) == [TookOver(1)]
    driver.do("ben", c.Resign(id="4", seat=1))
    driver.finish()
    finished = driver.stored[-1].event
    assert isinstance(finished, Finished)
    assert finished.forfeits == (1,)
    played = {s.event.by for s in driver.stored if isinstance(s.event, TurnPlayed)}
    assert played == {"person", "stand-in"}
    refuse(driver, "ben", c.TakeOver(id="5", seat=1), "closed")
    refuse(driver, "anna", c.Resign(id="5", seat=0), "closed")


# -- talking


def test_players_and_watchers_talk_apart() -> None:
    driver = playing(TableSetup(players=2, watch="link"))
    driver.do("anna", c.Say(id="1", text=" Ciao,\n  Ben! "))
    refuse(driver, "eve", c.Say(id="1", text="Hello"), "not-allowed")
    driver.do("eve", c.Say(id="2", text="Hello"), key=KEY)
    lines = [(line.room, line.seat, line.name, line.text) for line in driver.table.talk.said]
    assert lines == [("players", 0, "Anna", "Ciao, Ben!"), ("watchers", None, "Eve", "Hello")]


def test_texts_are_cleaned() -> None:
    driver = playing()
    refuse(driver, "anna", c.Say(id="1", text=" \u200b\u202e\x00 "), "invalid")
    driver.do("anna", c.Say(id="2", text="x" + "\u0301" * 9 + "y\x07\u2028z"))
    assert driver.table.talk.said[-1].text == "x\u0301\u0301y z"


def test_chat_is_bounded_in_each_room() -> None:
    from patrizier.server.table.chat import KEPT_SAID, MOST_SAID

    driver = playing()

    def talk(person: str) -> None:
        """Say something as somebody who has not done much yet."""
        driver.do(person, c.Say(id=driver.id(), text="x"))
        driver.table.spent = {}
        driver.table.seq = 100
        driver.stored.clear()

    for _ in range(MOST_SAID):
        talk("eve")
    with pytest.raises(Refused) as refused:
        talk("dora")
    assert refused.value.reason == "said-enough"
    talk("anna")  # watchers do not silence players
    said = driver.table.talk.said
    assert [line.room for line in said] == ["watchers"] * KEPT_SAID + ["players"]


# -- rematch


def finished(*people: str) -> TableDriver:
    driver = playing(TableSetup(players=3, rules=("messengers",)), *people)
    driver.finish()
    return driver


def rematch(driver: TableDriver, seed: int) -> Table:
    driver.store(driver.table.rematch_events("next-0123456789abcdef", Random(seed)))
    events = driver.table.next_table(secret=SECRET, commitment="11", watch_key="k")
    again = driver.reloaded().next_table(secret=SECRET, commitment="11", watch_key="k")
    assert again == events  # the lot is in the events, so nothing is drawn twice
    stored = [Stored(n, driver.now, None, None, event) for n, event in enumerate(events, 1)]
    return Table.load("next-0123456789abcdef", stored)


def test_rematch_when_all_want_it_with_seats_by_lot() -> None:
    orders: set[tuple[str, ...]] = set()
    for seed in range(20):
        driver = finished()
        refuse(driver, "dora", c.OfferRematch(id="1"), "foreign")
        for person in ("anna", "ben", "cleo"):
            assert not driver.table.wants_rematch
            driver.do(person, c.OfferRematch(id="2"))
        assert driver.do("anna", c.OfferRematch(id="3")) == []
        assert driver.table.wants_rematch
        table = rematch(driver, seed)
        assert not driver.table.wants_rematch
        event = driver.stored[-1].event
        assert isinstance(event, Rematched)
        assert table.created
        assert table.created.lot == event.lot
        assert table.created.previous == TABLE
        names = tuple(seat.name for seat in table.seats)
        assert names == tuple(driver.table.seats[old].name for old in event.lot)
        assert table.phase == "open"
        assert table.host == "anna"
        orders.add(names)
        if seed > 3 and len(orders) > 3:
            break
    assert len(orders) > 3


def test_in_a_rematch_somebody_else_starts() -> None:
    driver = finished()
    starter = driver.table.seats[driver.game.deal.start].person
    for seed in range(8):
        table = rematch(driver, seed)
        assert table.created
        assert table.created.not_first is not None
        assert table.seats[table.created.not_first].person == starter
        assert visible(table, "anna", now=1.0).deal.not_first == table.created.not_first
        for number, seat in enumerate(table.seats):
            give = c.Contribute(id=f"give-{number}", seat=number, contribution="12" * 32)
            for event in table.handle(give, seat.person or "", 1e9):
                table.fold(Stored(table.seq + 1, 1e9, None, None, event))
        assert table.playing
        assert table.seats[table.playing.deal.start].person != starter
        started = next(line for line in table.talk.news if line.what == "started")
        assert started.seat == table.playing.deal.start


def test_in_a_rematch_everybody_keeps_their_colour() -> None:
    driver = TableDriver(TableSetup(players=3, seats=("person", "person", "doge")))
    driver.do("ben", c.Join(id="1", colour="red"))
    driver.sit()
    driver.finish()
    before = dict(zip(("anna", "ben", None), ("black", "red", "white"), strict=True))
    for seed in range(8):
        table = rematch(driver, seed)
        people = [seat.person for seat in table.seats]
        assert dict(zip(people, table.colours, strict=True)) == before


def test_bots_always_want_a_rematch() -> None:
    driver = TableDriver(ALONE)
    driver.sit()
    driver.finish()
    refuse(playing(), "anna", c.OfferRematch(id="0"), "closed")
    driver.do("anna", c.OfferRematch(id="1"))
    table = rematch(driver, 3)
    levels = sorted(seat.level or "" for seat in table.seats)
    assert levels == ["", "doge", "merchant"]
    assert table.setup.plan == tuple(seat.level or "person" for seat in table.seats)
    assert table.rated


# -- people who go


@pytest.mark.parametrize("phase", ["open", "playing", "finished"])
def test_deleting_a_person(phase: Literal["open", "playing", "finished"]) -> None:
    driver = TableDriver(THREE)
    if phase != "open":
        driver.sit("ben", "cleo")
    else:
        driver.do("ben", c.Join(id="1"))
    if phase == "finished":
        driver.finish()
    events = driver.table.erase_events("anna")
    assert events[-1] == PersonErased("anna")
    driver.store(events)
    assert driver.reloaded() == driver.table
    assert driver.table.seats[0].person is None
    if phase == "open":
        assert driver.table.host == "ben"
        assert driver.table.seats[0].is_free
    else:
        assert driver.table.seats[0].name == "Somebody"
        assert not driver.table.seats[0].is_free
    if phase == "playing":
        assert driver.table.seats[0].level == "merchant"
        driver.finish()
        assert driver.table.phase == "finished"
        assert "Somebody" in driver.table.record_text()
    if phase == "finished":
        for person in ("ben", "cleo"):
            driver.do(person, c.OfferRematch(id="r"))
        assert driver.table.wants_rematch
        table = rematch(driver, 1)
        assert sum(seat.is_free for seat in table.seats) == 1


def test_an_avatar_is_shown_changed_and_taken_along() -> None:
    driver = TableDriver(THREE)
    for event in driver.table.handle(c.Join(id="1"), "ben", 1.0, name="Ben", avatar="SI"):
        driver.store([event])
    driver.do("anna", c.Join(id="2", hot_seat=True, name="Guest at my screen"))
    assert driver.table.rename_events("ben", "Ben", "SI") == []
    driver.store(driver.table.rename_events("anna", "Anna", "crown"))
    shown = {seat.name: seat.avatar for seat in driver.told("ben").seats}
    assert shown == {"Anna": "crown", "Ben": "SI", "Guest at my screen": ""}
    driver.store(driver.table.rename_events("ben", "Ben", "unicorn"))  # drawn no more
    assert driver.told("ben").seats[1].avatar == ""
    driver.store(driver.table.erase_events("anna"))
    assert all(seat.avatar != "crown" for seat in driver.table.seats)


def test_a_new_name_shows_on_the_own_seat() -> None:
    driver = TableDriver(THREE)
    driver.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    assert driver.table.rename_events("cleo", "Klio") == []
    driver.store(driver.table.rename_events("anna", "Anne"))
    assert [seat.name for seat in driver.table.seats] == ["Anne", "Ben", ""]


# -- the table as a value


def test_copies_are_apart() -> None:
    driver = playing()
    driver.play_turns(5)
    copy = driver.table.copy()
    driver.play_turns(5)
    assert (copy.turn, driver.table.turn) == (5, 10)
    assert copy.game
    assert copy.game.turn == 5
    assert copy.game.records == driver.game.records[:5]
    assert driver.game.turn == 10


def test_events_known_already_change_nothing_and_gaps_are_errors() -> None:
    driver = playing()
    before = driver.table.copy()
    driver.table.fold(driver.stored[2])
    assert driver.table == before
    last = driver.stored[-1]
    with pytest.raises(ValueError, match="does not follow"):
        driver.table.fold(Stored(last.seq + 2, last.at, None, None, last.event))


def test_a_table_can_rest() -> None:
    driver = playing(TableSetup(players=2, rules=("messengers",)))
    driver.play_turns(11)
    told = driver.told("anna").model_dump_json()
    driver.table.rest()
    assert driver.told("anna").model_dump_json() == told
    driver.table.rest()
    driver.finish()
    assert driver.reloaded() == driver.table


def test_an_idle_table_is_small() -> None:
    import gc
    import tracemalloc

    def make(number: int) -> Table:
        driver = playing(TableSetup(players=2, rules=("messengers",)))
        driver.play_turns(40, number)
        driver.told("anna")
        return driver.table

    for number in range(10):  # what all tables share is there already
        make(number)
    gc.collect()
    tracemalloc.start()
    tables = [make(number) for number in range(10)]
    gc.collect()
    awake, _ = tracemalloc.get_traced_memory()
    for table in tables:
        table.rest()
    gc.collect()
    asleep, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert awake / len(tables) < 50_000
    assert asleep / len(tables) < 20_000
