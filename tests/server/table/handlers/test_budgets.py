"""Nobody can use up a table for the others."""

from collections.abc import Callable
from random import Random

import pytest

from patrizier.server.table import commands as c
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.events import Adopted, PersonErased
from patrizier.server.table.handlers.budgets import GUEST, HOST, MOST_BEFORE, MOST_EVENTS, PLAYER
from patrizier.server.table.setup import TableSetup
from server.support.table_driver import THREE, TWO, TableDriver, playing, refuse

TROLL = "troll"


def until_refused(driver: TableDriver, person: str, *wishes: Callable[[str], Command]) -> Refused:
    """Repeat these commands until one is refused."""
    for number in range(20_000):
        try:
            driver.do(person, wishes[number % len(wishes)](driver.id()))
        except Refused as refused:
            return refused
    raise AssertionError("this goes on for ever")


def join(command: str) -> Command:
    return c.Join(id=command)


def leave(command: str) -> Command:
    return c.Leave(id=command)


def say(command: str) -> Command:
    return c.Say(id=command, text="x")


def test_a_stranger_does_not_brick_an_open_table() -> None:
    driver = TableDriver(THREE)
    refused = until_refused(driver, TROLL, join, leave)
    assert refused.reason == "done-enough"
    assert driver.table.seq < 2 * GUEST
    # Everybody else goes on as if nothing had happened.
    driver.sit("ben", "cleo")
    assert driver.table.phase == "playing"
    driver.finish()
    assert driver.table.finished
    assert driver.table == driver.reloaded()


def test_who_has_done_enough_can_still_leave() -> None:
    driver = TableDriver(THREE)
    driver.do(TROLL, c.Join(id="j"))
    assert until_refused(driver, TROLL, say).reason == "done-enough"
    driver.do(TROLL, c.Leave(id="l"))
    refuse(driver, TROLL, c.Join(id="k"), "too-much")


def test_strangers_together_leave_the_host_room() -> None:
    driver = TableDriver(TableSetup(players=3))
    for number in range(1000):
        if until_refused(driver, f"{TROLL} {number}", join, leave).reason == "table-full":
            break
    assert MOST_BEFORE <= driver.table.seq <= MOST_BEFORE + 2
    refuse(driver, "ben", c.Join(id="j"), "too-much")
    driver.do("anna", c.FillWithBots(id="f", level="merchant"))
    driver.do("anna", c.Start(id="s"))
    assert driver.table.phase == "playing"
    driver.play_turns(5)
    driver.do("anna", c.Say(id="t", text="At last!"))


@pytest.mark.parametrize("last", [c.Start, c.Close, c.Leave])
def test_starting_closing_and_leaving_are_always_possible(last: type) -> None:
    driver = TableDriver(TWO)
    driver.do("ben", c.Join(id="j", contribution="0" * 64))
    driver.table.seq = 10 * MOST_EVENTS
    driver.table.spent = {"anna": 10 * HOST}
    driver.stored.clear()
    refused = c.Contribute(id="c", seat=0, contribution="1" * 64)
    with pytest.raises(Refused):
        driver.do("anna", refused)
    driver.do("anna", last(id="last"))


def test_a_host_who_changes_their_mind_too_often_can_still_start() -> None:
    driver = TableDriver(TWO)
    refused = until_refused(
        driver,
        "anna",
        lambda command: c.SeatBot(id=command, seat=1, level="merchant"),
        lambda command: c.SeatBot(id=command, seat=1, level="banker"),
    )
    assert refused.reason == "done-enough"
    assert HOST <= driver.table.seq <= HOST + 5
    driver.do("anna", c.Start(id="s"))


def test_during_the_game_everybody_has_a_budget_and_turns_cost_nothing() -> None:
    driver = playing(THREE)
    driver.play_turns(20)
    assert max(driver.table.spent.values()) < 5
    seat = driver.table.seats.index(next(s for s in driver.table.seats if s.person == "ben"))
    refused = until_refused(
        driver,
        "ben",
        lambda command: c.Resign(id=command, seat=seat),
        lambda command: c.TakeOver(id=command, seat=seat),
    )
    assert refused.reason == "done-enough"
    assert driver.table.seq < 3 * PLAYER
    assert driver.table.seats[seat].stand_in == "resigned"
    driver.do("anna", c.Say(id="s", text="What was that?"))
    driver.finish()
    assert driver.table.phase == "finished"


def test_who_was_away_can_come_back_to_a_long_game() -> None:
    driver = playing()
    seat, mover = driver.table.to_move or 0, driver.mover
    driver.table.seq = MOST_EVENTS
    driver.stored.clear()
    refused = c.Say(id="1", text="x")
    with pytest.raises(Refused):
        driver.do(mover, refused)
    driver.do(mover, c.Resign(id="2", seat=seat))
    driver.do(mover, c.TakeOver(id="3", seat=seat))
    driver.play(rng=Random(1))


def test_names_are_changed_only_so_often() -> None:
    driver = TableDriver(THREE)
    driver.sit("ben")
    for number in range(10_000):
        events = driver.table.rename_events("ben", f"Ben {number}")
        if not events:
            break
        driver.store(events)
    assert driver.table.seq < 2 * GUEST
    assert driver.table.rename_events("anna", "Anna 2")  # hers is another budget
    driver.table.seq = MOST_EVENTS
    assert driver.table.rename_events("anna", "Anna 3") == []


def test_watchers_have_little_to_say() -> None:
    driver = playing()
    assert until_refused(driver, "eve", say).reason == "done-enough"
    assert driver.table.spent["eve"] == GUEST
    driver.do("dora", c.Say(id="d", text="I have not said anything yet."))


def test_a_budget_goes_along_with_a_new_account_and_is_forgotten_with_a_person() -> None:
    driver = TableDriver(THREE)
    driver.sit("ben")
    used = driver.table.spent["ben"]
    driver.store([Adopted("ben", "benedict", "Ben")])
    assert driver.table.spent["benedict"] == used
    driver.store([PersonErased("benedict")])
    assert "benedict" not in driver.table.spent
    assert driver.table == driver.reloaded()


def test_a_command_counts_once_however_much_it_brings() -> None:
    driver = TableDriver(TWO)
    before = dict(driver.table.spent)
    driver.do("ben", c.Join(id="j", contribution="0" * 64))
    driver.do("ben", c.Join(id="j", contribution="0" * 64))  # again
    assert driver.table.spent == before | {"ben": 1}
