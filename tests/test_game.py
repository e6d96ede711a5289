import numpy as np
import pytest

from patrizier import Deal, Game, IllegalMove, InvalidMove, Options, StaleMove


@pytest.fixture
def game() -> Game:
    return Game(Options(players=3, rules={"messengers"}), seed=7)


def test_a_game_starts_from_exactly_one_of_seed_and_deal() -> None:
    with pytest.raises(TypeError, match="from a seed or from a deal"):
        Game()
    with pytest.raises(TypeError, match="from a seed or from a deal"):
        Game(Options(players=2), seed=1, deal=Deal.random(Options(players=2), 1))


def test_seed_and_deal_lead_to_the_same_game() -> None:
    options = Options(players=5)
    assert Game(options, seed=3).state == Game(options, deal=Deal.random(options, 3)).state


def test_a_numpy_generator_serves_as_seed() -> None:
    one = Game(seed=np.random.default_rng(1))
    two = Game(seed=np.random.default_rng(1))
    assert one.deal == two.deal
    assert Game(seed=np.random.default_rng(2)).deal != one.deal


def test_playing_tells_what_happened(game: Game) -> None:
    seat = game.seat
    city = game.legal_moves[0].card[:2]
    lying = {c.code: c.card for c in game.view(None).cities}[city]
    record = game.play(game.legal_moves[0])
    assert record.seat == seat
    assert record.turn == 1
    assert record.drawn == lying
    assert record.refill == game.deal.pile[0]
    assert game.records == (record,)


def test_an_illegal_move_changes_nothing(game: Game) -> None:
    before = game.state
    with pytest.raises(IllegalMove):
        game.play("BO1:LL")
    with pytest.raises(InvalidMove):
        game.play("nonsense")
    with pytest.raises(IllegalMove):
        game.decide(208)
    assert game.state == before
    assert game.records == ()
    assert game.decisions == []


def test_a_stale_move_is_refused(game: Game) -> None:
    move = game.legal_moves[0]
    game.play(move, turn=0)
    with pytest.raises(StaleMove, match="meant for turn 1, but this is turn 2"):
        game.play(game.legal_moves[0], turn=0)


def test_decisions_and_moves_reach_the_same_position(game: Game) -> None:
    other = game.copy()
    move = next(move for move in game.legal_moves if move.messenger)
    assert not other.decide(min(other.legal_decisions()))
    other.take_back(0)
    while other.turn == 0:
        texts = {other.state.decision_text(code): code for code in other.legal_decisions()}
        wanted = f"@{move.messenger}" if other.phase == "messenger" else f"{move.card}:{move.sites}"
        other.decide(texts[wanted])
    game.play(move)
    assert game.state == other.state
    assert game.records == other.records
    assert game.decisions == other.decisions


def test_a_turn_under_way_can_be_finished_as_a_move(game: Game) -> None:
    game.decide(game.legal_decisions()[0])
    assert game.phase == "messenger"
    moves = game.legal_moves
    begun = f"{moves[0].card}:{moves[0].sites}"
    assert all(str(move).startswith(begun) for move in moves)
    pending = game.view(None).pending
    assert pending is not None
    assert str(pending.move) == begun
    assert pending.refill == game.deal.pile[0]
    with pytest.raises(IllegalMove, match="has already been decided differently"):
        game.play(begun.replace(":L", ":R"))
    game.play(moves[-1])
    assert game.turn == 1
    assert game.moves == [moves[-1]]


def test_a_turn_stops_before_its_messenger_and_goes_on_with_another() -> None:
    game = Game(Options(players=2, rules={"messengers"}), seed=1)
    game.play_until(next(move for move in game.legal_moves if move.messenger), "messenger")
    assert (game.turn, game.phase) == (0, "messenger")
    choices = game.legal_moves
    assert len({move.messenger for move in choices}) > 1
    game.play_until(choices[-1], "messenger")
    assert game.turn == 1
    assert game.moves == [choices[-1]]


def test_a_turn_without_a_messenger_is_played_to_its_end() -> None:
    game = Game(Options(players=2), seed=1)
    game.play_until(game.legal_moves[-1], "messenger")
    assert game.turn == 1
    with pytest.raises(IllegalMove):
        game.play_until(game.moves[0], "messenger")


def test_a_turn_can_be_tried_without_playing_it(game: Game) -> None:
    state, move = game.state, game.legal_moves[-1]
    after = game.after(move)
    assert (game.state, game.turn, game.decisions) == (state, 0, [])
    record = game.play(move)
    assert game.state == after
    with pytest.raises(IllegalMove):
        game.after(record.move)


def test_the_rest_of_a_turn_can_be_tried() -> None:
    game = Game(Options(players=2, rules={"messengers"}), seed=1)
    game.play_until(next(move for move in game.legal_moves if move.messenger), "messenger")
    move = game.legal_moves[-1]
    after = game.after(move)
    assert game.phase == "messenger"
    game.play(move)
    assert game.state == after


def test_taking_back(game: Game) -> None:
    states = [game.state]
    for _ in range(5):
        game.play(game.legal_moves[0])
        states.append(game.state)
    game.take_back(2)
    assert game.state == states[3]
    assert len(game.records) == 3
    with pytest.raises(ValueError, match="cannot take back"):
        game.take_back(4)


def test_a_copy_goes_its_own_way(game: Game) -> None:
    other = game.copy()
    other.play(other.legal_moves[0])
    assert game.turn == 0
    assert other.turn == 1


def test_a_finished_game_takes_no_more_moves() -> None:
    game = Game(Options(players=2), seed=1)
    while not game.is_over:
        game.decide(game.legal_decisions()[0])
    assert game.seat is None
    assert game.phase == "over"
    assert game.legal_moves == []
    assert game.legal_decisions() == []
    assert not game.legal_mask().any()
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.scores == game.scores()
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("BO1:LL")
    with pytest.raises(IllegalMove):
        game.decide(0)


def test_there_is_no_view_for_a_seat_that_is_not_there(game: Game) -> None:
    with pytest.raises(ValueError, match="there is no seat 3"):
        game.view(3)


def test_continuing_from_a_record(game: Game) -> None:
    game.play(game.legal_moves[0])
    again = Game.from_record(str(game.record(["Anna", "Ben", "Cleo"])))
    assert again.state == game.state
    again.play(again.legal_moves[0])
    assert again.turn == 2
    with pytest.raises(ValueError, match="holds 2 games"):
        Game.from_record(f"{game.record()}\n{game.record()}")


@pytest.mark.plain
@pytest.mark.parametrize("code", [-1, 209, 2**63, -(2**70)])
def test_a_code_out_of_range_is_no_decision(game: Game, code: int) -> None:
    with pytest.raises(IllegalMove, match="not legal here"):
        game.decide(code)


def test_a_code_is_a_whole_number(game: Game) -> None:
    code = game.legal_decisions()[0]
    with pytest.raises(TypeError):
        game.decide(float(code))  # type: ignore[arg-type]
    game.decide(np.int16(code))  # type: ignore[arg-type]
    assert game.decisions == [code]
    assert type(game.decisions[0]) is int
