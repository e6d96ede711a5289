import pytest

from patrizier.server.table.clock import DAY, GRACE, Clock
from patrizier.server.table.commands import Play, Refused, Resign, Start, TakeOver
from patrizier.server.table.events import Closed, Credited, Flagged, StandIn, Started
from patrizier.server.table.handlers.deadlines import ABSENCE, CONTRIBUTING, IDLE, LEFT
from patrizier.server.table.setup import Correspondence, NoClock, Realtime, TableSetup
from server.support.table_driver import ALONE, TableDriver

QUICK = Realtime(base=60, increment=5)


def realtime(*people: str, players: int = 2) -> TableDriver:
    driver = TableDriver(TableSetup(players=players, pace=QUICK, stand_in="banker"))
    driver.sit(*people)
    return driver


# -- the clock by itself


def test_a_turn_costs_its_time_and_brings_the_increment() -> None:
    clock = Clock.start(QUICK, 2, at=100.0)
    assert clock.deadline(0) == 160.0
    clock = clock.turn_ended(0, 120.0, counts=True)
    assert clock.left == (45.0, 60.0)
    assert clock.deadline(1) == 180.0


def test_turns_of_bots_cost_nothing() -> None:
    clock = Clock.start(QUICK, 2, at=100.0).turn_ended(0, 120.0, counts=False)
    assert clock.left == (60.0, 60.0)
    assert clock.began == 120.0


def test_time_never_goes_below_zero_nor_backwards() -> None:
    clock = Clock.start(QUICK, 2, at=100.0)
    assert clock.stopped(0, 1000.0).left[0] == 0.0
    assert clock.turn_ended(0, 90.0, counts=True).left[0] == 65.0


def test_who_takes_over_has_some_time() -> None:
    clock = Clock.start(QUICK, 2, at=100.0).stopped(0, 1000.0)
    clock = clock.taken_over(0, 2000.0, to_move=True)
    assert clock.deadline(0) == 2000.0 + GRACE
    assert clock.taken_over(1, 2010.0, to_move=False).left[1] == 60.0


def test_days_for_a_turn() -> None:
    clock = Clock.start(Correspondence(days=3), 2, at=100.0)
    assert clock.deadline(1) == 100.0 + 3 * DAY
    assert clock.turn_ended(0, 500.0, counts=True).deadline(1) == 500.0 + 3 * DAY
    assert clock.stopped(0, 500.0).taken_over(0, 600.0, to_move=True).began == 600.0


def test_no_clock_never_ends() -> None:
    assert Clock.start(NoClock(), 2, at=100.0).deadline(0) is None


def test_time_without_the_server_is_given_back_but_no_more() -> None:
    clock = Clock.start(QUICK, 2, at=100.0)
    assert clock.credited(30.0, at=140.0).deadline(0) == 190.0
    assert clock.credited(300.0, at=140.0).began == 140.0
    assert clock.credited(-5.0, at=140.0) == clock


# -- at the table


def test_the_clock_runs_for_who_is_to_move() -> None:
    driver = realtime("ben")
    seat = driver.table.to_move
    assert seat is not None
    assert driver.table.due(driver.now) == driver.now + 60
    driver.now += 20
    driver.play()
    assert driver.table.clock
    assert driver.table.clock.left[seat] == 45
    assert driver.table.due(driver.now) == driver.now + 60


def test_time_out_brings_a_stand_in_of_the_tables_level() -> None:
    driver = realtime("ben")
    seat, late = driver.table.to_move, driver.mover
    assert seat is not None
    assert driver.pass_time(59.9) == []
    assert driver.pass_time(0.1) == [Flagged(seat), StandIn(seat, "banker", "time")]
    assert driver.table.bot_to_move() == (seat, "banker")
    assert driver.table.seats[seat].person == late
    assert driver.table.seats[seat].forfeited
    assert driver.table.due(driver.now) is None  # a bot thinks, and no clock runs
    assert driver.pass_time(1e6) == []
    driver.play()
    assert driver.table.due(driver.now) == driver.now + 60


def test_a_turn_that_comes_too_late_is_refused() -> None:
    driver = realtime("ben")
    seat, before = driver.table.to_move, driver.reloaded()
    assert seat is not None
    driver.now += 60.1
    with pytest.raises(Refused) as refused:
        driver.play()
    assert refused.value.code == "late"
    assert driver.table == before


def test_the_person_comes_back_and_plays_on() -> None:
    driver = realtime("ben")
    seat, late = driver.table.to_move, driver.mover
    assert seat is not None
    driver.pass_time(60)
    play = Play(id="p", seat=seat, move=driver.game.legal_moves[0].text, at_turn=0)
    with pytest.raises(Refused, match="take over first"):
        driver.do(late, play)
    driver.now += 500
    driver.do(late, TakeOver(id="t", seat=seat))
    assert driver.table.bot_to_move() is None
    assert driver.table.due(driver.now) == driver.now + GRACE
    driver.do(late, play)
    assert driver.table.turn == 1
    assert driver.table.seats[seat].forfeited  # it happened all the same
    assert driver.do(late, TakeOver(id="u", seat=seat)) == []


def test_taking_over_out_of_turn_does_not_disturb_the_others_clock() -> None:
    driver = realtime("ben")
    seat, late = driver.table.to_move, driver.mover
    assert seat is not None
    driver.pass_time(60)
    driver.play()
    due = driver.table.due(driver.now)
    driver.now += 7
    driver.do(late, TakeOver(id="t", seat=seat))
    assert driver.table.due(driver.now) == due


def test_decisions_within_a_turn_do_not_stop_the_clock() -> None:
    from patrizier.server.table.commands import Decide

    driver = TableDriver(TableSetup(players=2, pace=QUICK, rules=("messengers",)))
    driver.sit("ben")
    seat, due = driver.table.to_move, driver.table.due(driver.now)
    assert seat is not None
    code = driver.game.legal_decisions()[0]
    decision = driver.game.state.decision_text(code)
    driver.now += 10
    driver.do(driver.mover, Decide(id="1", seat=seat, decision=decision, at_turn=0, at_step=0))
    assert (driver.table.turn, driver.table.step) == (0, 1)  # every starting card has a star
    assert driver.table.due(driver.now) == due


def test_who_comes_back_in_time_finds_the_game_as_it_was_left() -> None:
    driver = TableDriver(ALONE)
    driver.do("anna", Start(id="s"))
    driver.do("anna", Resign(id="r", seat=0))
    left = driver.now
    assert driver.table.due(driver.now) == left + LEFT
    assert driver.pass_time(LEFT - 1) == []
    driver.do("anna", TakeOver(id="t", seat=0))
    assert driver.pass_time(1e6) == []  # it waits for her, who is the only one
    driver.do("anna", Resign(id="again", seat=0))
    assert driver.pass_time(LEFT, "anna") == []  # she looks on
    assert driver.pass_time(1) == [Closed("left")]
    assert driver.table.phase == "abandoned"
    assert driver.table.due(driver.now) is None
    assert driver.table.bot_to_move() is None
    with pytest.raises(Refused, match="not running"):
        driver.do("anna", TakeOver(id="u", seat=0))
    assert driver.told("anna").views  # she may still look at it
    assert driver.told("anna").deal.secret is None


def test_the_server_gives_time_back() -> None:
    driver = realtime("ben")
    due = driver.table.due(driver.now)
    assert due is not None
    driver.now += 40
    assert driver.table.credit_events(40) == [Credited(40)]
    driver.store(driver.table.credit_events(40))
    assert driver.table.due(driver.now) == due + 40
    untimed = TableDriver()
    untimed.sit("ben")
    assert untimed.table.credit_events(40) == []


def test_correspondence_times_out_after_days() -> None:
    driver = TableDriver(TableSetup(players=2, pace=Correspondence(days=2)))
    driver.sit("ben")
    assert driver.pass_time(2 * DAY - 1) == []
    assert len(driver.pass_time(1)) == 2


# -- absence, where no clock runs


def test_long_absence_brings_a_stand_in_if_somebody_waits() -> None:
    driver = TableDriver()
    driver.sit("ben")
    seat, away = driver.table.to_move, driver.mover
    assert seat is not None
    waiting = "ben" if away == "anna" else "anna"
    began = driver.now
    assert driver.table.due(driver.now) == began + ABSENCE
    assert driver.pass_time(ABSENCE - 1, waiting) == []
    assert driver.pass_time(1, waiting) == [StandIn(seat, "merchant", "absent")]


def test_who_is_connected_is_not_absent() -> None:
    driver = TableDriver()
    driver.sit("ben")
    assert driver.pass_time(10 * ABSENCE, "anna", "ben") == []
    here = dict.fromkeys(("anna", "ben"), driver.now)
    assert driver.table.due(driver.now, here) == driver.now + ABSENCE


def test_nobody_waits_for_nobody() -> None:
    """Everybody is away: the game stays open, and is checked less and less often."""
    driver = TableDriver()
    driver.sit("ben")
    assert driver.pass_time(10 * ABSENCE) == []
    assert driver.table.due(driver.now) == driver.now + 10 * ABSENCE
    driver.now += 100 * DAY
    assert driver.table.due(driver.now) == driver.now + DAY


def test_against_bots_one_may_be_away_for_ever() -> None:
    driver = TableDriver(TableSetup(players=3, seats=("person", "merchant", "doge")))
    driver.sit()
    while driver.table.bot_to_move():
        driver.play()
    assert driver.table.due(driver.now) is None
    assert driver.pass_time(1000 * DAY, "anna") == []


# -- before the game


def test_a_full_table_starts_without_contributions_that_do_not_come() -> None:
    from patrizier.server.table.commands import Join

    driver = TableDriver()
    driver.do("ben", Join(id="1"))
    assert driver.table.due(driver.now) == driver.now + CONTRIBUTING
    assert driver.pass_time(CONTRIBUTING - 1) == []
    events = driver.pass_time(1)
    assert [type(event) for event in events] == [Started]
    assert driver.table.phase == "playing"


def test_an_open_table_is_given_up_after_a_week() -> None:
    driver = TableDriver()
    assert driver.table.due(driver.now) == driver.now + IDLE
    assert driver.pass_time(IDLE - 1) == []
    assert driver.pass_time(1) == [Closed("idle")]
    assert driver.table.phase == "abandoned"
    assert driver.table.due(driver.now) is None
    assert driver.pass_time(IDLE) == []
