"""Nobody uses a table up for the others."""

from collections.abc import Callable
from random import Random

import pytest

from patrizier.server.table import commands as c
from patrizier.server.table.budgets import GUEST, HOST, MOST_BEFORE, MOST_EVENTS, PLAYER
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.events import Adopted, PersonErased
from patrizier.server.table.setup import TableSetup
from server.tables import THREE, TWO, Parlour, playing, refuse

TROLL = "troll"


def until_refused(parlour: Parlour, person: str, *wishes: Callable[[str], Command]) -> Refused:
    """Do these things again and again, until one is refused."""
    for number in range(20_000):
        try:
            parlour.do(person, wishes[number % len(wishes)](parlour.id()))
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
    parlour = Parlour(THREE)
    refused = until_refused(parlour, TROLL, join, leave)
    assert refused.reason == "done-enough"
    assert parlour.table.seq < 2 * GUEST
    # Everybody else goes on as if nothing had happened.
    parlour.sit("ben", "cleo")
    assert parlour.table.phase == "playing"
    parlour.finish()
    assert parlour.table.finished
    assert parlour.table == parlour.reloaded()


def test_who_has_done_enough_can_still_leave() -> None:
    parlour = Parlour(THREE)
    parlour.do(TROLL, c.Join(id="j"))
    assert until_refused(parlour, TROLL, say).reason == "done-enough"
    parlour.do(TROLL, c.Leave(id="l"))
    refuse(parlour, TROLL, c.Join(id="k"), "too-much")


def test_strangers_together_leave_the_host_room() -> None:
    parlour = Parlour(TableSetup(players=3))
    for number in range(1000):
        if until_refused(parlour, f"{TROLL} {number}", join, leave).reason == "table-full":
            break
    assert MOST_BEFORE <= parlour.table.seq <= MOST_BEFORE + 2
    refuse(parlour, "ben", c.Join(id="j"), "too-much")
    parlour.do("anna", c.FillWithBots(id="f", level="merchant"))
    parlour.do("anna", c.Start(id="s"))
    assert parlour.table.phase == "playing"
    parlour.play_turns(5)
    parlour.do("anna", c.Say(id="t", text="At last!"))


@pytest.mark.parametrize("last", [c.Start, c.Close, c.Leave])
def test_starting_closing_and_leaving_are_always_possible(last: type) -> None:
    parlour = Parlour(TWO)
    parlour.do("ben", c.Join(id="j", contribution="0" * 64))
    parlour.table.seq = 10 * MOST_EVENTS
    parlour.table.spent = {"anna": 10 * HOST}
    parlour.stored.clear()
    refused = c.Contribute(id="c", seat=0, contribution="1" * 64)
    with pytest.raises(Refused):
        parlour.do("anna", refused)
    parlour.do("anna", last(id="last"))


def test_a_host_who_changes_their_mind_too_often_can_still_start() -> None:
    parlour = Parlour(TWO)
    refused = until_refused(
        parlour,
        "anna",
        lambda command: c.SeatBot(id=command, seat=1, level="merchant"),
        lambda command: c.SeatBot(id=command, seat=1, level="banker"),
    )
    assert refused.reason == "done-enough"
    assert HOST <= parlour.table.seq <= HOST + 5
    parlour.do("anna", c.Start(id="s"))


def test_during_the_game_everybody_has_a_budget_and_turns_cost_nothing() -> None:
    parlour = playing(THREE)
    parlour.play_turns(20)
    assert max(parlour.table.spent.values()) < 5
    seat = parlour.table.seats.index(next(s for s in parlour.table.seats if s.person == "ben"))
    refused = until_refused(
        parlour,
        "ben",
        lambda command: c.Resign(id=command, seat=seat),
        lambda command: c.TakeOver(id=command, seat=seat),
    )
    assert refused.reason == "done-enough"
    assert parlour.table.seq < 3 * PLAYER
    assert parlour.table.seats[seat].stand_in == "resigned"
    parlour.do("anna", c.Say(id="s", text="What was that?"))
    parlour.finish()
    assert parlour.table.phase == "finished"


def test_who_was_away_can_come_back_to_a_long_game() -> None:
    parlour = playing()
    seat, mover = parlour.table.to_move or 0, parlour.mover
    parlour.table.seq = MOST_EVENTS
    parlour.stored.clear()
    refused = c.Say(id="1", text="x")
    with pytest.raises(Refused):
        parlour.do(mover, refused)
    parlour.do(mover, c.Resign(id="2", seat=seat))
    parlour.do(mover, c.TakeOver(id="3", seat=seat))
    parlour.play(rng=Random(1))


def test_names_are_changed_only_so_often() -> None:
    parlour = Parlour(THREE)
    parlour.sit("ben")
    for number in range(10_000):
        events = parlour.table.rename_events("ben", f"Ben {number}")
        if not events:
            break
        parlour.store(events)
    assert parlour.table.seq < 2 * GUEST
    assert parlour.table.rename_events("anna", "Anna 2")  # hers is another budget
    parlour.table.seq = MOST_EVENTS
    assert parlour.table.rename_events("anna", "Anna 3") == []


def test_watchers_have_little_to_say() -> None:
    parlour = playing()
    assert until_refused(parlour, "eve", say).reason == "done-enough"
    assert parlour.table.spent["eve"] == GUEST
    parlour.do("dora", c.Say(id="d", text="I have not said anything yet."))


def test_a_budget_goes_along_with_a_new_account_and_is_forgotten_with_a_person() -> None:
    parlour = Parlour(THREE)
    parlour.sit("ben")
    used = parlour.table.spent["ben"]
    parlour.store([Adopted("ben", "benedict", "Ben")])
    assert parlour.table.spent["benedict"] == used
    parlour.store([PersonErased("benedict")])
    assert "benedict" not in parlour.table.spent
    assert parlour.table == parlour.reloaded()


def test_a_command_counts_once_however_much_it_brings() -> None:
    parlour = Parlour(TWO)
    before = dict(parlour.table.spent)
    parlour.do("ben", c.Join(id="j", contribution="0" * 64))
    parlour.do("ben", c.Join(id="j", contribution="0" * 64))  # again
    assert parlour.table.spent == before | {"ben": 1}
