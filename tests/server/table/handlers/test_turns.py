"""During the game: turns, decisions, bots, and taking back."""

from collections.abc import Callable
from random import Random

import pytest

from patrizier import read_games
from patrizier.server.deal.provably_fair import commit
from patrizier.server.table import commands as c
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import (
    Decided,
    Finished,
    TurnPlayed,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from patrizier.server.table.setup import TableSetup
from server.support.table_driver import (
    ALONE,
    SECRET,
    TABLE,
    THREE,
    TWO,
    TableDriver,
    decide,
    kinds,
    playing,
    refuse,
    with_messengers,
)

# -- turns


def test_a_game_is_played_to_its_end_and_can_be_verified() -> None:
    from patrizier.server.deal.verification import verify

    driver = playing(TableSetup(players=3, rules=("messengers",)))
    with pytest.raises(Refused):
        driver.table.record_text()
    driver.finish()
    finished = driver.stored[-1].event
    assert isinstance(finished, Finished)
    assert driver.table.phase == "finished"
    outcome = driver.game.outcome()
    assert outcome
    assert finished == Finished(outcome.to_json(), False, ())
    record = read_games(driver.table.record_text())[0]
    assert record.names == ("Anna", "Ben", "Cleo")
    assert record.tags["Secret"] == SECRET.hex()
    assert record.tags["Commitment"] == commit(SECRET, TABLE, driver.setup.options)
    assert verify(record).holds
    move = driver.stored[-2].event
    assert isinstance(move, TurnPlayed)
    refuse(driver, "anna", c.Play(id="x", seat=0, move=move.move, at_turn=47), "closed")


def test_stale_illegal_and_foreign_turns_are_refused_with_the_reason() -> None:
    driver = playing()
    seat, mover = driver.table.to_move, driver.mover
    assert seat is not None
    other = "ben" if mover == "anna" else "anna"
    move = driver.game.legal_moves[0].text

    def play(move: str = move, seat: int = seat, at: int = 0) -> c.Play:
        return c.Play(id="1", seat=seat, move=move, at_turn=at)

    refuse(driver, other, play(), "foreign")
    refuse(driver, "dora", play(), "foreign")
    refuse(driver, other, play(seat=1 - seat), "foreign")
    refuse(driver, mover, play(seat=4), "unknown")
    refuse(driver, mover, play(at=1), "stale")
    refuse(driver, mover, play("nonsense"), "invalid")
    refuse(driver, mover, play("XX1:L"), "invalid")
    missing = next(card for card in driver.game.deal.pile if card.endswith("1"))
    text = refuse(driver, mover, play(f"{missing}:LL"), "illegal")
    assert "is not in the hand" in text
    driver.do(mover, play())
    refuse(driver, mover, c.Play(id="2", seat=seat, move=move, at_turn=0), "stale")


def test_a_turn_is_written_as_the_record_has_it() -> None:
    """A turn has one text: nothing superfluous, and as many sites as crests."""
    tried = set()
    for seed in range(6):
        driver = playing(TableSetup(players=2, rules=("messengers",)))
        driver.play_turns(5 * seed, seed)
        for move in driver.game.legal_moves[:40]:
            wrong = move.text.replace("LL", "L") if "LL" in move.text else move.text + "+BO"
            if wrong.count("+") > 1:
                continue
            tried.add("crests" if "LL" in move.text else "draw")
            command = c.Play(id="1", seat=driver.game.seat, move=wrong, at_turn=5 * seed)  # type: ignore[arg-type]
            with pytest.raises(Refused):
                driver.do(driver.mover, command)
    assert tried == {"crests", "draw"}


def test_sending_a_command_again_is_harmless() -> None:
    driver = playing()
    seat, mover = driver.table.to_move, driver.mover
    assert seat is not None
    play = c.Play(id="same", seat=seat, move=driver.game.legal_moves[0].text, at_turn=0)
    driver.do(mover, play)
    seq = driver.table.seq
    assert driver.do(mover, play) == []
    assert driver.reloaded().handle(play, mover, driver.now) == []
    assert driver.table.seq == seq
    say = c.Say(id="say", text="Your turn")
    assert len(driver.do(mover, say)) == 1
    assert driver.do(mover, say) == []
    other = "ben" if mover == "anna" else "anna"
    assert len(driver.do(other, say)) == 1  # ids are everybody's own


def test_decisions_show_the_refill_before_the_messenger() -> None:
    driver = with_messengers()
    seat, game = driver.table.to_move, driver.game
    assert seat is not None
    first = game.state.decision_text(game.legal_decisions()[0])
    assert decide(driver, first) == [Decided(seat, first)]
    assert (driver.table.turn, driver.table.step, driver.game.phase) == (0, 1, "messenger")
    pending = driver.told(driver.mover).views[0].view.root["pending"]
    assert pending["refill"]
    stale = c.Decide(id="s", seat=seat, decision="@", at_turn=0, at_step=0)
    refuse(driver, driver.mover, stale, "stale")
    decide(driver, "@FE-VE" if first[:2] in ("LU", "MI") else "@LU-MI")
    assert (driver.table.turn, driver.table.step) == (1, 0)
    assert driver.game.records[0].move.messenger


def test_wrong_decisions_are_refused() -> None:
    driver = with_messengers()
    seat, game = driver.table.to_move, driver.game
    assert seat is not None

    def command(text: str) -> c.Decide:
        return c.Decide(id="1", seat=seat or 0, decision=text, at_turn=0, at_step=0)

    for text in ("", "?", "BO1", "BO9:L", ">XX.L", "@BO-XX", "BO1:LLL"):
        refuse(driver, driver.mover, command(text), "invalid")
    for text in ("@", ">", "+BO", f"{game.deal.pile[0]}:R"):
        refuse(driver, driver.mover, command(text), "illegal")
    card = game.deal.hands[seat][0]
    refuse(driver, driver.mover, command(f"{card}:LL"), "illegal")  # a star card builds one


def test_a_whole_turn_can_follow_its_first_decisions() -> None:
    driver = with_messengers()
    game = driver.game
    decide(driver, game.state.decision_text(game.legal_decisions()[0]))
    seat, mover = driver.table.to_move, driver.mover
    assert seat is not None
    rest = driver.game.legal_moves
    elsewhere = "L" if rest[0].sites == "R" else "R"
    other = c.Play(id="1", seat=seat, move=f"{rest[0].card}:{elsewhere}", at_turn=0)
    assert "differently" in refuse(driver, mover, other, "illegal")
    driver.do(mover, c.Play(id="2", seat=seat, move=rest[-1].text, at_turn=0))
    assert driver.table.turn == 1
    assert driver.game.records[0].move == rest[-1]


def test_a_game_by_decisions_ends_too() -> None:
    driver, rng = with_messengers(), Random(4)
    while driver.table.phase == "playing":
        game = driver.game
        decide(driver, game.state.decision_text(rng.choice(game.legal_decisions())))
    assert isinstance(driver.stored[-1].event, Finished)
    assert driver.reloaded() == driver.table


# -- bots


def test_bots_are_asked_again_for_the_messenger() -> None:
    driver = TableDriver(
        TableSetup(players=2, rules=("messengers",), seats=("person", "doge")), take_seat=True
    )
    driver.sit()
    if driver.table.bot_to_move() is None:
        driver.play()
    assert driver.table.bot_to_move() == (1, "doge")
    turn = driver.table.turn
    move = next(move for move in driver.game.legal_moves if move.messenger)
    events = driver.play(move.text)
    assert events == [Decided(1, f"{move.card}:{move.sites}", "bot")]
    assert driver.table.bot_to_move() == (1, "doge")
    assert (driver.table.turn, driver.table.step) == (turn, 1)
    second = driver.game.legal_moves[0]
    assert driver.play(second.text) == [Decided(1, f"@{second.messenger or ''}", "bot")]
    assert driver.table.turn == turn + 1


def test_answers_of_bots_that_come_late_or_make_no_sense_are_refused() -> None:
    driver = TableDriver(ALONE)
    driver.sit()
    while driver.table.bot_to_move() is None:
        driver.play()
    table, move = driver.table, driver.move(Random(1))
    seat, _ = table.bot_to_move() or (0, "doge")
    for wrong in ((seat, move, table.turn + 1, 0), (seat, move, table.turn, 1), (0, move, 0, 0)):
        with pytest.raises(Refused) as refused:
            table.bot_events(*wrong)
        assert refused.value.code == "stale"
    missing = table.game.deal.pile[0] if table.game else ""
    with pytest.raises(Refused):
        table.bot_events(seat, f"{missing}:L", table.turn, 0)
    while table.bot_to_move():
        driver.play()
    with pytest.raises(Refused, match="A person plays"):
        table.bot_events(0, driver.move(Random(1)), table.turn, 0)


# -- undo and take-back


def late_game(setup: TableSetup = TWO) -> TableDriver:
    """Play until the pile is empty and no starting card is left: nothing is hidden any more."""
    driver = playing(setup)
    while driver.game.view(None).unseen or driver.game.view(None).pile_left:
        driver.play()
    driver.play_turns(3)
    return driver


def test_undo_needs_everybody() -> None:
    driver = late_game(THREE)
    turn = driver.table.turn
    ask = c.AskUndo(id="1", seat=0, to_turn=turn - 2, at_turn=turn)
    assert driver.do("anna", ask) == [UndoAsked(0, turn - 2)]
    answer = c.AnswerUndo(id="2", seat=1, to_turn=turn - 2, yes=True)
    assert driver.do("ben", answer) == [UndoAnswered(1, True)]
    assert driver.table.turn == turn
    refuse(driver, "cleo", c.AnswerUndo(id="3", seat=2, to_turn=turn - 1, yes=True), "stale")
    last = c.AnswerUndo(id="4", seat=2, to_turn=turn - 2, yes=True)
    assert driver.do("cleo", last) == [UndoAnswered(2, True), Undone(turn - 2, False)]
    assert driver.table.turn == turn - 2
    assert driver.table.undo is None
    assert driver.reloaded() == driver.table
    driver.finish()
    assert driver.table.phase == "finished"


def test_one_no_is_enough_and_a_turn_ends_the_question() -> None:
    driver = late_game()
    turn = driver.table.turn
    ask = c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=turn)
    driver.do("anna", ask)
    refuse(driver, "ben", c.AskUndo(id="1", seat=1, to_turn=turn - 1, at_turn=turn), "not-allowed")
    driver.do("ben", c.AnswerUndo(id="2", seat=1, to_turn=turn - 1, yes=False))
    assert driver.table.undo is None
    driver.do("anna", c.AskUndo(id="3", seat=0, to_turn=turn - 1, at_turn=turn))
    driver.play()
    refuse(driver, "ben", c.AnswerUndo(id="4", seat=1, to_turn=turn - 1, yes=True), "stale")


def test_who_asked_may_take_the_question_back() -> None:
    driver = late_game()
    turn = driver.table.turn
    driver.do("anna", c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=turn))
    assert driver.do("anna", c.AnswerUndo(id="2", seat=0, to_turn=turn - 1, yes=True)) == []
    driver.do("anna", c.AnswerUndo(id="3", seat=0, to_turn=turn - 1, yes=False))
    assert driver.table.undo is None


def test_what_was_hidden_and_is_shown_cannot_be_undone() -> None:
    driver = playing()
    driver.play()
    ask = c.AskUndo(id="1", seat=0, to_turn=0, at_turn=1)
    assert "hidden card" in refuse(driver, "anna", ask, "not-allowed")


def test_a_card_turned_up_from_the_pile_cannot_be_undone() -> None:
    """Even where the card played was no secret."""
    driver = playing()
    driver.play_turns(6)
    dealt = driver.game.deal.hands[driver.game.seat or 0]
    taken = next(move for move in driver.game.legal_moves if move.card not in dealt)
    driver.play(taken.text)
    assert driver.game.records[-1].refill
    ask = c.AskUndo(id="1", seat=0, to_turn=6, at_turn=7)
    refuse(driver, "anna", ask, "not-allowed")


def test_a_starting_card_that_was_played_cannot_be_undone() -> None:
    """Even where no card was turned up from the pile."""
    for seed in range(40):
        driver, rng = playing(), Random(seed)
        while driver.game.view(None).pile_left:
            dealt = driver.game.deal.hands[driver.game.seat or 0]
            moves = driver.game.legal_moves
            kept = [move for move in moves if move.card not in dealt] or moves
            driver.play(rng.choice(kept).text)
        dealt = driver.game.deal.hands[driver.game.seat or 0]
        starting = [move for move in driver.game.legal_moves if move.card in dealt]
        others = [move for move in driver.game.legal_moves if move.card not in dealt]
        if not starting or not others:
            continue
        turn = driver.table.turn
        ask = c.AskUndo(id="1", seat=0, to_turn=turn, at_turn=turn + 1)
        driver.play(starting[0].text)
        assert driver.game.records[-1].refill is None
        refuse(driver, "anna", ask, "not-allowed")
        return
    raise AssertionError("no such game")


def test_undo_has_its_limits() -> None:
    driver = late_game()
    turn = driver.table.turn
    refuse(driver, "anna", c.AskUndo(id="1", seat=0, to_turn=turn, at_turn=turn), "illegal")
    refuse(driver, "anna", c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=2), "stale")
    refuse(driver, "ben", c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=turn), "foreign")
    refuse(driver, "ben", c.AnswerUndo(id="1", seat=1, to_turn=turn - 1, yes=True), "stale")
    back = c.TakeBack(id="1", seat=0, to_turn=turn - 1, at_turn=turn)
    refuse(driver, "anna", back, "not-allowed")


def test_a_stand_in_is_not_asked() -> None:
    driver = late_game()
    turn = driver.table.turn
    driver.do("ben", c.Resign(id="1", seat=1))
    ask = c.AskUndo(id="2", seat=0, to_turn=turn - 1, at_turn=turn)
    assert kinds(driver.do("anna", ask)) == [UndoAsked, Undone]


def test_hot_seats_agree_with_themselves_but_hidden_things_stay() -> None:
    driver = TableDriver(TWO)
    driver.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    driver.sit()
    driver.play_turns(2)
    refuse(driver, "anna", c.AskUndo(id="2", seat=0, to_turn=1, at_turn=2), "not-allowed")
    refuse(driver, "anna", c.TakeBack(id="2", seat=0, to_turn=1, at_turn=2), "not-allowed")


def test_against_bots_taking_back_is_free_and_the_game_counts_no_more() -> None:
    driver = TableDriver(ALONE)
    driver.sit()
    while driver.table.turn < 9 or driver.table.bot_to_move():
        driver.play()
    assert driver.table.rated
    turn = driver.table.turn
    wrong = c.TakeBack(id="1", seat=0, to_turn=turn - 2, at_turn=turn)
    refuse(driver, "anna", wrong, "illegal")
    back = c.TakeBack(id="2", seat=0, to_turn=turn - 6, at_turn=turn)
    assert driver.do("anna", back) == [Undone(turn - 6, True)]
    assert not driver.table.rated
    assert driver.table.turn == turn - 6
    assert driver.table.to_move == 0
    assert driver.reloaded() == driver.table
    driver.finish()
    finished = driver.stored[-1].event
    assert isinstance(finished, Finished)
    assert not finished.rated


def test_a_turn_under_way_can_be_taken_back_against_bots() -> None:
    setup = TableSetup(players=2, rules=("messengers",), seats=("person", "doge"))
    driver = TableDriver(setup)
    driver.sit()
    while driver.table.bot_to_move():
        driver.play()
    turn = driver.table.turn
    refuse(driver, "anna", c.TakeBack(id="1", seat=0, to_turn=turn, at_turn=turn), "illegal")
    decide(driver, driver.game.state.decision_text(driver.game.legal_decisions()[0]))
    assert driver.table.step == 1
    driver.do("anna", c.TakeBack(id="2", seat=0, to_turn=turn, at_turn=turn))
    assert (driver.table.turn, driver.table.step) == (turn, 0)


# -- what people are told they may do


def hot_seats() -> TableDriver:
    driver = TableDriver(TWO)
    driver.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    driver.sit()
    return driver


def alone() -> TableDriver:
    driver = TableDriver(ALONE)
    driver.sit()
    return driver


@pytest.mark.parametrize("begin", [alone, hot_seats, lambda: playing(THREE)])
def test_the_way_back_that_is_told_is_there_and_no_other(begin: Callable[[], TableDriver]) -> None:
    driver, told = begin(), set[str | None]()
    while driver.table.phase == "playing":
        table = driver.table
        for shown in driver.told("anna").views:
            seat = shown.seat
            assert seat is not None
            told.add(shown.back.kind if shown.back else None)
            game = table.playing
            assert game
            began = [turn for turn in range(table.turn) if game.seat_at(turn) == seat]
            if not began:
                assert shown.back is None
                continue
            fields = {"id": "w", "seat": seat, "to_turn": began[-1], "at_turn": table.turn}
            kinds_of = {"take-back": c.TakeBack, "ask-undo": c.AskUndo}
            works = {kind for kind, way in kinds_of.items() if is_allowed(driver, way(**fields))}
            if shown.back is None:
                assert not works
            else:
                assert shown.back.to_turn == began[-1]
                assert shown.back.kind == ("take-back" if "take-back" in works else "ask-undo")
                assert shown.back.kind in works
        driver.play()
    assert "take-back" in told if begin is alone else told == {None, "ask-undo"}
    assert all(shown.back is None for shown in driver.told("anna").views)


def is_allowed(driver: TableDriver, command: c.Command) -> bool:
    try:
        driver.table.handle(command, "anna", driver.now)
    except Refused:
        return False
    return True


def test_a_turn_under_way_is_the_one_to_go_back_to() -> None:
    driver = alone()
    while True:
        while driver.table.bot_to_move():
            driver.play()
        codes = [code for code in driver.game.legal_decisions() if not ends_turn(driver, code)]
        if codes:
            break
        driver.play()
    turn = driver.table.turn
    decide(driver, driver.game.state.decision_text(codes[0]))
    (shown,) = driver.told("anna").views
    assert shown.back
    assert (shown.back.kind, shown.back.to_turn) == ("take-back", turn)


def ends_turn(driver: TableDriver, code: int) -> bool:
    return driver.game.state.apply(code).turn > driver.table.turn


def test_hints_are_offered_where_nobody_else_is_a_person() -> None:
    driver = alone()
    for _ in range(6):
        (shown,) = driver.told("anna").views
        assert shown.advice == (driver.table.to_move == 0)
        driver.play()
    for other in (hot_seats(), playing(THREE)):
        assert not any(shown.advice for shown in other.told("anna").views)
