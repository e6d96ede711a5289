import numpy as np
import pytest

from patrizier import Game, Options, State, View
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.bots.search.ismcts import IsmctsBot

RULES = [(), ("messengers",), ("messengers", "messenger-at-built-city")]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", RULES)
def test_it_plays_every_game_to_the_end_legally(players: int, rules: tuple[str, ...]) -> None:
    game, bot = Game(Options(players, rules), seed=players), IsmctsBot(Budget(iterations=40))
    rng = np.random.default_rng(1)
    while not game.is_over:
        assert take_turn(game, bot, rng) == []
    assert game.outcome() is not None


def test_the_same_seed_and_iterations_give_the_same_game() -> None:
    games = []
    for _ in range(2):
        game, bot = Game(Options(3, {"messengers"}), seed=2), IsmctsBot(Budget(iterations=60))
        rng = np.random.default_rng(5)
        while not game.is_over:
            take_turn(game, bot, rng)
        games.append(game.moves)
    assert games[0] == games[1]


def test_hidden_cards_do_not_change_its_choice() -> None:
    game = Game(Options(2, {"messengers"}), seed=4)
    bot = IsmctsBot(Budget(iterations=300))
    for _ in range(12):
        assert game.seat is not None
        view = game.view(game.seat)
        choices = {bot.choose(view, np.random.default_rng(1)).text}
        for seed in range(3):  # other worlds that look the same from this seat
            world: State = view.sample(seed)
            choices.add(bot.choose(View.of(world, view.viewer), np.random.default_rng(1)).text)
        assert len(choices) == 1
        game.play(choices.pop())


def test_a_time_budget_is_kept_and_used() -> None:
    view = Game(Options(2), seed=1).view(Game(Options(2), seed=1).seat)
    bot = IsmctsBot(Budget(iterations=1))
    bot.choose(view, np.random.default_rng(1))
    assert bot.iterations == 1
    bot = IsmctsBot(Budget(seconds=0.02))
    bot.choose(view, np.random.default_rng(1))
    assert bot.iterations >= 200


def test_it_takes_no_more_than_one_core() -> None:
    with pytest.raises(ValueError, match="one core"):
        make_bot("ismcts:100*4")
    assert make_bot("ismcts:100*1").name == "ismcts"


def test_a_full_tree_answers_early() -> None:
    view = Game(Options(2), seed=1).view(Game(Options(2), seed=1).seat)
    bot = IsmctsBot(Budget(iterations=10**6))
    assert bot.choose(view, np.random.default_rng(1)) in view.legal
    assert 0 < bot.iterations < 10**6


def test_it_beats_the_greedy_bot() -> None:
    """With a thousand iterations a decision it wins about four games of five."""
    thinker, greedy, rng = IsmctsBot(Budget(iterations=1000)), GreedyBot(), np.random.default_rng(3)
    wins = 0.0
    for number in range(30):
        game, own = Game(Options(2), seed=number // 2), number % 2
        while not game.is_over:
            take_turn(game, thinker if game.seat == own else greedy, rng)
        outcome = game.outcome()
        assert outcome is not None
        wins += (own in outcome.winners) / len(outcome.winners)
    assert wins >= 20
