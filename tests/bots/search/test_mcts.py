"""The strongest bot: its explanations match its play, and it plays well."""

from random import Random

import numpy as np
import pytest

from bots.duels import won
from patrizier import Game, Options, View
from patrizier.bots.base import Candidate
from patrizier.bots.budget import Budget
from patrizier.bots.endgame.solver import solve, solve_all
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.guard import take_turn
from patrizier.bots.search.mcts import MctsBot
from patrizier.rules.board import cards_in_play
from support.outsiders import good_games


def fresh(budget: str) -> MctsBot:
    return MctsBot(Budget.parse(budget))


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def own_view(game: Game) -> View:
    assert game.seat is not None
    return game.view(game.seat)


def views() -> list[View]:
    """Return views of all kinds of games: each phase, early and late."""
    return [own_view(game) for game in good_games() if not game.is_over]


def game_after(options: Options, turns: int, seed: int) -> Game:
    game, chance = Game(options, seed=seed), Random(seed)
    while game.turn < turns:
        game.decide(chance.choice(game.legal_decisions()))
    return game


# -- explanations


@pytest.mark.parametrize("budget", ["1", "40", "300", "100*2"])
def test_what_it_tells_first_it_plays(budget: str) -> None:
    for number, view in enumerate(views()):
        if budget == "40" or number % 3 == 0:
            chosen = fresh(budget).choose(view, rng(number))
            first, *_ = fresh(budget).explain(view, rng(number))
            assert first.move == chosen


def check(candidates: tuple[Candidate, ...], view: View) -> None:
    """Check that an explanation is consistent."""
    players = view.options.players
    assert candidates
    assert len({candidate.move for candidate in candidates}) == len(candidates)
    assert sum(candidate.weight for candidate in candidates) == pytest.approx(1)
    assert len({candidate.exact for candidate in candidates}) == 1
    for candidate in candidates:
        assert candidate.move in view.legal
        assert len(candidate.shares) == len(candidate.points) == players
        assert sum(candidate.shares) == pytest.approx(1, abs=1e-3)
        assert -1e-3 <= min(candidate.shares) <= max(candidate.shares) <= 1 + 1e-3
        assert 0 <= candidate.weight <= 1
        assert min(candidate.points) > -5
        # Tokens bring 99 points, with five players 114, and portraits and chips the rest.
        assert 85 < sum(candidate.points) < 250


@pytest.mark.parametrize("budget", ["5", "300"])
def test_what_it_tells_makes_sense(budget: str) -> None:
    exact = 0
    for number, view in enumerate(views()):
        candidates = fresh(budget).explain(view, rng(number))
        check(candidates, view)
        first, *others = candidates
        exact += first.exact
        if not first.exact:
            weights = [candidate.weight for candidate in others]
            assert weights == sorted(weights, reverse=True)
    assert exact


def test_the_chosen_turn_is_about_the_best() -> None:
    """No other well-visited candidate is clearly better than the chosen one."""
    for number, view in enumerate(views()):
        assert view.viewer is not None
        first, *others = fresh("400").explain(view, rng(number))
        for candidate in others:
            if candidate.weight >= 0.1:
                assert candidate.shares[view.viewer] <= first.shares[view.viewer] + 0.1


def test_weights_are_shares_of_the_thought() -> None:
    checked = 0
    for number, view in enumerate(views()):
        bot = fresh("400")
        candidates = bot.explain(view, rng(number))
        if candidates[0].exact or view.phase != "build":
            continue
        assert bot.forest is not None
        tallies = bot.forest.tallies(bot.forest.roots(), view.options.players)
        for tally in tallies:
            told = [c.weight for c in candidates if c.move.decision("build") == tally.code]
            assert sum(told) == pytest.approx(tally.visits / 400, abs=0.05)
            checked += len(told) > 1
    assert checked


def test_who_is_not_to_move_has_nothing_to_tell() -> None:
    game = Game(Options(2), seed=1)
    assert game.seat is not None
    assert fresh("10").explain(game.view(1 - game.seat), rng()) == ()
    assert fresh("10").explain(game_after(Options(2), 48, seed=1).view(0), rng()) == ()


def test_the_only_turn_needs_no_thought() -> None:
    found = 0
    for seed in range(20):
        game = game_after(Options(3), 45, seed)
        while not game.is_over:
            view = own_view(game)
            if len(view.legal) == 1:
                bot = fresh("50")
                assert bot.choose(view, rng()) == view.legal[0]
                assert bot.iterations == 0
                (candidate,) = bot.explain(view, rng())
                assert (candidate.move, candidate.weight) == (view.legal[0], 1)
                found += 1
            game.play(view.legal[0])
    assert found


# -- exact endgames


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_last_turn_is_told_exactly(players: int) -> None:
    """Every turn with the end it leads to, the best for the mover first."""
    turns = len(cards_in_play(players))
    for seed in range(6):
        game = game_after(Options(players, {"messengers"}), turns - 1, seed)
        seat, view = game.seat, own_view(game)
        assert seat is not None
        candidates = fresh("100").explain(view, rng())
        check(candidates, view)
        assert {candidate.move for candidate in candidates} == set(view.legal)
        for candidate in candidates:
            end = game.copy()
            end.play(candidate.move)
            outcome = end.outcome()
            assert candidate.exact
            assert outcome is not None
            assert candidate.points == outcome.points
            share = 1 / len(outcome.winners)
            assert candidate.shares == tuple(
                share if seat in outcome.winners else 0 for seat in range(players)
            )
        best = max(candidate.shares[seat] for candidate in candidates)
        assert candidates[0].shares[seat] == best
        assert [candidate.weight for candidate in candidates] == [1] + [0] * (len(candidates) - 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_endgames_are_played_and_told_exactly(players: int) -> None:
    exact = 0
    for seed in range(6):
        game = game_after(Options(players), 43, seed)
        while not game.is_over:
            view, seat = own_view(game), game.seat
            assert seat is not None
            solution = solve(view)
            candidates = fresh("5000").explain(view, rng())
            if solution is not None and candidates[0].exact:
                exact += 1
                check(candidates, view)
                assert candidates[0].move == fresh("5000").choose(view, rng())
                assert candidates[0].shares[seat] == solution.shares[seat]
                assert solution.shares[seat] == max(c.shares[seat] for c in candidates)
                if players == 2:
                    assert candidates[0].move == solution.move
                    assert candidates[0].points == solution.points
                    leads = [c.points[seat] - c.points[1 - seat] for c in candidates]
                    assert leads == sorted(leads, reverse=True)
            game.play(candidates[0].move)
    assert exact > 20


def test_of_turns_that_come_to_the_same_the_search_takes_one() -> None:
    """With more than two players; never one that is exactly worse, however it was searched."""
    searched, other = 0, 0
    for seed in range(8):
        game = game_after(Options(4), 40, seed)
        while not game.is_over:
            view, seat = own_view(game), game.seat
            assert seat is not None
            bot = fresh("400")
            move = bot.choose(view, rng())
            solutions = solve_all(view, 1600, 8) if len(view.legal) > 1 else None
            if solutions:
                shares = {solution.move: solution.shares[seat] for solution in solutions}
                best = [turn for turn, share in shares.items() if share == max(shares.values())]
                assert move in best
                assert bot.iterations == (400 if len(best) > 1 else 0)
                searched += bot.iterations > 0
                other += move != solutions[0].move
            game.play(move)
    assert searched > 20
    assert other > 3


def test_a_solved_game_ends_as_foretold() -> None:
    """For two players the points of the first solved turn are the final ones."""
    for seed in range(4):
        game, bots = game_after(Options(2), 40, seed), [fresh("5000"), fresh("5000")]
        foretold: tuple[float, ...] | None = None
        while not game.is_over:
            assert game.seat is not None
            if foretold is None:
                first, *_ = fresh("5000").explain(own_view(game), rng())
                foretold = first.points if first.exact else None
            assert take_turn(game, bots[game.seat], rng()) == []
        outcome = game.outcome()
        assert outcome is not None
        assert foretold is not None
        assert foretold[0] - foretold[1] == outcome.points[0] - outcome.points[1]


def test_a_solved_turn_is_told_first_though_the_others_are_too_hard() -> None:
    for seed in range(30):
        game = game_after(Options(2, {"messengers"}), 42, seed)
        chosen = fresh("2000").choose(own_view(game), rng())
        bot = MctsBot(Budget.parse("2000"), explain_nodes=1)
        first, *others = bot.explain(own_view(game), rng())
        assert first.move == chosen
        assert first.move not in [candidate.move for candidate in others]
        assert first.weight + sum(c.weight for c in others) == pytest.approx(1)


# -- keeping the tree


def root_visits(bot: MctsBot) -> int:
    """Return how often the root of the first tree was visited."""
    assert bot.forest is not None
    tree = bot.forest.trees[0]
    return int(tree.nodes["visits"][int(tree.search["root"][0])])


def play_on(game: Game, bots: list[MctsBot], chance: np.random.Generator) -> MctsBot:
    assert game.seat is not None
    bot = bots[game.seat]
    assert take_turn(game, bot, chance) == []
    return bot


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_tree_is_kept_when_no_card_is_turned_up(players: int) -> None:
    """With a draw pile every search starts anew; without one, visits carry over."""
    kept = 0
    for seed in range(3):
        game, chance = Game(Options(players), seed=seed), rng(seed)
        bots, emptied = [fresh("150") for _ in range(players)], set()
        while game.turn < 45:
            view, seat = own_view(game), game.seat
            bot = play_on(game, bots, chance)
            if len(view.legal) == 1 or bot.iterations == 0 or solve(view, 600):
                continue  # nothing was searched
            assert bot.iterations == 150
            if seat not in emptied:
                assert root_visits(bot) == 150
            else:
                assert root_visits(bot) >= 150
                kept += root_visits(bot) > 150
            if view.pile_left == 0:
                emptied.add(seat)
    assert kept > 3


def test_a_kept_tree_knows_only_what_is_legal() -> None:
    game, chance = Game(Options(2), seed=5), rng(5)
    bots, kept = [fresh("300"), fresh("300")], 0
    while game.turn < 44:
        view = own_view(game)
        bot = play_on(game, bots, chance)
        searched = bot.searched is not None and bot.searched.turn == view.turn  # else computed
        if searched and root_visits(bot) > 300:
            assert bot.forest is not None
            tallies = bot.forest.tallies(bot.forest.roots(), 2)
            legal = {move.decision("build") for move in view.legal}
            assert {tally.code for tally in tallies} <= legal
            assert sum(tally.visits for tally in tallies) == root_visits(bot) - 1
            kept += 1
    assert kept


def with_empty_pile(seed: int, seat: int, options: Options | None = None) -> Game:
    """Return a game of two after its pile was used up, with this seat to move."""
    game = game_after(options or Options(2), 33, seed)
    if game.seat != seat:
        game = game_after(options or Options(2), 34, seed)
    assert own_view(game).pile_left == 0
    return game


def test_the_same_question_is_thought_about_further() -> None:
    view, bot = own_view(with_empty_pile(1, seat=0)), fresh("100")
    for number in (1, 2):
        assert bot.choose(view, rng(number)) in view.legal
        assert root_visits(bot) == 100 * number


def test_another_game_begins_anew() -> None:
    bot = fresh("100")
    bot.choose(own_view(with_empty_pile(1, seat=0)), rng())
    for seed in (2, 3):
        bot.choose(own_view(with_empty_pile(seed, seat=0)), rng())
        assert root_visits(bot) == 100


def test_another_seat_begins_anew() -> None:
    game, bot = with_empty_pile(1, seat=0), fresh("100")
    bot.choose(own_view(game), rng())
    game.play(bot.choose(own_view(game), rng()))
    assert bot.choose(own_view(game), rng()) in game.legal_moves
    assert root_visits(bot) == 100


def test_other_options_begin_anew() -> None:
    bot = fresh("100")
    bot.choose(own_view(with_empty_pile(1, seat=0)), rng())
    bot.choose(own_view(with_empty_pile(1, seat=0, options=Options(2, {"open-ledger"}))), rng())
    assert root_visits(bot) == 100


def test_an_earlier_turn_begins_anew() -> None:
    game, bot = with_empty_pile(1, seat=0), fresh("100")
    before = own_view(game)
    for _ in range(2):
        game.play(fresh("100").choose(own_view(game), rng()))
    bot.choose(own_view(game), rng())
    bot.choose(before, rng())
    assert root_visits(bot) == 100


def test_another_position_without_a_history_begins_anew() -> None:
    bot = fresh("100")
    for seed in (1, 2):
        bot.choose(with_empty_pile(seed, seat=0).state.view(0), rng())
        assert root_visits(bot) == 100


def test_what_was_kept_does_not_pile_up() -> None:
    """A kept tree never runs out of room, and the answers stay legal."""
    for seed in range(4):
        game, chance = game_after(Options(2), 30, seed), rng(seed)
        bots = [fresh("20"), fresh("20")]
        while not game.is_over:
            play_on(game, bots, chance)
        assert game.outcome() is not None


# -- time, cores, strength


@pytest.mark.parametrize("budget", ["2ms", "2ms*2"])
def test_time_is_used(budget: str) -> None:
    game = game_after(Options(3, {"messengers"}), 10, seed=1)
    bot = fresh(budget)
    assert bot.iterations == 0
    assert bot.choose(own_view(game), rng()) in game.legal_moves
    assert bot.iterations > 0
    check(fresh(budget).explain(own_view(game), rng()), own_view(game))


def test_a_hurry_holds_until_it_is_over() -> None:
    view, bot = own_view(game_after(Options(2), 3, seed=1)), MctsBot(Budget(seconds=60.0, cores=1))
    bot.hurry(0.01)
    assert bot.choose(view, rng()) in view.legal  # not after a minute
    assert bot.budget == Budget(seconds=0.01)
    bot.hurry(None)
    assert bot.budget == Budget(seconds=60.0)
    bot.hurry(90.0)
    assert bot.budget == Budget(seconds=60.0)
    counted = MctsBot(Budget(iterations=50))
    counted.hurry(0.01)
    assert counted.budget == Budget(iterations=50)


def test_iterations_are_counted() -> None:
    view = own_view(Game(Options(2), seed=1))
    for budget, count in (("1", 1), ("77", 77), ("500*2", 500)):
        bot = fresh(budget)
        bot.choose(view, rng())
        assert bot.iterations == count


def test_special_actions_are_used_but_not_always() -> None:
    done = set()
    for seed in range(3):
        game, chance, bots = Game(Options(2), seed=seed), rng(seed), [fresh("60"), fresh("60")]
        while not game.is_over:
            legal = game.legal_moves
            play_on(game, bots, chance)
            chosen = game.moves[-1]
            if any(move.moved for move in legal if move.card == chosen.card):
                done.add(chosen.moved is not None)
    assert done == {True, False}


def test_it_beats_the_greedy_bot() -> None:
    """With two hundred iterations it wins about nine games of ten."""
    assert won(lambda: fresh("200"), GreedyBot, games=24) >= 18
