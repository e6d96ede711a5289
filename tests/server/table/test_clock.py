import pytest

from patrizier.server.table.clock import DAY, GRACE, Clock
from patrizier.server.table.commands import Play, Refused, Resign, Start, TakeOver
from patrizier.server.table.deadlines import ABSENCE, CONTRIBUTING, IDLE, LEFT
from patrizier.server.table.events import Closed, Credited, Flagged, StandIn, Started
from patrizier.server.table.setup import Correspondence, NoClock, Realtime, TableSetup
from server.tables import ALONE, Parlour

QUICK = Realtime(base=60, increment=5)


def realtime(*people: str, players: int = 2) -> Parlour:
    parlour = Parlour(TableSetup(players=players, pace=QUICK, stand_in="banker"))
    parlour.sit(*people)
    return parlour


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
    parlour = realtime("ben")
    seat = parlour.table.to_move
    assert seat is not None
    assert parlour.table.due(parlour.now) == parlour.now + 60
    parlour.now += 20
    parlour.play()
    assert parlour.table.clock
    assert parlour.table.clock.left[seat] == 45
    assert parlour.table.due(parlour.now) == parlour.now + 60


def test_time_out_brings_a_stand_in_of_the_tables_level() -> None:
    parlour = realtime("ben")
    seat, late = parlour.table.to_move, parlour.mover
    assert seat is not None
    assert parlour.pass_time(59.9) == []
    assert parlour.pass_time(0.1) == [Flagged(seat), StandIn(seat, "banker", "time")]
    assert parlour.table.bot_to_move() == (seat, "banker")
    assert parlour.table.seats[seat].person == late
    assert parlour.table.seats[seat].forfeited
    assert parlour.table.due(parlour.now) is None  # a bot thinks, and no clock runs
    assert parlour.pass_time(1e6) == []
    parlour.play()
    assert parlour.table.due(parlour.now) == parlour.now + 60


def test_a_turn_that_comes_too_late_is_refused() -> None:
    parlour = realtime("ben")
    seat, before = parlour.table.to_move, parlour.reloaded()
    assert seat is not None
    parlour.now += 60.1
    with pytest.raises(Refused) as refused:
        parlour.play()
    assert refused.value.code == "late"
    assert parlour.table == before


def test_the_person_comes_back_and_plays_on() -> None:
    parlour = realtime("ben")
    seat, late = parlour.table.to_move, parlour.mover
    assert seat is not None
    parlour.pass_time(60)
    play = Play(id="p", seat=seat, move=parlour.game.legal_moves[0].text, at_turn=0)
    with pytest.raises(Refused, match="take over first"):
        parlour.do(late, play)
    parlour.now += 500
    parlour.do(late, TakeOver(id="t", seat=seat))
    assert parlour.table.bot_to_move() is None
    assert parlour.table.due(parlour.now) == parlour.now + GRACE
    parlour.do(late, play)
    assert parlour.table.turn == 1
    assert parlour.table.seats[seat].forfeited  # it happened all the same
    assert parlour.do(late, TakeOver(id="u", seat=seat)) == []


def test_taking_over_out_of_turn_does_not_disturb_the_others_clock() -> None:
    parlour = realtime("ben")
    seat, late = parlour.table.to_move, parlour.mover
    assert seat is not None
    parlour.pass_time(60)
    parlour.play()
    due = parlour.table.due(parlour.now)
    parlour.now += 7
    parlour.do(late, TakeOver(id="t", seat=seat))
    assert parlour.table.due(parlour.now) == due


def test_decisions_within_a_turn_do_not_stop_the_clock() -> None:
    from patrizier.server.table.commands import Decide

    parlour = Parlour(TableSetup(players=2, pace=QUICK, rules=("messengers",)))
    parlour.sit("ben")
    seat, due = parlour.table.to_move, parlour.table.due(parlour.now)
    assert seat is not None
    code = parlour.game.legal_decisions()[0]
    decision = parlour.game.state.decision_text(code)
    parlour.now += 10
    parlour.do(parlour.mover, Decide(id="1", seat=seat, decision=decision, at_turn=0, at_step=0))
    assert (parlour.table.turn, parlour.table.step) == (0, 1)  # every starting card has a star
    assert parlour.table.due(parlour.now) == due


def test_who_comes_back_in_time_finds_the_game_as_it_was_left() -> None:
    parlour = Parlour(ALONE)
    parlour.do("anna", Start(id="s"))
    parlour.do("anna", Resign(id="r", seat=0))
    left = parlour.now
    assert parlour.table.due(parlour.now) == left + LEFT
    assert parlour.pass_time(LEFT - 1) == []
    parlour.do("anna", TakeOver(id="t", seat=0))
    assert parlour.pass_time(1e6) == []  # it waits for her, who is the only one
    parlour.do("anna", Resign(id="again", seat=0))
    assert parlour.pass_time(LEFT, "anna") == []  # she looks on
    assert parlour.pass_time(1) == [Closed("left")]
    assert parlour.table.phase == "abandoned"
    assert parlour.table.due(parlour.now) is None
    assert parlour.table.bot_to_move() is None
    with pytest.raises(Refused, match="not going on"):
        parlour.do("anna", TakeOver(id="u", seat=0))
    assert parlour.told("anna").views  # she may still look at it
    assert parlour.told("anna").deal.secret is None


def test_the_server_gives_time_back() -> None:
    parlour = realtime("ben")
    due = parlour.table.due(parlour.now)
    assert due is not None
    parlour.now += 40
    assert parlour.table.credit_events(40) == [Credited(40)]
    parlour.store(parlour.table.credit_events(40))
    assert parlour.table.due(parlour.now) == due + 40
    untimed = Parlour()
    untimed.sit("ben")
    assert untimed.table.credit_events(40) == []


def test_correspondence_times_out_after_days() -> None:
    parlour = Parlour(TableSetup(players=2, pace=Correspondence(days=2)))
    parlour.sit("ben")
    assert parlour.pass_time(2 * DAY - 1) == []
    assert len(parlour.pass_time(1)) == 2


# -- absence, where no clock runs


def test_long_absence_brings_a_stand_in_if_somebody_waits() -> None:
    parlour = Parlour()
    parlour.sit("ben")
    seat, away = parlour.table.to_move, parlour.mover
    assert seat is not None
    waiting = "ben" if away == "anna" else "anna"
    began = parlour.now
    assert parlour.table.due(parlour.now) == began + ABSENCE
    assert parlour.pass_time(ABSENCE - 1, waiting) == []
    assert parlour.pass_time(1, waiting) == [StandIn(seat, "merchant", "absent")]


def test_who_is_connected_is_not_absent() -> None:
    parlour = Parlour()
    parlour.sit("ben")
    assert parlour.pass_time(10 * ABSENCE, "anna", "ben") == []
    here = dict.fromkeys(("anna", "ben"), parlour.now)
    assert parlour.table.due(parlour.now, here) == parlour.now + ABSENCE


def test_nobody_waits_for_nobody() -> None:
    """All have gone to bed: the game goes on tomorrow, and is looked at less and less often."""
    parlour = Parlour()
    parlour.sit("ben")
    assert parlour.pass_time(10 * ABSENCE) == []
    assert parlour.table.due(parlour.now) == parlour.now + 10 * ABSENCE
    parlour.now += 100 * DAY
    assert parlour.table.due(parlour.now) == parlour.now + DAY


def test_against_bots_one_may_be_away_for_ever() -> None:
    parlour = Parlour(TableSetup(players=3, seats=("person", "merchant", "doge")))
    parlour.sit()
    while parlour.table.bot_to_move():
        parlour.play()
    assert parlour.table.due(parlour.now) is None
    assert parlour.pass_time(1000 * DAY, "anna") == []


# -- before the game


def test_a_full_table_starts_without_contributions_that_do_not_come() -> None:
    from patrizier.server.table.commands import Join

    parlour = Parlour()
    parlour.do("ben", Join(id="1"))
    assert parlour.table.due(parlour.now) == parlour.now + CONTRIBUTING
    assert parlour.pass_time(CONTRIBUTING - 1) == []
    events = parlour.pass_time(1)
    assert [type(event) for event in events] == [Started]
    assert parlour.table.phase == "playing"


def test_an_open_table_is_given_up_after_a_week() -> None:
    parlour = Parlour()
    assert parlour.table.due(parlour.now) == parlour.now + IDLE
    assert parlour.pass_time(IDLE - 1) == []
    assert parlour.pass_time(1) == [Closed("idle")]
    assert parlour.table.phase == "abandoned"
    assert parlour.table.due(parlour.now) is None
    assert parlour.pass_time(IDLE) == []
