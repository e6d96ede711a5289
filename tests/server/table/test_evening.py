"""The running score of an evening: kept for players who stay, empty for newcomers."""

from random import Random

from patrizier.server.table import commands as c
from patrizier.server.table.evening import EveningScore
from patrizier.server.table.events import Stored
from patrizier.server.table.seats import SeatState, draw_lot
from patrizier.server.table.setup import Level, TableSetup
from patrizier.server.table.table import Table
from patrizier.server.table.visibility import visible
from server.support.table_driver import SECRET, TableDriver, playing


def rematch(driver: TableDriver, seed: int = 1) -> Table:
    driver.store(driver.table.rematch_events("next-0123456789abcdef", Random(seed)))
    events = driver.table.next_table(secret=SECRET, commitment="11", watch_key="k")
    stored = [Stored(n, driver.now, None, None, event) for n, event in enumerate(events, 1)]
    return Table.load("next-0123456789abcdef", stored)


def finished() -> TableDriver:
    driver = playing(TableSetup(players=3, watch="link"))
    driver.finish()
    return driver


def test_a_rematch_knows_wins_and_points() -> None:
    driver = finished()
    assert driver.table.finished
    outcome = driver.table.finished.outcome
    expected = {
        seat.person: EveningScore(1, int(number in outcome["winners"]), score["total"])
        for number, (seat, score) in enumerate(
            zip(driver.table.seats, outcome["scores"], strict=True)
        )
    }
    assert dict(zip("abc", driver.told("anna").evening, strict=True)) == dict(
        zip("abc", expected.values(), strict=True)
    )
    for seed in range(5):
        table = rematch(driver, seed)
        found = zip((seat.person for seat in table.seats), table.evening_score(), strict=True)
        assert dict(found) == expected


def test_a_second_game_adds_up() -> None:
    driver = finished()
    table = rematch(driver)
    assert table.created
    assert table.evening == table.created.evening
    assert driver.table.finished
    table.finished = driver.table.finished  # the same seats win once more
    twice = table.evening_score()
    assert all(each is not None and each.games == 2 for each in twice)
    wins = sum(each.wins for each in twice if each)
    assert wins == 2 * len(driver.table.finished.outcome["winners"])


def test_who_takes_a_seat_anew_has_no_score() -> None:
    table = rematch(finished())
    (ben,) = [number for number, seat in enumerate(table.seats) if seat.person == "ben"]
    for event in table.handle(c.Leave(id="1"), "ben", 1e9):
        table.fold(Stored(table.seq + 1, 1e9, None, None, event))
    for event in table.handle(c.Join(id="2", seat=ben), "dora", 1e9, name="Dora"):
        table.fold(Stored(table.seq + 1, 1e9, None, None, event))
    assert [score is None for score in table.evening_score()] == [
        number == ben for number in range(3)
    ]


def test_strangers_are_told_nothing_of_it() -> None:
    driver = finished()
    assert driver.told("eve").evening == ()
    assert visible(rematch(driver), "eve", now=1.0).evening == ()


def test_alone_among_bots_everybody_stays() -> None:
    seats = (SeatState(level="doge"), SeatState(person="anna"), SeatState(level="doge"))
    assert {draw_lot(seats, Random(seed)) for seed in range(20)} == {(0, 1, 2)}


def test_bots_of_a_level_keep_their_order() -> None:
    levels: tuple[Level | None, ...] = ("doge", None, "merchant", "doge", None)
    seats = tuple(
        SeatState(level=level) if level else SeatState(person=f"person-{number}")
        for number, level in enumerate(levels)
    )
    lots = {draw_lot(seats, Random(seed)) for seed in range(200)}
    assert len(lots) > 20
    for lot in lots:
        assert sorted(lot) == [0, 1, 2, 3, 4]
        assert lot.index(0) < lot.index(3)
