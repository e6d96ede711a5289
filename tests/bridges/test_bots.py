"""Our bots decide code by code as they would turn by turn, and a policy of codes is a bot."""

import numpy as np
import pytest

from patrizier import Game, IllegalMove, Move, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.bridges.bots import Decider, DecisionBot, legal_codes
from support.kinds import STARRY

KINDS = [Options(2), Options(5, ["messengers"]), Options(4, ["messengers"], STARRY)]


class Lowest(DecisionBot):
    name = "lowest"
    about = "Takes the lowest code."

    def decide(self, view: View, rng: np.random.Generator) -> int:
        return legal_codes(view)[0]


class Wrong(Bot):
    name = "wrong"
    about = "Plays what is not legal."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        return Move("PI1:LL")


class Stubborn(DecisionBot):
    name = "stubborn"
    about = "Decides what is not legal."

    def decide(self, view: View, rng: np.random.Generator) -> int:
        return next(code for code in range(209) if code not in legal_codes(view))


@pytest.mark.parametrize("options", KINDS, ids=lambda o: f"{o.players}-{o.deck.name}")
def test_code_by_code_is_the_same_as_turn_by_turn(options: Options) -> None:
    one, two = Game(options, seed=3), Game(options, seed=3)
    deciders = [Decider("greedy", seat) for seat in range(options.players)]
    generators = [np.random.default_rng(seat) for seat in range(options.players)]
    while not one.is_over:
        assert one.seat is not None
        one.decide(deciders[one.seat].code(one.view(one.seat)))
    while not two.is_over:
        assert two.seat is not None
        assert not take_turn(two, make_bot("greedy"), generators[two.seat])
    assert one.decisions == two.decisions


@pytest.mark.parametrize("options", KINDS, ids=lambda o: f"{o.players}-{o.deck.name}")
def test_a_policy_of_codes_plays_whole_games(options: Options) -> None:
    game = Game(options, seed=4)
    rng = np.random.default_rng(4)
    while not game.is_over:
        assert not take_turn(game, Lowest(), rng)
    fresh = Game(options, seed=4)
    while not fresh.is_over:
        fresh.decide(fresh.legal_decisions()[0])
    assert game.decisions == fresh.decisions


def test_legal_codes_are_those_of_the_game() -> None:
    game, rng = Game(KINDS[2], seed=5), np.random.default_rng(5)
    while not game.is_over:
        assert legal_codes(game.view(game.seat)) == game.legal_decisions()
        game.decide(int(rng.choice(game.legal_decisions())))


def test_mistakes_are_said() -> None:
    game = Game(Options(2), seed=1)
    assert game.seat is not None
    with pytest.raises(ValueError, match="not this seat's turn"):
        Decider("greedy").code(game.view(1 - game.seat))
    with pytest.raises(ValueError, match="wrong wants to play PI1:LL"):
        Decider(Wrong()).code(game.view(game.seat))
    view = game.view(game.seat)
    wrong = rf"stubborn decides \d+, which is not legal here: \[{legal_codes(view)[0]}"
    with pytest.raises(IllegalMove, match=wrong):
        Stubborn().choose(view, np.random.default_rng(1))
    (incident,) = take_turn(game, Stubborn(), np.random.default_rng(1))
    assert "stubborn decides" in incident.message


class Planned(Bot):
    name = "planned"
    about = "Plays a certain turn, and counts how often it is asked."

    def __init__(self, move: Move) -> None:
        self.asked, self._move = 0, move

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        self.asked += 1
        return self._move if self._move in view.legal else view.legal[0]


def test_a_decider_forgets_its_plan() -> None:
    """In the same position of another game it thinks again, and a named bot is a new one."""
    game = Game(KINDS[0], seed=3)
    while not (moves := [move for move in game.legal_moves if ">" in move.text]):
        game.play(game.legal_moves[-1])
    bot = Planned(moves[0])
    planned = Decider(bot)
    game.decide(planned.code(game.view(game.seat)))
    assert bot.asked == 1
    planned.code(game.view(game.seat))
    assert bot.asked == 1  # the plan is carried out
    planned.restart()
    assert planned.bot is bot
    planned.code(game.view(game.seat))
    assert bot.asked == 2
    named = Decider("greedy")
    first = named.bot
    named.restart()
    assert named.bot is not first
