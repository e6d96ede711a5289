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
from server.tables import (
    ALONE,
    KEY,
    SECRET,
    TABLE,
    THREE,
    TWO,
    Parlour,
    kinds,
    playing,
    refuse,
)

# -- gathering


def test_a_new_table_seats_its_host_and_the_bots() -> None:
    parlour = Parlour(ALONE)
    seats = parlour.table.seats
    assert [(seat.person, seat.level) for seat in seats] == [
        ("anna", None),
        (None, "merchant"),
        (None, "doge"),
    ]
    assert parlour.table.host == "anna"


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
    assert Parlour(TWO, take_seat=False).table.seats[0].is_free


def test_people_join_the_first_free_seat_or_one_they_choose() -> None:
    parlour = Parlour(THREE)
    assert parlour.do("ben", c.Join(id="1", seat=2)) == [Joined(2, "ben", "Ben")]
    assert parlour.do("cleo", c.Join(id="1")) == [Joined(1, "cleo", "Cleo")]
    refuse(parlour, "dora", c.Join(id="1"), "full")
    refuse(parlour, "dora", c.Join(id="2", seat=2), "full")


def test_joining_has_its_limits() -> None:
    parlour = Parlour(TWO)
    refuse(parlour, "anna", c.Join(id="1"), "not-allowed")
    refuse(parlour, "ben", c.Join(id="1", seat=4), "unknown")
    with pytest.raises(Refused, match="invisible"):
        parlour.table.handle(c.Join(id="1"), "ben", 0.0, name="Be\u202en")
    with pytest.raises(Refused, match="at least one letter"):
        parlour.table.handle(c.Join(id="1"), "ben", 0.0, name="")


def test_it_starts_when_full_and_everybody_has_contributed() -> None:
    parlour = Parlour(TWO)
    parlour.do("ben", c.Join(id="1", contribution="ab" * 32))
    assert parlour.table.game is None
    given = c.Contribute(id="2", seat=0, contribution="cd" * 32)
    events = parlour.do("anna", given)
    assert kinds(events)[-1] is Started
    assert parlour.table.phase == "playing"
    options = parlour.setup.options
    deal = derive(SECRET, TABLE, options, {0: "cd" * 32, 1: "ab" * 32})
    assert parlour.game.deal == deal
    assert parlour.do("anna", given) == []


def test_alone_against_bots_it_starts_with_the_contribution() -> None:
    parlour = Parlour(ALONE)
    parlour.do("anna", c.Contribute(id="1", seat=0, contribution="ab" * 32))
    assert parlour.table.phase == "playing"


def test_contributions_are_given_once_and_for_the_own_seat() -> None:
    parlour = Parlour(THREE)
    parlour.do("anna", c.Contribute(id="1", seat=0, contribution="ab" * 32))
    refuse(parlour, "anna", c.Contribute(id="2", seat=0, contribution="cd" * 32), "not-allowed")
    refuse(parlour, "ben", c.Contribute(id="2", seat=0, contribution="cd" * 32), "foreign")
    refuse(parlour, "anna", c.Contribute(id="3", seat=1, contribution="cd" * 32), "foreign")
    assert parlour.do("anna", c.Contribute(id="4", seat=0, contribution="ab" * 32)) == []


def test_somebody_may_start_without_contributing_but_not_before_the_others_have() -> None:
    parlour = Parlour(TWO)
    refuse(parlour, "anna", c.Start(id="1"), "not-allowed")
    parlour.do("ben", c.Join(id="1", contribution="ab" * 32))
    refuse(parlour, "dora", c.Start(id="1"), "foreign")
    refuse(parlour, "ben", c.Start(id="2"), "not-allowed")
    assert kinds(parlour.do("anna", c.Start(id="3"))) == [Started]


def test_leaving_makes_a_seat_free_and_the_next_person_host() -> None:
    parlour = Parlour(THREE)
    parlour.do("ben", c.Join(id="1", contribution="ab" * 32))
    assert parlour.do("anna", c.Leave(id="2")) == [Left(0), HostChanged("ben")]
    assert parlour.table.host == "ben"
    refuse(parlour, "anna", c.Leave(id="3"), "foreign")
    assert parlour.do("ben", c.Leave(id="4", seat=1)) == [Left(1), Closed("empty")]
    assert parlour.table.phase == "abandoned"
    refuse(parlour, "cleo", c.Join(id="5"), "closed")
    refuse(parlour, "ben", c.Say(id="6", text="Hello?"), "closed")


def test_a_contribution_goes_with_the_person() -> None:
    parlour = Parlour(TWO)
    parlour.do("ben", c.Join(id="2", contribution="ab" * 32))
    parlour.do("ben", c.Leave(id="3"))
    parlour.do("cleo", c.Join(id="4"))
    assert parlour.table.seats[1].contribution is None


def test_the_host_seats_and_unseats() -> None:
    parlour = Parlour(THREE)
    parlour.do("ben", c.Join(id="1"))
    for command in (
        c.SeatBot(id="2", seat=2, level="doge"),
        c.FillWithBots(id="2", level="doge"),
        c.Unseat(id="2", seat=1),
        c.Close(id="2"),
    ):
        refuse(parlour, "ben", command, "not-allowed")
    refuse(parlour, "anna", c.SeatBot(id="2", seat=1, level="doge"), "full")
    refuse(parlour, "anna", c.Unseat(id="3", seat=0), "not-allowed")
    assert parlour.do("anna", c.Unseat(id="4", seat=2)) == []
    assert parlour.do("anna", c.Unseat(id="5", seat=1)) == [Left(1)]
    assert parlour.do("anna", c.SeatBot(id="6", seat=1, level="doge")) == [BotSeated(1, "doge")]
    assert parlour.do("anna", c.SeatBot(id="7", seat=1, level="doge")) == []
    change = c.SeatBot(id="8", seat=1, level="banker")
    assert parlour.do("anna", change) == [BotSeated(1, "banker")]
    assert parlour.do("anna", c.FillWithBots(id="9", level="apprentice")) == [
        BotSeated(2, "apprentice")
    ]
    assert parlour.do("anna", c.Close(id="10")) == [Closed("host")]


def test_bots_do_not_play_among_themselves() -> None:
    parlour = Parlour(TWO, take_seat=False)
    refuse(parlour, "anna", c.FillWithBots(id="1", level="doge"), "not-allowed")
    parlour.do("anna", c.SeatBot(id="2", seat=0, level="doge"))
    refuse(parlour, "anna", c.SeatBot(id="3", seat=1, level="doge"), "not-allowed")


def test_nothing_can_be_gathered_once_it_has_started() -> None:
    parlour = playing()
    for command in (
        c.Join(id="1"),
        c.Leave(id="1"),
        c.Start(id="1"),
        c.Close(id="1"),
        c.FillWithBots(id="1", level="doge"),
        c.Contribute(id="1", seat=0, contribution="ab" * 32),
    ):
        refuse(parlour, "anna", command, "closed")


# -- hot seat


def test_one_person_holds_several_seats() -> None:
    parlour = Parlour(THREE)
    parlour.do("anna", c.Join(id="1", hot_seat=True, name="  Little   Ben "))
    parlour.do("anna", c.Join(id="2", hot_seat=True))
    assert [seat.name for seat in parlour.table.seats] == ["Anna", "Little Ben", "Anna"]
    assert [seat.hot_seat for seat in parlour.table.seats] == [False, True, True]
    parlour.sit()
    assert parlour.table.to_move is not None
    parlour.finish()
    assert parlour.table.phase == "finished"


def test_a_hot_seat_is_played_for_by_its_own_number() -> None:
    parlour = Parlour(TWO)
    parlour.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    parlour.sit()
    seat = parlour.table.to_move
    assert seat is not None
    move = parlour.game.legal_moves[0].text
    play = c.Play(id="2", seat=1 - seat, move=move, at_turn=0)
    refuse(parlour, "anna", play, "foreign")
    parlour.do("anna", c.Play(id="3", seat=seat, move=move, at_turn=0))


def test_at_a_rated_table_everybody_has_one_seat() -> None:
    parlour = Parlour(TableSetup(players=2, rated=True))
    refuse(parlour, "anna", c.Join(id="1", hot_seat=True), "not-allowed")


def test_only_a_hot_seat_has_a_name_of_its_own() -> None:
    parlour = Parlour(THREE)
    parlour.do("ben", c.Join(id="1", name="Anna", hot_seat=True))
    assert parlour.table.seats[1].name == "Ben"
    assert not parlour.table.seats[1].hot_seat
