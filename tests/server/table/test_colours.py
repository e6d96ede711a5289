"""Colours: choices, bots that change theirs, taken ones, and the record."""

from random import Random
from typing import get_args

import pytest

from patrizier.ptr import read_games
from patrizier.server.reasons import Reason
from patrizier.server.table import commands as c
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import ColourChosen, Joined, event_from_json
from patrizier.server.table.handlers.preparation import MOST_REPAINTS
from patrizier.server.table.setup import Colour, TableSetup
from server.support.table_driver import ALONE, THREE, TWO, TableDriver, refuse

FOUR = TableSetup(players=4)
FIVE = TableSetup(players=5)


def colours(driver: TableDriver) -> list[str]:
    """The colours in everybody's message."""
    told: list[str] = [seat.colour for seat in driver.told(None).seats]
    assert told == list(driver.table.colours)
    assert len(set(told)) == len(told)
    return told


def reason(driver: TableDriver, person: str, command: c.Command) -> Reason:
    with pytest.raises(Refused) as refused:
        driver.do(person, command)
    return refused.value.reason


def test_without_a_wish_seats_have_the_colours_of_the_setup() -> None:
    driver = TableDriver(THREE)
    assert driver.do("ben", c.Join(id="1")) == [Joined(1, "ben", "Ben")]
    assert colours(driver) == ["black", "white", "red"]
    assert colours(TableDriver(TableSetup(players=2, colours=("white", "black")))) == [
        "white",
        "black",
    ]


def test_a_colour_is_chosen_when_sitting_down() -> None:
    driver = TableDriver(THREE)
    assert driver.told("ben").free_colours == ("white", "red")
    joined = Joined(1, "ben", "Ben", colour="red")
    assert driver.do("ben", c.Join(id="1", colour="red")) == [joined]
    assert colours(driver) == ["black", "red", "white"]
    assert driver.told(None).free_colours == ("white",)


def test_a_person_without_a_wish_keeps_what_the_seat_had_then() -> None:
    driver = TableDriver(FOUR)
    driver.do("ben", c.Join(id="1", seat=1, colour="red"))
    driver.do("cleo", c.Join(id="1", seat=2))
    assert colours(driver) == ["black", "red", "white", "yellow"]
    driver.do("ben", c.ChooseColour(id="2", seat=1, colour="blue"))
    assert colours(driver) == ["black", "blue", "white", "yellow"]


@pytest.mark.parametrize("joining", [True, False])
def test_a_colour_that_a_person_plays_is_refused(joining: bool) -> None:
    driver = TableDriver(THREE)
    driver.do("ben", c.Join(id="1", seat=2, colour="white"))
    person, command = "ben", c.ChooseColour(id="2", seat=2, colour="black")
    text = refuse(driver, person, command, "full")
    assert text == "Somebody else plays black."
    for taken in ("black", "white"):
        if joining:
            wish: c.Command = c.Join(id="3", colour=taken)
            assert reason(driver, "cleo", wish) is Reason.COLOUR_TAKEN
    assert colours(driver) == ["black", "red", "white"]


@pytest.mark.parametrize(("setup", "wrong"), [(TWO, "red"), (THREE, "yellow"), (THREE, "blue")])
def test_few_players_choose_from_few_colours(setup: TableSetup, wrong: Colour) -> None:
    driver = TableDriver(setup)
    assert reason(driver, "ben", c.Join(id="1", colour=wrong)) is Reason.COLOUR_NOT_PLAYED
    text = refuse(driver, "anna", c.ChooseColour(id="2", seat=0, colour=wrong), "invalid")
    assert text == f"With {setup.players} players {wrong} is not available."
    assert wrong not in driver.told("ben").free_colours


def test_four_players_choose_from_five_colours() -> None:
    driver = TableDriver(FOUR)
    assert driver.told(None).free_colours == ("white", "red", "yellow", "blue")
    driver.do("ben", c.Join(id="1", colour="blue"))
    assert colours(driver) == ["black", "blue", "red", "yellow"]


def test_bots_give_way() -> None:
    driver = TableDriver(ALONE)
    driver.do("anna", c.ChooseColour(id="1", seat=0, colour="red"))
    assert colours(driver) == ["red", "white", "black"]
    assert driver.told("anna").free_colours == ("black", "white")


def test_only_the_own_colour_is_chosen_and_only_before_the_game() -> None:
    driver = TableDriver(TWO)
    refuse(driver, "ben", c.ChooseColour(id="1", seat=0, colour="white"), "foreign")
    refuse(driver, "anna", c.ChooseColour(id="2", seat=1, colour="white"), "foreign")
    refuse(driver, "anna", c.ChooseColour(id="3", seat=4, colour="white"), "unknown")
    driver.sit("ben")
    refuse(driver, "anna", c.ChooseColour(id="4", seat=0, colour="black"), "closed")
    assert driver.told("anna").free_colours == ()


def test_the_colour_one_has_need_not_be_chosen() -> None:
    driver = TableDriver(TWO)
    assert driver.do("anna", c.ChooseColour(id="1", seat=0, colour="black")) == []
    chosen = ColourChosen(0, "white")
    assert driver.do("anna", c.ChooseColour(id="2", seat=0, colour="white")) == [chosen]
    assert driver.do("anna", c.ChooseColour(id="2", seat=0, colour="white")) == []


def test_nobody_fills_a_table_with_changes_of_colour() -> None:
    driver = TableDriver(TWO)
    both: tuple[Colour, ...] = ("white", "black")
    for number in range(MOST_REPAINTS):
        driver.do("anna", c.ChooseColour(id=f"{number}", seat=0, colour=both[number % 2]))
    refuse(driver, "anna", c.ChooseColour(id="more", seat=0, colour="white"), "too-much")
    assert len(driver.stored) < MOST_REPAINTS + 5


def test_whoever_leaves_leaves_the_colour_too() -> None:
    driver = TableDriver(THREE)
    driver.do("ben", c.Join(id="1", colour="red"))
    driver.do("ben", c.Leave(id="2"))
    assert colours(driver) == ["black", "white", "red"]
    driver.do("cleo", c.Join(id="1", colour="red"))
    assert colours(driver) == ["black", "red", "white"]


def test_others_at_the_same_screen_choose_theirs() -> None:
    driver = TableDriver(THREE)
    driver.do("anna", c.Join(id="1", hot_seat=True, name="Ben", colour="red"))
    driver.do("anna", c.ChooseColour(id="2", seat=0, colour="white"))
    assert colours(driver) == ["white", "red", "black"]


def test_the_game_and_its_record_have_the_chosen_colours() -> None:
    driver = TableDriver(FOUR)
    driver.do("anna", c.ChooseColour(id="a", seat=0, colour="yellow"))
    driver.do("ben", c.Join(id="1", seat=3, colour="blue"))
    driver.do("anna", c.FillWithBots(id="2", level="apprentice"))
    driver.sit()
    assert driver.table.phase == "playing"
    told = colours(driver)
    assert told == ["yellow", "white", "red", "blue"]
    (view,) = driver.told("ben").views
    assert view.view.root["colours"] == told
    driver.finish()
    (record,) = read_games(driver.table.record_text())
    assert record.tags["Colours"] == "yellow/white/red/blue"
    assert record.game().options.colours == tuple(told)


def test_tables_from_before_there_were_wishes_still_load() -> None:
    data = {"kind": "joined", "seat": 1, "person": "ben", "name": "Ben", "hot_seat": False}
    assert event_from_json(data) == Joined(1, "ben", "Ben")


@pytest.mark.parametrize("setup", [TWO, THREE, FOUR, FIVE])
def test_whatever_people_wish_colours_are_different_and_allowed(setup: TableSetup) -> None:
    names, changes = ("anna", "ben", "cleo", "dora", "eve"), 0
    for seed in range(60):
        rng, driver = Random(seed), TableDriver(setup, take_seat=False)
        for step in range(25):
            person, wish = rng.choice(names), rng.choice(get_args(Colour))
            held = [n for n, seat in enumerate(driver.table.seats) if seat.person]
            kept = {n: driver.table.colours[n] for n in held}
            seat, number = rng.randrange(setup.players), str(step)
            command = rng.choice(
                (
                    c.Join(id=number, seat=seat, colour=rng.choice((None, wish)), hot_seat=True),
                    c.ChooseColour(id=number, seat=seat, colour=wish),
                    c.Leave(id=number, seat=seat),
                    c.SeatBot(id=number, seat=seat, level="doge"),
                )
            )
            try:
                driver.do(person, command)
            except Refused:
                continue
            assert driver.table.phase == "open" or not driver.table.playing
            if driver.table.phase != "open":
                break
            # Only what the rules of the box allow.
            driver.table.setup.model_validate({**setup.model_dump(), "colours": colours(driver)})
            for n, colour in kept.items():  # nobody's colour changes but by their own wish
                if n != seat:
                    assert driver.table.colours[n] == colour
            changes += 1
    assert changes > 150
