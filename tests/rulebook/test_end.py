"""The end: when it comes, points, and who wins."""

from collections import Counter

import numpy as np
import pytest

from patrizier import Game, IllegalMove, Options, Outcome, Score
from patrizier.rules.board import cities_in_play
from patrizier.rules.score import FLOORS, TOTAL, winners
from rulebook.positions import game_at, give_pile, give_tokens, new_game, tokens_of

TURNS = [(2, 48), (3, 48), (4, 48), (5, 55)]


def play_out(game: Game, seed: int) -> Game:
    """Play any legal turns to the end."""
    rng = np.random.default_rng(seed)
    while not game.is_over:
        moves = game.legal_moves
        game.play(moves[rng.integers(len(moves))])
    return game


@pytest.mark.parametrize(("players", "turns"), TURNS)
def test_the_game_ends_after_the_last_card(players: int, turns: int) -> None:
    game = play_out(new_game(players, start=1), seed=players)
    view = game.view(None)
    assert game.turn == turns
    assert (game.phase, game.seat, game.legal_moves) == ("over", None, [])
    assert all(not seat.hand and not seat.unknown for seat in view.seats)
    assert view.pile_left == 0
    assert all(city.card is None for city in view.cities)


@pytest.mark.parametrize(("players", "turns"), TURNS)
def test_everyone_has_had_the_same_number_of_turns(players: int, turns: int) -> None:
    game = play_out(new_game(players, start=1), seed=players)
    counted = Counter(record.seat for record in game.records)
    assert counted == dict.fromkeys(range(players), turns // players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_by_then_every_city_has_been_scored(players: int) -> None:
    game = play_out(new_game(players), seed=players)
    scored = Counter(record.scored.city for record in game.records if record.scored)
    assert scored == {city.code: 1 for city in cities_in_play(players)}
    all_tokens = sum(sum(city.tokens) for city in cities_in_play(players))
    assert sum(score.tokens for score in game.scores()) == all_tokens


def test_nobody_plays_on_when_it_is_over() -> None:
    game = play_out(new_game(), seed=1)
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("BO4:L")


def test_while_the_game_goes_on_there_is_no_outcome() -> None:
    game = new_game()
    assert game.outcome() is None
    assert play_out(game, seed=1).outcome() is not None


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("", 0),
        ("BO4 FE3", 0),  # L L
        ("BO4 BO5 BO6", 0),  # L B K: three different nobles
        ("BO4 FE3 MI4", 6),
        ("BO4 FE3 MI4 RO5 VE4", 6),  # five heads
        ("BO4 FE3 MI4 RO5 VE4 FI6", 12),
        ("BO7 LU5", 6),  # LL LL: four heads
        ("BO7 LU5 BO4", 6),  # five heads on three cards
        ("BO7 LU5 BO4 FE3", 12),  # a double portrait in two sets
        ("BO4 FE3 MI4 BO5 FI4 LU4 FI5 RO4 SI4", 18),  # one set of each noble
        ("BO1 BO3 LU3", 0),  # no portraits
    ],
)
def test_three_portraits_of_a_noble_are_six_points(pile: str, points: int) -> None:
    game = game_at()
    give_pile(game, 1, pile)
    assert [score.sets for score in game.scores()] == [0, points, 0]


@pytest.mark.plain
def test_heads_are_counted_as_the_cards_are_played() -> None:
    game = game_at(
        hand="BO7 LU5 BO4", others=["RO4 RO5 SI4"], players=2, display={"BO": "FE3", "LU": "SI1"}
    )
    sets = []
    for own in ("BO7:L", "LU5:L", "BO4:L", "FE3:L"):
        game.play(own)
        sets.append(game.scores()[0].sets)
        game.play(game.legal_moves[0])
    assert sets == [0, 6, 6, 12]
    assert game.view(0).seats[0].heads == {"L": 6, "B": 0, "K": 0}


@pytest.mark.plain
def test_the_worked_example() -> None:
    """Six tokens worth 33, eleven cards with 5, 6 and 2 heads: 51 points."""
    game = game_at(
        {
            "BO": "00000/1111",
            "LU": "0000/111",
            "FI": "11111/0000",
            "FE": "000/11",
            "MI": "1111/000",
            "PA": "111/00",
        },
        players=2,
    )
    give_pile(game, 0, "BO7 BO4 FE3 MI4 FI7 BO5 FI4 LU4 FE4 PA4 VE3")
    view = game.view(0).seats[0]
    assert len(view.pile) == 11
    assert view.heads == {"L": 5, "B": 6, "K": 2}
    assert view.tokens == (9, 7, 6, 5, 4, 2)
    score = game.scores()[0]
    assert (score.tokens, score.sets, score.total) == (33, 18, 51)


def winning_seats(*lines: tuple[int, int]) -> tuple[int, ...]:
    """Return who wins with these points and floors, as the outcome and as the kernel say it."""
    outcome = Outcome(tuple(Score(points, 0, 0, 0, floors) for points, floors in lines))
    table = np.zeros((5, 6), np.int64)
    best = np.empty(5, np.int64)
    for seat, (points, floors) in enumerate(lines):
        table[seat, TOTAL], table[seat, FLOORS] = points, floors
    count = winners(len(lines), table, best)
    assert tuple(best[:count].tolist()) == outcome.winners
    return outcome.winners


@pytest.mark.plain
@pytest.mark.parametrize(
    ("lines", "seats"),
    [
        ([(40, 20), (41, 25), (39, 10)], (1,)),  # most points, whatever the floors
        ([(40, 20), (40, 19), (39, 10)], (1,)),  # a tie: fewest floors, only among the tied
        ([(40, 19), (40, 20), (40, 21)], (0,)),
        ([(40, 20), (39, 10), (40, 20)], (0, 2)),  # still tied: shared
        ([(0, 12), (0, 12), (0, 12), (0, 12)], (0, 1, 2, 3)),
        ([(-3, 12), (0, 18), (0, 18)], (1, 2)),
    ],
)
def test_most_points_then_fewest_floors_then_shared(
    lines: list[tuple[int, int]], seats: tuple[int, ...]
) -> None:
    assert winning_seats(*lines) == seats


def test_the_tie_break_is_told() -> None:
    assert Outcome((Score(40, 0, 0, 0, 20), Score(40, 0, 0, 0, 19))).tie_break
    assert not Outcome((Score(40, 0, 0, 0, 20), Score(40, 0, 0, 0, 20))).tie_break
    assert not Outcome((Score(41, 0, 0, 0, 20), Score(40, 0, 0, 0, 19))).tie_break


def test_the_tie_break_counts_floors_on_the_board() -> None:
    game = game_at({"BO": "0011/222", "RO": "01/2"})
    give_tokens(game, 0, 20)
    give_tokens(game, 1, 20)
    give_tokens(game, 2, 20)
    scores = game.scores()
    assert [score.floors for score in scores] == [3, 3, 4]
    assert Outcome(scores).winners == (0, 1)


def test_the_minus_chip_counts_before_the_tie_break() -> None:
    outcome = Outcome((Score(30, 12, 0, -3, 20), Score(27, 12, 0, 0, 19)))
    assert outcome.points == (39, 39)
    assert outcome.winners == (1,)
    assert outcome.tie_break


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_points_are_the_sum_of_their_parts(players: int) -> None:
    game = play_out(Game(Options(players, {"messengers"}), seed=3), seed=players)
    outcome = game.outcome()
    assert outcome is not None
    for seat, score in enumerate(outcome.scores):
        assert score.tokens == sum(tokens_of(game, seat))
        assert score.total == score.tokens + score.sets + score.chips + score.minus
