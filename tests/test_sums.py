"""A seat's points so far are those that would be counted, and what its portraits lack is right."""

from random import Random

from patrizier import Game, Options
from support.kinds import RULES, for_every

KINDS = [Options(players, rules) for players in (2, 3, 4, 5) for rules in RULES[::2]]
PLAIN = (Options(2, RULES[2]),)


@for_every(KINDS, PLAIN)
def test_sums_are_the_points_of_the_own_seat(options: Options) -> None:
    game, rng, minus = Game(options, seed=1), Random(1), 0
    while True:
        for seat, score in enumerate(game.scores()):
            view = game.view(seat)
            sums = view.sums
            assert sums is not None
            assert (sums.tokens, sums.chips, sums.sets) == (score.tokens, score.chips, score.sets)
            assert sums.minus == (score.minus if game.is_over else 0)
            assert sums.total == sums.tokens + sums.chips + sums.sets + sums.minus
            assert {each.noble: each.heads for each in sums.portraits} == view.seats[seat].heads
            for each in sums.portraits:
                more = each.heads + each.missing
                assert each.points == 6 * (each.heads // 3)
                assert 6 * (more // 3) == each.points + 6
                assert 6 * ((more - 1) // 3) == each.points
            minus += sums.minus
        assert game.view(None).sums is None
        if game.is_over:
            break
        game.decide(rng.choice(game.legal_decisions()))
    assert minus in (0, -3)
