"""Before the game: sitting down, leaving, bots, contributions, and the start."""

from functools import partial

import pytest

from patrizier.server.deal.provably_fair import derive
from patrizier.server.table import commands as c
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import (
    BotSeated,
    Closed,
    HostChanged,
    Joined,
    Left,
    Started,
)
from patrizier.server.table.setup import TableSetup
from patrizier.server.table.table import Table
from server.support.table_driver import (
    ALONE,
    KEY,
    SECRET,
    TABLE,
    THREE,
    TWO,
    TableDriver,
    kinds,
    playing,
    refuse,
)

# -- gathering


def test_a_new_table_seats_its_host_and_the_bots() -> None:
    driver = TableDriver(ALONE)
    seats = driver.table.seats
    assert [(seat.person, seat.level) for seat in seats] == [
        ("anna", None),
        (None, "merchant"),
        (None, "doge"),
    ]
    assert driver.table.host == "anna"


def test_the_host_may_choose_a_seat_or_none() -> None:
    for seat, ok in ((None, True), (2, True), (1, False)):
        setup = TableSetup(players=3, seats=("person", "doge", "person"))
        make = partial(Table.new, TABLE, setup, "anna", "Anna", secret=SECRET, commitment="")
        if ok:
            _, events = make(watch_key=KEY, seat=seat)
            assert events[-1] == Joined(seat or 0, "anna", "Anna")
        else:
            with pytest.raises(Refused):
                make(watch_key=KEY, seat=seat)
    assert TableDriver(TWO, take_seat=False).table.seats[0].is_free


def test_people_join_the_first_free_seat_or_one_they_choose() -> None:
    driver = TableDriver(THREE)
    assert driver.do("ben", c.Join(id="1", seat=2)) == [Joined(2, "ben", "Ben")]
    assert driver.do("cleo", c.Join(id="1")) == [Joined(1, "cleo", "Cleo")]
    refuse(driver, "dora", c.Join(id="1"), "full")
    refuse(driver, "dora", c.Join(id="2", seat=2), "full")


def test_joining_has_its_limits() -> None:
    driver = TableDriver(TWO)
    refuse(driver, "anna", c.Join(id="1"), "not-allowed")
    refuse(driver, "ben", c.Join(id="1", seat=4), "unknown")
    with pytest.raises(Refused, match="invisible"):
        driver.table.handle(c.Join(id="1"), "ben", 0.0, name="Be\u202en")
    with pytest.raises(Refused, match="at least one letter"):
        driver.table.handle(c.Join(id="1"), "ben", 0.0, name="")


def test_it_starts_when_full_and_everybody_has_contributed() -> None:
    driver = TableDriver(TWO)
    driver.do("ben", c.Join(id="1", contribution="ab" * 32))
    assert driver.table.game is None
    given = c.Contribute(id="2", seat=0, contribution="cd" * 32)
    events = driver.do("anna", given)
    assert kinds(events)[-1] is Started
    assert driver.table.phase == "playing"
    options = driver.setup.options
    deal = derive(SECRET, TABLE, options, {0: "cd" * 32, 1: "ab" * 32})
    assert driver.game.deal == deal
    assert driver.do("anna", given) == []


def test_alone_against_bots_it_starts_with_the_contribution() -> None:
    driver = TableDriver(ALONE)
    driver.do("anna", c.Contribute(id="1", seat=0, contribution="ab" * 32))
    assert driver.table.phase == "playing"


def test_contributions_are_given_once_and_for_the_own_seat() -> None:
    driver = TableDriver(THREE)
    driver.do("anna", c.Contribute(id="1", seat=0, contribution="ab" * 32))
    refuse(driver, "anna", c.Contribute(id="2", seat=0, contribution="cd" * 32), "not-allowed")
    refuse(driver, "ben", c.Contribute(id="2", seat=0, contribution="cd" * 32), "foreign")
    refuse(driver, "anna", c.Contribute(id="3", seat=1, contribution="cd" * 32), "foreign")
    assert driver.do("anna", c.Contribute(id="4", seat=0, contribution="ab" * 32)) == []


def test_somebody_may_start_without_contributing_but_not_before_the_others_have() -> None:
    driver = TableDriver(TWO)
    refuse(driver, "anna", c.Start(id="1"), "not-allowed")
    driver.do("ben", c.Join(id="1", contribution="ab" * 32))
    refuse(driver, "dora", c.Start(id="1"), "foreign")
    refuse(driver, "ben", c.Start(id="2"), "not-allowed")
    assert kinds(driver.do("anna", c.Start(id="3"))) == [Started]


def test_leaving_makes_a_seat_free_and_the_next_person_host() -> None:
    driver = TableDriver(THREE)
    driver.do("ben", c.Join(id="1", contribution="ab" * 32))
    assert driver.do("anna", c.Leave(id="2")) == [Left(0), HostChanged("ben")]
    assert driver.table.host == "ben"
    refuse(driver, "anna", c.Leave(id="3"), "foreign")
    assert driver.do("ben", c.Leave(id="4", seat=1)) == [Left(1), Closed("empty")]
    assert driver.table.phase == "abandoned"
    refuse(driver, "cleo", c.Join(id="5"), "closed")
    refuse(driver, "ben", c.Say(id="6", text="Hello?"), "closed")


def test_a_contribution_goes_with_the_person() -> None:
    driver = TableDriver(TWO)
    driver.do("ben", c.Join(id="2", contribution="ab" * 32))
    driver.do("ben", c.Leave(id="3"))
    driver.do("cleo", c.Join(id="4"))
    assert driver.table.seats[1].contribution is None


def test_the_host_seats_and_unseats() -> None:
    driver = TableDriver(THREE)
    driver.do("ben", c.Join(id="1"))
    for command in (
        c.SeatBot(id="2", seat=2, level="doge"),
        c.FillWithBots(id="2", level="doge"),
        c.Unseat(id="2", seat=1),
        c.Close(id="2"),
    ):
        refuse(driver, "ben", command, "not-allowed")
    refuse(driver, "anna", c.SeatBot(id="2", seat=1, level="doge"), "full")
    refuse(driver, "anna", c.Unseat(id="3", seat=0), "not-allowed")
    assert driver.do("anna", c.Unseat(id="4", seat=2)) == []
    assert driver.do("anna", c.Unseat(id="5", seat=1)) == [Left(1)]
    assert driver.do("anna", c.SeatBot(id="6", seat=1, level="doge")) == [BotSeated(1, "doge")]
    assert driver.do("anna", c.SeatBot(id="7", seat=1, level="doge")) == []
    change = c.SeatBot(id="8", seat=1, level="banker")
    assert driver.do("anna", change) == [BotSeated(1, "banker")]
    assert driver.do("anna", c.FillWithBots(id="9", level="apprentice")) == [
        BotSeated(2, "apprentice")
    ]
    assert driver.do("anna", c.Close(id="10")) == [Closed("host")]


def test_bots_do_not_play_among_themselves() -> None:
    driver = TableDriver(TWO, take_seat=False)
    refuse(driver, "anna", c.FillWithBots(id="1", level="doge"), "not-allowed")
    driver.do("anna", c.SeatBot(id="2", seat=0, level="doge"))
    refuse(driver, "anna", c.SeatBot(id="3", seat=1, level="doge"), "not-allowed")


def test_nothing_can_be_gathered_once_it_has_started() -> None:
    driver = playing()
    for command in (
        c.Join(id="1"),
        c.Leave(id="1"),
        c.Start(id="1"),
        c.Close(id="1"),
        c.FillWithBots(id="1", level="doge"),
        c.Contribute(id="1", seat=0, contribution="ab" * 32),
    ):
        refuse(driver, "anna", command, "closed")


# -- hot seat


def test_one_person_holds_several_seats() -> None:
    driver = TableDriver(THREE)
    driver.do("anna", c.Join(id="1", hot_seat=True, name="  Little   Ben "))
    driver.do("anna", c.Join(id="2", hot_seat=True))
    assert [seat.name for seat in driver.table.seats] == ["Anna", "Little Ben", "Anna"]
    assert [seat.hot_seat for seat in driver.table.seats] == [False, True, True]
    driver.sit()
    assert driver.table.to_move is not None
    driver.finish()
    assert driver.table.phase == "finished"


def test_a_hot_seat_is_played_for_by_its_own_number() -> None:
    driver = TableDriver(TWO)
    driver.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    driver.sit()
    seat = driver.table.to_move
    assert seat is not None
    move = driver.game.legal_moves[0].text
    play = c.Play(id="2", seat=1 - seat, move=move, at_turn=0)
    refuse(driver, "anna", play, "foreign")
    driver.do("anna", c.Play(id="3", seat=seat, move=move, at_turn=0))


def test_at_a_rated_table_everybody_has_one_seat() -> None:
    driver = TableDriver(TableSetup(players=2, rated=True))
    refuse(driver, "anna", c.Join(id="1", hot_seat=True), "not-allowed")


def test_only_a_hot_seat_has_a_name_of_its_own() -> None:
    driver = TableDriver(THREE)
    driver.do("ben", c.Join(id="1", name="Anna", hot_seat=True))
    assert driver.table.seats[1].name == "Ben"
    assert not driver.table.seats[1].hot_seat
