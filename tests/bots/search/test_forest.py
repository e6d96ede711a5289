"""Root parallelisation: statistics are added up, and kept from turn to turn."""

import time
from random import Random

import numpy as np
import pytest

from patrizier import Game, Move, Options, View
from patrizier.bots.budget import Budget
from patrizier.bots.search.forest import Forest, GuidedTree, PuctTree, Tally, Tree
from patrizier.bots.search.tree import children_of
from patrizier.rules.codes import STEPS, step_of
from support.kinds import STARRY, for_every

ROOM = 20_000

EVERY = for_every(
    [Options(2), Options(3, {"messengers"}, STARRY), Options(4), Options(5, {"messengers"})],
    plain=(),
)


KINDS: list[type[PuctTree] | type[GuidedTree]] = [PuctTree, GuidedTree]


def planted(
    view: View, budget: Budget, kind: type[PuctTree] | type[GuidedTree] = PuctTree
) -> Forest:
    trees: list[Tree] = [kind(ROOM, view.options.players) for _ in range(budget.cores)]
    return Forest(budget, trees)


def thinking(
    view: View,
    budget: str,
    seed: int = 1,
    kind: type[PuctTree] | type[GuidedTree] = PuctTree,
) -> Forest:
    """Return a new forest after a search."""
    forest = planted(view, Budget.parse(budget), kind)
    forest.think(view, np.random.default_rng(seed), time.perf_counter())
    return forest


def tallies(forest: Forest, view: View) -> list[Tally]:
    return forest.tallies(forest.roots(), view.options.players)


def visits_of_roots(forest: Forest) -> list[int]:
    pairs = zip(forest.trees, forest.roots(), strict=True)
    return [int(tree.nodes["visits"][root]) for tree, root in pairs]


def game_after(options: Options, turns: int, seed: int = 1) -> Game:
    game, rng = Game(options, seed=seed), Random(seed)
    while game.turn < turns:
        game.decide(rng.choice(game.legal_decisions()))
    return game


def own_view(game: Game) -> View:
    return game.view(game.seat)


@EVERY
@pytest.mark.parametrize("kind", KINDS)
def test_tallies_tell_what_the_tree_found(
    options: Options, kind: type[PuctTree] | type[GuidedTree]
) -> None:
    for turns in (0, 15, 40):
        view = own_view(game_after(options, turns))
        forest = thinking(view, "200", kind=kind)
        found = tallies(forest, view)
        assert forest.iterations == sum(tally.visits for tally in found) == 200
        assert found == sorted(found, key=lambda tally: (-tally.visits, tally.code))
        legal = {move.decision(view.phase) for move in view.legal}
        assert len({tally.code for tally in found}) == len(found)
        for tally in found:
            assert tally.code in legal
            assert tally.visits > 0
            assert len(tally.shares) == len(tally.points) == options.players
            assert sum(tally.shares) == pytest.approx(1, abs=1e-3)
            assert -1e-3 < min(tally.shares) <= max(tally.shares) < 1 + 1e-3
            assert len(tally.nodes) == 1


def test_below_a_decision_are_the_next_ones() -> None:
    view = own_view(game_after(Options(2, {"messengers"}), 5))
    forest = thinking(view, "400")
    best = tallies(forest, view)[0]
    below = forest.tallies(best.nodes, 2)
    assert sum(tally.visits for tally in below) == best.visits - 1


def test_iterations_are_shared_out_among_the_trees() -> None:
    view = own_view(Game(Options(2), seed=1))
    for budget, wanted in (("401*2", [201, 200]), ("8*3", [3, 3, 2]), ("1*2", [1, 0])):
        forest = thinking(view, budget)
        assert visits_of_roots(forest) == wanted
        assert forest.iterations == sum(wanted)


def test_every_tree_guesses_anew() -> None:
    forest = thinking(own_view(Game(Options(2), seed=1)), "400*2")
    one, two = forest.trees
    used = int(one.search["used"][0])
    assert (one.nodes["visits"][:used] != two.nodes["visits"][:used]).any()


@pytest.mark.parametrize("cores", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_results_of_all_trees_are_added_up(
    cores: int, kind: type[PuctTree] | type[GuidedTree]
) -> None:
    view = own_view(Game(Options(3), seed=1))
    forest = thinking(view, f"600*{cores}", kind=kind)
    found = tallies(forest, view)
    assert sum(tally.visits for tally in found) == 600
    for tally in found:
        own = []
        for tree, root in zip(forest.trees, forest.roots(), strict=True):
            own += [c.visits for c in children_of(tree.nodes, root) if c.code == tally.code]
        assert tally.visits == sum(own)
        assert sum(tally.shares) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_make_no_difference(kind: type[PuctTree] | type[GuidedTree]) -> None:
    view = own_view(game_after(Options(3, {"messengers"}), 7))
    one, two, other = (thinking(view, "300*2", seed, kind) for seed in (1, 1, 2))
    assert tallies(one, view) == tallies(two, view)
    assert one.nodes == two.nodes
    for tree, same in zip(one.trees, two.trees, strict=True):
        used = int(tree.search["used"][0])
        assert (tree.nodes[:used] == same.nodes[:used]).all()
    assert tallies(other, view) != tallies(one, view)


@pytest.mark.parametrize("budget", ["3ms", "3ms*2"])
def test_time_is_used(budget: str) -> None:
    view = own_view(Game(Options(4), seed=1))
    forest = thinking(view, budget)
    assert forest.iterations == sum(visits_of_roots(forest)) > 0
    assert tallies(forest, view)


def test_time_that_has_run_out_still_gives_an_answer() -> None:
    view = own_view(Game(Options(4), seed=1))
    forest = planted(view, Budget(seconds=0.001))
    forest.think(view, np.random.default_rng(1), time.perf_counter() - 60)
    assert forest.iterations > 0
    assert tallies(forest, view)


@pytest.mark.parametrize("kind", KINDS)
def test_clearing_forgets_everything(kind: type[PuctTree] | type[GuidedTree]) -> None:
    view = own_view(Game(Options(2), seed=1))
    forest = thinking(view, "200*2", kind=kind)
    before = tallies(forest, view)
    assert forest.nodes > 100
    forest.clear()
    assert forest.nodes == 1
    assert tallies(forest, view) == []
    assert visits_of_roots(forest) == [0, 0]
    forest.think(view, np.random.default_rng(1), 0.0)
    assert tallies(forest, view) == before


# -- going on from the tree of an earlier turn


def short(view: View) -> list[Move]:
    """Return the turns in which there is nothing to decide but the build."""
    deck = view.options.deck
    return [m for m in view.legal if not (m.draw or m.messenger or deck[m.card].special_action)]


@pytest.mark.parametrize("budget", ["600", "1200*2"])
def test_it_goes_down_to_the_turn_that_was_played(budget: str) -> None:
    game = game_after(Options(2), 34)
    view = own_view(game)
    assert view.pile_left == 0
    forest = thinking(view, budget)
    tried = {tally.code: tally for tally in tallies(forest, view)}
    move = next(move for move in short(view) if move.decision("build") in tried)
    visits = [
        next(c.visits for c in children_of(tree.nodes, 0) if c.code == move.decision("build"))
        for tree in forest.trees
    ]
    assert forest.descend([move])
    assert visits_of_roots(forest) == visits
    game.play(move)
    legal = {move.decision("build") for move in game.legal_moves}
    assert {c.code for c in children_of(forest.trees[0].nodes, forest.roots()[0])} <= legal


def walked(forest: Forest, parents: tuple[int, ...], move: Move) -> tuple[int, tuple[int, ...]]:
    """Return a turn's visits and nodes; none unless it was fully visited."""
    visits = 0
    for phase in STEPS:
        below = {tally.code: tally for tally in forest.tallies(parents, 3)}
        if tally := below.get(move.decision(phase)):
            visits, parents = tally.visits, tally.nodes
        elif any(step_of(code) == phase for code in below):
            return 0, parents
    return visits, parents


def test_special_actions_and_draws_are_followed() -> None:
    followed = 0
    for seed in range(30):
        game = game_after(Options(2, deck=STARRY), 34, seed)
        view = own_view(game)
        forest = thinking(view, "600")
        for move in view.legal:
            if not (move.moved or move.draw):
                continue
            node = 0
            for phase in ("build", "move", "draw"):
                for child in children_of(forest.trees[0].nodes, node):
                    if child.code == move.decision(phase):
                        node, visits = child.number, child.visits
                        break
            again = thinking(view, "600")
            if again.descend([move]):
                followed += 1
                assert again.roots() == (node,)
                assert visits_of_roots(again) == [visits]
        if followed > 5:
            break
    assert followed > 5


def test_several_turns_at_once() -> None:
    """From one own turn to the next, whatever the others played, as far as it was visited."""
    game = game_after(Options(3), 31)
    view = own_view(game)
    assert view.pile_left == 0
    forest, moves = thinking(view, "3000"), []
    parents, before = forest.roots(), 3000
    for _ in range(3):
        turns = [(*walked(forest, parents, move), move.text) for move in game.legal_moves]
        before, parents, text = max(turns)
        moves.append(Move(text))
        game.play(text)
    assert forest.descend(moves)
    assert forest.roots() == parents
    assert visits_of_roots(forest) == [before]
    assert before > 0
    forest.think(own_view(game), np.random.default_rng(2), 0.0)
    assert visits_of_roots(forest) == [before + 3000]
    assert sum(tally.visits for tally in tallies(forest, own_view(game))) == before + 2999


def test_a_turn_that_only_mirrors_another_cannot_be_followed() -> None:
    view = own_view(Game(Options(2), seed=1))
    forest = thinking(view, "200*2")
    assert not forest.descend([next(move for move in view.legal if "L" not in move.sites)])
    assert forest.roots() == (0, 0)
    assert forest.descend([])
