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
from server.tables import (
    ALONE,
    SECRET,
    TABLE,
    THREE,
    TWO,
    Parlour,
    decide,
    kinds,
    playing,
    refuse,
    with_messengers,
)

# -- turns


def test_a_game_is_played_to_its_end_and_can_be_verified() -> None:
    from patrizier.server.deal.verification import verify

    parlour = playing(TableSetup(players=3, rules=("messengers",)))
    with pytest.raises(Refused):
        parlour.table.record_text()
    parlour.finish()
    finished = parlour.stored[-1].event
    assert isinstance(finished, Finished)
    assert parlour.table.phase == "finished"
    outcome = parlour.game.outcome()
    assert outcome
    assert finished == Finished(outcome.to_json(), False, ())
    record = read_games(parlour.table.record_text())[0]
    assert record.names == ("Anna", "Ben", "Cleo")
    assert record.tags["Secret"] == SECRET.hex()
    assert record.tags["Commitment"] == commit(SECRET, TABLE, parlour.setup.options)
    assert verify(record).holds
    move = parlour.stored[-2].event
    assert isinstance(move, TurnPlayed)
    refuse(parlour, "anna", c.Play(id="x", seat=0, move=move.move, at_turn=47), "closed")


def test_stale_illegal_and_foreign_turns_are_refused_with_the_reason() -> None:
    parlour = playing()
    seat, mover = parlour.table.to_move, parlour.mover
    assert seat is not None
    other = "ben" if mover == "anna" else "anna"
    move = parlour.game.legal_moves[0].text

    def play(move: str = move, seat: int = seat, at: int = 0) -> c.Play:
        return c.Play(id="1", seat=seat, move=move, at_turn=at)

    refuse(parlour, other, play(), "foreign")
    refuse(parlour, "dora", play(), "foreign")
    refuse(parlour, other, play(seat=1 - seat), "foreign")
    refuse(parlour, mover, play(seat=4), "unknown")
    refuse(parlour, mover, play(at=1), "stale")
    refuse(parlour, mover, play("nonsense"), "invalid")
    refuse(parlour, mover, play("XX1:L"), "invalid")
    missing = next(card for card in parlour.game.deal.pile if card.endswith("1"))
    text = refuse(parlour, mover, play(f"{missing}:LL"), "illegal")
    assert "is not in the hand" in text
    parlour.do(mover, play())
    refuse(parlour, mover, c.Play(id="2", seat=seat, move=move, at_turn=0), "stale")


def test_a_turn_is_written_as_the_record_has_it() -> None:
    """One text for one turn: what is not needed is not written, and crests are counted."""
    tried = set()
    for seed in range(6):
        parlour = playing(TableSetup(players=2, rules=("messengers",)))
        parlour.play_turns(5 * seed, seed)
        for move in parlour.game.legal_moves[:40]:
            wrong = move.text.replace("LL", "L") if "LL" in move.text else move.text + "+BO"
            if wrong.count("+") > 1:
                continue
            tried.add("crests" if "LL" in move.text else "draw")
            command = c.Play(id="1", seat=parlour.game.seat, move=wrong, at_turn=5 * seed)  # type: ignore[arg-type]
            with pytest.raises(Refused):
                parlour.do(parlour.mover, command)
    assert tried == {"crests", "draw"}


def test_sending_a_command_again_is_harmless() -> None:
    parlour = playing()
    seat, mover = parlour.table.to_move, parlour.mover
    assert seat is not None
    play = c.Play(id="same", seat=seat, move=parlour.game.legal_moves[0].text, at_turn=0)
    parlour.do(mover, play)
    seq = parlour.table.seq
    assert parlour.do(mover, play) == []
    assert parlour.reloaded().handle(play, mover, parlour.now) == []
    assert parlour.table.seq == seq
    say = c.Say(id="say", text="Your turn")
    assert len(parlour.do(mover, say)) == 1
    assert parlour.do(mover, say) == []
    other = "ben" if mover == "anna" else "anna"
    assert len(parlour.do(other, say)) == 1  # ids are everybody's own


def test_decisions_show_the_refill_before_the_messenger() -> None:
    parlour = with_messengers()
    seat, game = parlour.table.to_move, parlour.game
    assert seat is not None
    first = game.state.decision_text(game.legal_decisions()[0])
    assert decide(parlour, first) == [Decided(seat, first)]
    assert (parlour.table.turn, parlour.table.step, parlour.game.phase) == (0, 1, "messenger")
    pending = parlour.told(parlour.mover).views[0].view.root["pending"]
    assert pending["refill"]
    stale = c.Decide(id="s", seat=seat, decision="@", at_turn=0, at_step=0)
    refuse(parlour, parlour.mover, stale, "stale")
    decide(parlour, "@FE-VE" if first[:2] in ("LU", "MI") else "@LU-MI")
    assert (parlour.table.turn, parlour.table.step) == (1, 0)
    assert parlour.game.records[0].move.messenger


def test_wrong_decisions_are_refused() -> None:
    parlour = with_messengers()
    seat, game = parlour.table.to_move, parlour.game
    assert seat is not None

    def command(text: str) -> c.Decide:
        return c.Decide(id="1", seat=seat or 0, decision=text, at_turn=0, at_step=0)

    for text in ("", "?", "BO1", "BO9:L", ">XX.L", "@BO-XX", "BO1:LLL"):
        refuse(parlour, parlour.mover, command(text), "invalid")
    for text in ("@", ">", "+BO", f"{game.deal.pile[0]}:R"):
        refuse(parlour, parlour.mover, command(text), "illegal")
    card = game.deal.hands[seat][0]
    refuse(parlour, parlour.mover, command(f"{card}:LL"), "illegal")  # a star card builds one


def test_a_whole_turn_can_follow_its_first_decisions() -> None:
    parlour = with_messengers()
    game = parlour.game
    decide(parlour, game.state.decision_text(game.legal_decisions()[0]))
    seat, mover = parlour.table.to_move, parlour.mover
    assert seat is not None
    rest = parlour.game.legal_moves
    elsewhere = "L" if rest[0].sites == "R" else "R"
    other = c.Play(id="1", seat=seat, move=f"{rest[0].card}:{elsewhere}", at_turn=0)
    assert "differently" in refuse(parlour, mover, other, "illegal")
    parlour.do(mover, c.Play(id="2", seat=seat, move=rest[-1].text, at_turn=0))
    assert parlour.table.turn == 1
    assert parlour.game.records[0].move == rest[-1]


def test_a_game_by_decisions_ends_too() -> None:
    parlour, rng = with_messengers(), Random(4)
    while parlour.table.phase == "playing":
        game = parlour.game
        decide(parlour, game.state.decision_text(rng.choice(game.legal_decisions())))
    assert isinstance(parlour.stored[-1].event, Finished)
    assert parlour.reloaded() == parlour.table


# -- bots


def test_bots_are_asked_again_for_the_messenger() -> None:
    parlour = Parlour(
        TableSetup(players=2, rules=("messengers",), seats=("person", "doge")), take_seat=True
    )
    parlour.sit()
    if parlour.table.bot_to_move() is None:
        parlour.play()
    assert parlour.table.bot_to_move() == (1, "doge")
    turn = parlour.table.turn
    move = next(move for move in parlour.game.legal_moves if move.messenger)
    events = parlour.play(move.text)
    assert events == [Decided(1, f"{move.card}:{move.sites}", "bot")]
    assert parlour.table.bot_to_move() == (1, "doge")
    assert (parlour.table.turn, parlour.table.step) == (turn, 1)
    second = parlour.game.legal_moves[0]
    assert parlour.play(second.text) == [Decided(1, f"@{second.messenger or ''}", "bot")]
    assert parlour.table.turn == turn + 1


def test_answers_of_bots_that_come_late_or_make_no_sense_are_refused() -> None:
    parlour = Parlour(ALONE)
    parlour.sit()
    while parlour.table.bot_to_move() is None:
        parlour.play()
    table, move = parlour.table, parlour.move(Random(1))
    seat, _ = table.bot_to_move() or (0, "doge")
    for wrong in ((seat, move, table.turn + 1, 0), (seat, move, table.turn, 1), (0, move, 0, 0)):
        with pytest.raises(Refused) as refused:
            table.bot_events(*wrong)
        assert refused.value.code == "stale"
    missing = table.game.deal.pile[0] if table.game else ""
    with pytest.raises(Refused):
        table.bot_events(seat, f"{missing}:L", table.turn, 0)
    while table.bot_to_move():
        parlour.play()
    with pytest.raises(Refused, match="A person plays"):
        table.bot_events(0, parlour.move(Random(1)), table.turn, 0)


# -- undo and take-back


def late_game(setup: TableSetup = TWO) -> Parlour:
    """Play until the pile is empty and no starting card is left: nothing is hidden any more."""
    parlour = playing(setup)
    while parlour.game.view(None).unseen or parlour.game.view(None).pile_left:
        parlour.play()
    parlour.play_turns(3)
    return parlour


def test_undo_needs_everybody() -> None:
    parlour = late_game(THREE)
    turn = parlour.table.turn
    ask = c.AskUndo(id="1", seat=0, to_turn=turn - 2, at_turn=turn)
    assert parlour.do("anna", ask) == [UndoAsked(0, turn - 2)]
    answer = c.AnswerUndo(id="2", seat=1, to_turn=turn - 2, yes=True)
    assert parlour.do("ben", answer) == [UndoAnswered(1, True)]
    assert parlour.table.turn == turn
    refuse(parlour, "cleo", c.AnswerUndo(id="3", seat=2, to_turn=turn - 1, yes=True), "stale")
    last = c.AnswerUndo(id="4", seat=2, to_turn=turn - 2, yes=True)
    assert parlour.do("cleo", last) == [UndoAnswered(2, True), Undone(turn - 2, False)]
    assert parlour.table.turn == turn - 2
    assert parlour.table.undo is None
    assert parlour.reloaded() == parlour.table
    parlour.finish()
    assert parlour.table.phase == "finished"


def test_one_no_is_enough_and_a_turn_ends_the_question() -> None:
    parlour = late_game()
    turn = parlour.table.turn
    ask = c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=turn)
    parlour.do("anna", ask)
    refuse(parlour, "ben", c.AskUndo(id="1", seat=1, to_turn=turn - 1, at_turn=turn), "not-allowed")
    parlour.do("ben", c.AnswerUndo(id="2", seat=1, to_turn=turn - 1, yes=False))
    assert parlour.table.undo is None
    parlour.do("anna", c.AskUndo(id="3", seat=0, to_turn=turn - 1, at_turn=turn))
    parlour.play()
    refuse(parlour, "ben", c.AnswerUndo(id="4", seat=1, to_turn=turn - 1, yes=True), "stale")


def test_who_asked_may_take_the_question_back() -> None:
    parlour = late_game()
    turn = parlour.table.turn
    parlour.do("anna", c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=turn))
    assert parlour.do("anna", c.AnswerUndo(id="2", seat=0, to_turn=turn - 1, yes=True)) == []
    parlour.do("anna", c.AnswerUndo(id="3", seat=0, to_turn=turn - 1, yes=False))
    assert parlour.table.undo is None


def test_what_was_hidden_and_is_shown_cannot_be_undone() -> None:
    parlour = playing()
    parlour.play()
    ask = c.AskUndo(id="1", seat=0, to_turn=0, at_turn=1)
    assert "hidden card" in refuse(parlour, "anna", ask, "not-allowed")


def test_a_card_turned_up_from_the_pile_cannot_be_undone() -> None:
    """Even where the card played was no secret."""
    parlour = playing()
    parlour.play_turns(6)
    dealt = parlour.game.deal.hands[parlour.game.seat or 0]
    taken = next(move for move in parlour.game.legal_moves if move.card not in dealt)
    parlour.play(taken.text)
    assert parlour.game.records[-1].refill
    ask = c.AskUndo(id="1", seat=0, to_turn=6, at_turn=7)
    refuse(parlour, "anna", ask, "not-allowed")


def test_a_starting_card_that_was_played_cannot_be_undone() -> None:
    """Even where no card was turned up from the pile."""
    for seed in range(40):
        parlour, rng = playing(), Random(seed)
        while parlour.game.view(None).pile_left:
            dealt = parlour.game.deal.hands[parlour.game.seat or 0]
            moves = parlour.game.legal_moves
            kept = [move for move in moves if move.card not in dealt] or moves
            parlour.play(rng.choice(kept).text)
        dealt = parlour.game.deal.hands[parlour.game.seat or 0]
        starting = [move for move in parlour.game.legal_moves if move.card in dealt]
        others = [move for move in parlour.game.legal_moves if move.card not in dealt]
        if not starting or not others:
            continue
        turn = parlour.table.turn
        ask = c.AskUndo(id="1", seat=0, to_turn=turn, at_turn=turn + 1)
        parlour.play(starting[0].text)
        assert parlour.game.records[-1].refill is None
        refuse(parlour, "anna", ask, "not-allowed")
        return
    raise AssertionError("no such game")


def test_undo_has_its_limits() -> None:
    parlour = late_game()
    turn = parlour.table.turn
    refuse(parlour, "anna", c.AskUndo(id="1", seat=0, to_turn=turn, at_turn=turn), "illegal")
    refuse(parlour, "anna", c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=2), "stale")
    refuse(parlour, "ben", c.AskUndo(id="1", seat=0, to_turn=turn - 1, at_turn=turn), "foreign")
    refuse(parlour, "ben", c.AnswerUndo(id="1", seat=1, to_turn=turn - 1, yes=True), "stale")
    back = c.TakeBack(id="1", seat=0, to_turn=turn - 1, at_turn=turn)
    refuse(parlour, "anna", back, "not-allowed")


def test_a_stand_in_is_not_asked() -> None:
    parlour = late_game()
    turn = parlour.table.turn
    parlour.do("ben", c.Resign(id="1", seat=1))
    ask = c.AskUndo(id="2", seat=0, to_turn=turn - 1, at_turn=turn)
    assert kinds(parlour.do("anna", ask)) == [UndoAsked, Undone]


def test_hot_seats_agree_with_themselves_but_hidden_things_stay() -> None:
    parlour = Parlour(TWO)
    parlour.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    parlour.sit()
    parlour.play_turns(2)
    refuse(parlour, "anna", c.AskUndo(id="2", seat=0, to_turn=1, at_turn=2), "not-allowed")
    refuse(parlour, "anna", c.TakeBack(id="2", seat=0, to_turn=1, at_turn=2), "not-allowed")


def test_against_bots_taking_back_is_free_and_the_game_counts_no_more() -> None:
    parlour = Parlour(ALONE)
    parlour.sit()
    while parlour.table.turn < 9 or parlour.table.bot_to_move():
        parlour.play()
    assert parlour.table.rated
    turn = parlour.table.turn
    wrong = c.TakeBack(id="1", seat=0, to_turn=turn - 2, at_turn=turn)
    refuse(parlour, "anna", wrong, "illegal")
    back = c.TakeBack(id="2", seat=0, to_turn=turn - 6, at_turn=turn)
    assert parlour.do("anna", back) == [Undone(turn - 6, True)]
    assert not parlour.table.rated
    assert parlour.table.turn == turn - 6
    assert parlour.table.to_move == 0
    assert parlour.reloaded() == parlour.table
    parlour.finish()
    finished = parlour.stored[-1].event
    assert isinstance(finished, Finished)
    assert not finished.rated


def test_a_turn_under_way_can_be_taken_back_against_bots() -> None:
    setup = TableSetup(players=2, rules=("messengers",), seats=("person", "doge"))
    parlour = Parlour(setup)
    parlour.sit()
    while parlour.table.bot_to_move():
        parlour.play()
    turn = parlour.table.turn
    refuse(parlour, "anna", c.TakeBack(id="1", seat=0, to_turn=turn, at_turn=turn), "illegal")
    decide(parlour, parlour.game.state.decision_text(parlour.game.legal_decisions()[0]))
    assert parlour.table.step == 1
    parlour.do("anna", c.TakeBack(id="2", seat=0, to_turn=turn, at_turn=turn))
    assert (parlour.table.turn, parlour.table.step) == (turn, 0)


# -- what people are told they may do


def hot_seats() -> Parlour:
    parlour = Parlour(TWO)
    parlour.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    parlour.sit()
    return parlour


def alone() -> Parlour:
    parlour = Parlour(ALONE)
    parlour.sit()
    return parlour


@pytest.mark.parametrize("begin", [alone, hot_seats, lambda: playing(THREE)])
def test_the_way_back_that_is_told_is_there_and_no_other(begin: Callable[[], Parlour]) -> None:
    parlour, told = begin(), set[str | None]()
    while parlour.table.phase == "playing":
        table = parlour.table
        for shown in parlour.told("anna").views:
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
            works = {kind for kind, way in kinds_of.items() if is_allowed(parlour, way(**fields))}
            if shown.back is None:
                assert not works
            else:
                assert shown.back.to_turn == began[-1]
                assert shown.back.kind == ("take-back" if "take-back" in works else "ask-undo")
                assert shown.back.kind in works
        parlour.play()
    assert "take-back" in told if begin is alone else told == {None, "ask-undo"}
    assert all(shown.back is None for shown in parlour.told("anna").views)


def is_allowed(parlour: Parlour, command: c.Command) -> bool:
    try:
        parlour.table.handle(command, "anna", parlour.now)
    except Refused:
        return False
    return True


def test_a_turn_under_way_is_the_one_to_go_back_to() -> None:
    parlour = alone()
    while True:
        while parlour.table.bot_to_move():
            parlour.play()
        codes = [code for code in parlour.game.legal_decisions() if not ends_turn(parlour, code)]
        if codes:
            break
        parlour.play()
    turn = parlour.table.turn
    decide(parlour, parlour.game.state.decision_text(codes[0]))
    (shown,) = parlour.told("anna").views
    assert shown.back
    assert (shown.back.kind, shown.back.to_turn) == ("take-back", turn)


def ends_turn(parlour: Parlour, code: int) -> bool:
    return parlour.game.state.apply(code).turn > parlour.table.turn


def test_hints_are_offered_where_nobody_else_is_a_person() -> None:
    parlour = alone()
    for _ in range(6):
        (shown,) = parlour.told("anna").views
        assert shown.advice == (parlour.table.to_move == 0)
        parlour.play()
    for other in (hot_seats(), playing(THREE)):
        assert not any(shown.advice for shown in other.told("anna").views)
