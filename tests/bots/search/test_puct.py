"""PUCT search: its statistics are consistent, in every kind of game and with a full tree."""

from random import Random

import numpy as np
import pytest

from patrizier import Game, Options, View
from patrizier.bots.learned.value import Weights, load_weights, new_features
from patrizier.bots.search.puct import (
    NODE,
    RESULT,
    Tree,
    new_tree,
    reset_tree,
    search_puct,
    search_type,
)
from patrizier.bots.search.tree import Nodes, children_of
from patrizier.rules.board import CARDS
from patrizier.rules.codes import NO_MOVE, SITE_TEXTS, WAYS
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells
from support.kinds import STARRY, for_every

EVERY = for_every(
    [
        Options(2),
        Options(2, {"messengers"}, STARRY),
        Options(3, {"messengers", "messenger-at-built-city"}),
        Options(4, {"open-ledger"}),
        Options(5, {"messengers"}),
    ],
    plain=(),
)


def search_on(
    view: View, iterations: int, tree: Tree, word: int = 1, weights: Weights | None = None
) -> None:
    """Search a view in an existing tree."""
    cells = new_cells(2)
    cells[0] = view.known()[0]
    known = cells[0].tobytes()
    weights = load_weights(view.options.players) if weights is None else weights
    search_puct(cells, new_scratch(word), tree.search, new_features(), weights, iterations)
    assert cells[0].tobytes() == known  # what is known is not written on


def searched(view: View, iterations: int, room: int = 0, word: int = 1) -> Tree:
    """Return a new tree after some iterations."""
    tree = new_tree(room or 20 * iterations + 50)
    search_on(view, iterations, tree, word)
    return tree


def first_view(players: int, seed: int) -> View:
    game = Game(Options(players), seed=seed)
    return game.view(game.seat)


def views(options: Options, seed: int) -> list[View]:
    """Return views of whoever is to decide: of all phases, early and late."""
    game, rng, found = Game(options, seed=seed), Random(seed), []
    phases = dict.fromkeys(("build", "move", "draw", "messenger"), 0)
    while not game.is_over:
        if phases[game.phase] < 2 or len(game.decisions) % 15 == 0 or game.turn > 46:
            phases[game.phase] += 1
            found.append(game.view(game.seat))
        game.decide(rng.choice(game.legal_decisions()))
    return found


def visits_below(nodes: Nodes, node: int) -> int:
    return sum(child.visits for child in children_of(nodes, node))


@EVERY
def test_visits_add_up(options: Options) -> None:
    for view in views(options, seed=1):
        nodes, _, search = searched(view, 150)
        used, root = int(search["used"][0]), int(search["root"][0])
        assert nodes["visits"][root] == 150
        assert visits_below(nodes, root) == 150
        for node in range(used):
            visits, below = int(nodes["visits"][node]), visits_below(nodes, node)
            if node != root and nodes["child"][node] >= 0:
                assert below == visits - 1  # at its first visit a position is judged
            children = [child.code for child in children_of(nodes, node)]
            assert len(set(children)) == len(children)
            for child in children_of(nodes, node):
                assert child.visits <= nodes["available"][child.number] <= visits


@EVERY
def test_results_add_up(options: Options) -> None:
    """Shares add up to one victory, and margins to zero."""
    players = options.players
    for view in views(options, seed=2):
        nodes, results, search = searched(view, 150)
        tried = np.flatnonzero(nodes["visits"][: int(search["used"][0])])
        visits, results = nodes["visits"][tried], results[tried]
        total = results["reward"][:, :players].sum(axis=1)
        assert total == pytest.approx(visits, rel=1e-3, abs=1e-3)
        means = results["reward"][:, :players] / visits[:, None]
        points = results["points"][:, :players] / visits[:, None]
        ahead = points - (points.sum(axis=1, keepdims=True) - points) / (players - 1)
        shares = means - load_weights(players)["margin"][0] * ahead
        assert shares.min() > -1e-3
        assert shares.max() < 1 + 1e-3
        assert points.min() > -10
        assert points.max() < 130
        assert (results["reward"][:, players:] == 0).all()


@EVERY
def test_a_node_holds_what_came_from_below(options: Options) -> None:
    for view in views(options, seed=3)[::3]:
        nodes, results, _ = searched(view, 150)
        below = [child.number for child in children_of(nodes, 0) if child.visits]
        for name in ("reward", "points"):
            total = results[name][below].sum(axis=0)
            assert results[name][0] == pytest.approx(total, rel=1e-4, abs=1e-2)
        means = results["reward"][below, view.seat] / nodes["visits"][below]
        assert nodes["value"][below] == pytest.approx(means, rel=1e-5)
        for child in set(children_of(nodes, 0)) - {c for c in children_of(nodes, 0) if c.visits}:
            assert nodes["value"][child.number] == 0


@EVERY
def test_priors_of_the_own_decisions_add_up_to_one(options: Options) -> None:
    for view in views(options, seed=4):
        nodes, _, _ = searched(view, 5)
        priors = [float(nodes["prior"][child.number]) for child in children_of(nodes, 0)]
        assert sum(priors) == pytest.approx(1, abs=1e-4)
        assert min(priors) >= 0


@EVERY
def test_all_that_is_legal_is_looked_at_but_twins(options: Options) -> None:
    """In a city without floors the right site alone only mirrors the left one."""
    dropped = 0
    for view in views(options, seed=5):
        nodes, _, _ = searched(view, 20)
        bare = {city.code for city in view.cities if not city.left and not city.right}
        wanted = set()
        for move in view.legal:
            twin = view.phase == "build" and move.card[:2] in bare and "L" not in move.sites
            dropped += twin
            if not twin:
                wanted.add(move.decision(view.phase))
        assert {child.code for child in children_of(nodes, 0)} == wanted
    assert dropped


def test_twins_are_left_out_further_down() -> None:
    """After the first turn every other city is still bare."""
    view, replies = first_view(2, seed=1), 0
    nodes, _, _ = searched(view, 400)
    for child in children_of(nodes, 0):
        for reply in children_of(nodes, child.number):
            card, right = divmod(reply.code, WAYS)
            if reply.code < NO_MOVE and CARDS[card][:2] != CARDS[child.code // WAYS][:2]:
                replies += 1
                assert "L" in SITE_TEXTS[view.options.deck[CARDS[card]].crests - 1][right]
    assert replies > 10


@pytest.mark.parametrize("room", [1, 2, 7, 60, 300])
def test_without_room_it_goes_on(room: int) -> None:
    for view in views(Options(3, {"messengers"}), seed=6):
        nodes, _, search = searched(view, 500, room=room)
        used = int(search["used"][0])
        assert 1 <= used <= room
        assert nodes["visits"][0] == 500
        below = visits_below(nodes, 0)
        assert below in (0, 500)  # there was room for all decisions, or for none
        assert room < 60 or below == 500


def test_a_full_tree_gets_more_certain() -> None:
    view = first_view(2, seed=3)
    tree = searched(view, 300, room=200)
    nodes, _, search = tree
    used = int(search["used"][0])
    search_on(view, 300, tree, word=2)
    assert int(search["used"][0]) == used
    assert nodes["visits"][0] == visits_below(nodes, 0) == 600


def test_the_same_word_grows_the_same_tree() -> None:
    view = first_view(4, seed=7)
    one, two, three = (searched(view, 400, word=word) for word in (1, 1, 2))
    used = int(one.search["used"][0])
    tried = np.flatnonzero(one.nodes["visits"][:used])
    assert one.nodes[:used].tobytes() == two.nodes[:used].tobytes()
    assert one.results[tried].tobytes() == two.results[tried].tobytes()
    assert one.nodes[:used].tobytes() != three.nodes[:used].tobytes()


def test_chunks_make_no_difference() -> None:
    view = views(Options(2), seed=8)[4]
    whole = searched(view, 300)
    cells, buffer, features = new_cells(2), new_scratch(1), new_features()
    cells[0] = view.known()[0]
    tree = new_tree(6050)
    for _ in range(3):
        search_puct(cells, buffer, tree.search, features, load_weights(2), 100)
    used = int(tree.search["used"][0])
    assert tree.nodes[:used].tobytes() == whole.nodes[:used].tobytes()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_with_more_than_two_a_long_search_stops_asking_the_value(players: int) -> None:
    """The value network counts at first, and not at all later."""
    view, other = first_view(players, seed=2), load_weights(players).copy()
    other["tell_bias"] += np.arange(other["tell_bias"].size) * 0.2
    first = int(other["first"][0])
    for before, asked in ((first - 300, True), (first, False)):
        one, two = searched(view, before, room=90_000), searched(view, before, room=90_000)
        search_on(view, 200, one, word=2)
        search_on(view, 200, two, word=2, weights=other)
        assert (one.results["reward"][0].tolist() != two.results["reward"][0].tolist()) is asked


def test_how_to_search_stands_with_the_weights() -> None:
    """Every search parameter of the weights has an effect."""
    view, weights = first_view(3, seed=2), load_weights(3)
    wanted = searched(view, 300).nodes["visits"].tolist()
    for name, value in (
        *(("exploration", 2.0), ("caution", 0.4), ("margin", 0.05), ("trust", 1.0)),
        *(("later_trust", 1.0), ("first", 20)),
    ):
        other, tree = weights.copy(), new_tree(6050)
        other["first"] = 100
        other[name] = value
        search_on(view, 300, tree, weights=other)
        assert tree.nodes["visits"][: len(wanted)].tolist() != wanted, name


def test_a_small_tree_lies_in_a_small_record() -> None:
    small, large = search_type(10), search_type(20)
    assert large.itemsize - small.itemsize == 10 * (NODE.itemsize + RESULT.itemsize)
    assert small.itemsize % 8 == 0


def test_planting_forgets_everything() -> None:
    view = first_view(2, seed=3)
    tree = searched(view, 100)
    nodes, _, search = tree
    wanted = nodes["visits"].copy()
    reset_tree(search)
    assert int(search["used"][0]) == 1
    assert nodes["visits"][0] == visits_below(nodes, 0) == 0
    search_on(view, 100, tree)
    used = int(search["used"][0])
    assert (nodes["visits"][:used] == wanted[:used]).all()


def test_the_last_turn_is_played_for_real() -> None:
    """Its results are those of the game, and the most visited decision is the best."""
    mattered = 0
    for seed in range(12):
        game, rng = Game(Options(2), seed=seed), Random(seed)
        while game.turn < 47:
            game.decide(rng.choice(game.legal_decisions()))
        seat = game.seat
        assert seat is not None
        nodes, results, _ = searched(game.view(seat), 300)
        ends = []
        for child in children_of(nodes, 0):
            trial = game.copy()
            trial.decide(child.code)
            outcome = trial.outcome()
            if outcome and child.visits:  # a special action is a decision of its own
                points = results["points"][child.number][:2] / child.visits
                assert points == pytest.approx(outcome.points, rel=1e-4)
                lead = outcome.points[seat] - outcome.points[1 - seat]
                ends.append((child.visits, seat in outcome.winners, lead))
        if ends:
            assert max(ends)[1:] == max(end[1:] for end in ends)
            mattered += len({end[1:] for end in ends}) > 1
    assert mattered


def test_ten_million_visits_are_added_up_as_well_as_the_first() -> None:
    view = first_view(2, seed=3)
    tree = searched(view, 1000)
    nodes, results, _ = tree
    mean = {name: results[name][0, :2] / 1000 for name in ("reward", "points")}
    nodes["visits"][0] = 10_000_000
    for name in mean:
        results[name][0, :2] = 10_000_000 * mean[name]
    before = {name: results[name][0, :2].astype(float) for name in mean}
    search_on(view, 1000, tree)
    for name, wanted in mean.items():
        added = (results[name][0, :2].astype(float) - before[name]) / 1000
        assert added == pytest.approx(wanted, rel=0.05)


@pytest.mark.plain
def test_it_searches_with_the_compiler_off() -> None:
    for view in views(Options(3, {"messengers"}), seed=9)[::5]:
        nodes, results, search = searched(view, 6)
        assert nodes["visits"][0] == visits_below(nodes, 0) == 6
        used = int(search["used"][0])
        assert np.isfinite(nodes["value"][:used]).all()
        assert results["reward"][0].sum() == pytest.approx(6, abs=1e-3)
