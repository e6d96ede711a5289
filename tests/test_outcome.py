from patrizier import Outcome, Score


def test_the_worked_example_of_final_points() -> None:
    """Six tokens of 9, 7, 6, 5, 4 and 2; five, six and two portraits."""
    sets = sum(6 * (heads // 3) for heads in (5, 6, 2))
    assert Score(tokens=9 + 7 + 6 + 5 + 4 + 2, sets=sets, chips=0, minus=0, floors=20).total == 51


def test_most_points_win() -> None:
    outcome = Outcome((Score(10, 0, 0, 0, 5), Score(4, 6, 2, -3, 1), Score(8, 0, 0, 0, 0)))
    assert outcome.points == (10, 9, 8)
    assert outcome.winners == (0,)
    assert not outcome.tie_break


def test_fewest_floors_win_a_tie() -> None:
    outcome = Outcome((Score(10, 0, 0, 0, 5), Score(10, 0, 0, 0, 4), Score(3, 0, 0, 0, 1)))
    assert outcome.winners == (1,)
    assert outcome.tie_break


def test_a_full_tie_is_shared() -> None:
    outcome = Outcome((Score(10, 0, 0, 0, 4), Score(3, 0, 0, 0, 1), Score(4, 6, 0, 0, 4)))
    assert outcome.winners == (0, 2)
    assert not outcome.tie_break


def test_json_round_trip() -> None:
    outcome = Outcome((Score(10, 6, 2, -3, 4), Score(3, 0, 0, 0, 1)))
    assert Outcome.from_json(outcome.to_json()) == outcome
