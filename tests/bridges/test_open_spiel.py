"""OpenSpiel's own simulation test, and what it does not cover."""

from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

from bridges.kinds_of_games import every_game
from patrizier import Deal, Game, Move, Options, View
from patrizier.batch import observe, observe_floats
from patrizier.bots.base import Bot
from patrizier.bridges.open_spiel import PatrizierState, SpielBot
from patrizier.rules.board import CARDS
from support.kinds import STARRY


def load(players: int, rules: tuple[str, ...] = ()) -> Any:
    return pyspiel.load_game("patrizier", {"players": players, "rules": "+".join(rules)})


def walk(game: Any, seed: int) -> Any:
    """Play at random and give every state, chance included."""
    state, rng = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


@every_game
def test_their_simulation(players: int, rules: tuple[str, ...]) -> None:
    pyspiel.random_sim_test(load(players, rules), num_sims=1, serialize=True, verbose=False)


@every_game
def test_it_is_the_same_game_as_ours(players: int, rules: tuple[str, ...]) -> None:
    """Decisions and cards turned up give the same positions, views and results."""
    options = Options(players, rules)
    history: list[tuple[int, int]] = []
    state, rng = load(players, rules).new_initial_state(), Random(3)
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        history.append((state.current_player(), action))
        state.apply_action(action)
    chance = [action for player, action in history if player == pyspiel.PlayerId.CHANCE]
    start, cards = chance[0], [CARDS[card] for card in chance[1:]]
    dealt = 3 * players
    shown = dealt + (10 if players == 5 else 9)
    hands = tuple(tuple(cards[i : i + 3]) for i in range(0, dealt, 3))
    deal = Deal(hands, tuple(cards[dealt:shown]), tuple(cards[shown:]), start)
    game = Game(options, deal=deal)
    for player, action in history:
        if player >= 0:
            assert game.seat == player
            game.decide(action)
    outcome = game.outcome()
    assert outcome is not None
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    assert tuple(s for s, value in enumerate(returns) if value > 0) == outcome.winners


@every_game
def test_observations_are_those_of_the_view(players: int, rules: tuple[str, ...]) -> None:
    for number, state in enumerate(walk(load(players, rules), 4)):
        if number % 9 or state.is_chance_node() or state.is_terminal():
            continue
        for player in range(players):
            view = state.view(player)
            assert state.observation_string(player) == observe(view).tobytes().hex()
            assert np.array_equal(state.observation_tensor(player), observe_floats(view))
            told = np.array(state.information_state_tensor(player))
            assert np.array_equal(told[: len(observe_floats(view))], observe_floats(view))


@every_game
def test_resampled_states_cannot_be_told_apart(players: int, rules: tuple[str, ...]) -> None:
    rng, changed = Random(5), 0
    for number, state in enumerate(walk(load(players, rules), 5)):
        if number % 3 or state.is_chance_node() or state.is_terminal():
            continue
        for player in range(players):
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.current_player() == state.current_player()
            changed += str(other) != str(state)
    assert changed > 5


def test_a_player_cannot_see_what_another_is_dealt() -> None:
    game = load(2)
    one, two = game.new_initial_state(), game.new_initial_state()
    stars = [a for a, _ in advanced(one, [0]).chance_outcomes()]
    for state, cards in ((one, stars[:6]), (two, [*stars[:3], *stars[6:9]])):
        fresh = advanced(state, [] if state is one else [0])
        for card in cards:
            fresh.apply_action(card)
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.information_state_string(1) != two.information_state_string(1)


def advanced(state: Any, actions: list[int]) -> Any:
    for action in actions:
        state.apply_action(action)
    return state


def test_clones_go_their_own_way() -> None:
    state: Any = next(islice(walk(load(3), 6), 40, None))
    before = str(state)
    clone = state.clone()
    while not clone.is_terminal():
        clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before
    assert not state.is_terminal()


@pytest.mark.parametrize("bots", [("random", "greedy"), ("greedy", "ismcts:50")])
def test_our_bots_play_in_their_loop(bots: tuple[str, str]) -> None:
    state = load(2, ("messengers",)).new_initial_state()
    players = [SpielBot(bot, seat, seed=seat) for seat, bot in enumerate(bots)]
    rng = Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            action = players[state.current_player()].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert sum(state.returns()) == pytest.approx(0)


class Noting(Bot):
    name = "noting"
    about = "Notes when it is asked about a turn, and plays the last of the list."

    def __init__(self) -> None:
        self.turns: list[int] = []

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        self.turns.append(view.turn)
        return view.legal[-1]


def test_their_evaluation_plays_our_bots() -> None:
    """`evaluate_bots` begins every game by `restart_at`, also from the middle."""
    game, rng = load(3, ("messengers",)), np.random.RandomState(1)
    noting = Noting()
    bots = [SpielBot("greedy", 0, seed=1), SpielBot(noting, 1), SpielBot("random", 2, seed=2)]
    for _ in range(3):
        returns = evaluate_bots(game.new_initial_state(), bots, rng)
        assert sum(returns) == pytest.approx(0)
    begins = [turn for turn in noting.turns if turn < 3]
    assert len(begins) >= 3
    middle: Any = next(islice(walk(game, 6), 40, None))
    assert sum(evaluate_bots(middle.clone(), bots, rng)) == pytest.approx(0)


def test_a_bot_that_is_restarted_thinks_anew() -> None:
    """A plan made in one game is not carried out in another one."""
    for state in walk(load(2), 3):
        if state.is_chance_node() or state.is_terminal():
            continue
        view = state.view(state.current_player())
        if view.phase != "build" and len(view.legal) > 1:
            break
    noting = Noting()
    bot = SpielBot(noting, state.current_player())
    bot.step(state)
    bot.step(state)
    assert len(noting.turns) == 1  # the plan stands
    bot.restart_at(state)
    bot.step(state)
    assert len(noting.turns) == 2
    bot.restart()
    bot.step(state)
    assert len(noting.turns) == 3


def test_a_deck_of_ones_own(tmp_path: Any) -> None:
    file = tmp_path / "starry.toml"
    file.write_text(STARRY.to_toml(), "utf-8")
    game = pyspiel.load_game("patrizier", {"players": 2, "deck": str(file)})
    assert game.setup.options.deck.cards_text == STARRY.cards_text
    for _ in walk(game, 1):
        pass


def test_parts_of_an_observation() -> None:
    """What is public names no hand; what is private names nobody else's."""
    game = load(2)
    state: Any = next(islice(walk(game, 6), 30, None))
    kind, private = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    told = {
        part: game.make_py_observer(kind(perfect_recall=False, **settings)).string_from(state, 1)
        for part, settings in {
            "public": {"public_info": True, "private_info": private.NONE},
            "own": {"public_info": False, "private_info": private.SINGLE_PLAYER},
            "all": {"public_info": True, "private_info": private.ALL_PLAYERS},
        }.items()
    }
    assert told["public"] == state.information(None)
    assert told["own"] == f"hand of 1 {state.hand(1)}"
    hands = [f"hand of {seat} {state.hand(seat)}" for seat in range(2)]
    assert told["all"] == ", ".join([told["public"], *hands])
    assert state.hand(0) not in told["public"] + told["own"]
    assert state.information_state_string(1).startswith(f"player 1, own {state.hand(1)}, begins")


def test_short_ways_say_what_open_spiel_says() -> None:
    """Answers that do not pass through OpenSpiel are the same as those that do."""
    for state in walk(load(3, ("messengers",)), 8):
        spiel = pyspiel.State
        assert state.legal_actions() == spiel.legal_actions(state)
        assert state.is_chance_node() == spiel.is_chance_node(state)
        for player in range(3):
            assert state.legal_actions(player) == spiel.legal_actions(state, player)
        actions = state.legal_actions()
        actions.clear()  # a list of the caller's own
        assert state.is_terminal() or state.legal_actions()


def test_mistakes_are_said() -> None:
    state = load(2).new_initial_state()
    assert isinstance(state, PatrizierState)
    with pytest.raises(ValueError, match="still being dealt"):
        state.view(0)
    with pytest.raises(ValueError, match="outcome 5 is not legal"):
        state._apply_action(5)
    state.apply_action(0)
    before = str(state)
    for apply in (state._apply_action, state.apply_action):
        with pytest.raises(ValueError, match="outcome 0 is not legal"):
            apply(0)  # a card without a star
    assert str(state) == before
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bad = next(c for c in range(209) if c not in state.legal_actions())
    before = str(state)
    for code in (bad, 209, -2, 10**6):
        for apply in (state._apply_action, state.apply_action):
            with pytest.raises(ValueError, match=f"decision {code} is not legal"):
                apply(code)
    with pytest.raises(ValueError, match="chance does not act here"):
        state.chance_outcomes()
    assert str(state) == before
    assert len(state.history()) == 16  # a refused action leaves no trace
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    before = str(state)
    for bad in (55, next(c for c in range(55) if c not in state.legal_actions())):
        with pytest.raises(ValueError, match=f"outcome {bad} is not legal"):
            state._apply_action(bad)
    assert str(state) == before
    for wrong in ({"players": 6}, {"players": 2, "rules": "messenger"}):
        with pytest.raises(Exception, match=r"2 to 5|unknown rule"):
            pyspiel.load_game("patrizier", wrong)
