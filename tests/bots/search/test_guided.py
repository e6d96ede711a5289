"""The search guided by the network: what its tree holds, and that it asks again where it must."""

from random import Random

import numpy as np
import pytest

from patrizier import Game, Options, State, View
from patrizier.bots.learned.network import load_network, new_activations, new_inputs
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.search.guided import MIX, new_guided, search_guided
from patrizier.bots.search.tree import Search, children_of
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells
from support.kinds import STARRY

ITERATIONS = 300
KINDS = [
    Options(2),
    Options(3, {"messengers"}, STARRY),
    Options(4, {"messengers", "messenger-at-built-city"}),
    Options(5, {"messengers"}),
]


def view_after(options: Options, turns: int, seed: int = 1) -> View:
    game, rng = Game(options, seed=seed), Random(seed)
    while game.turn < turns:
        game.decide(rng.choice(game.legal_decisions()))
    return game.view(game.seat)


def searched(view: View, iterations: int = ITERATIONS, room: int = 20_000) -> Search:
    players = view.options.players
    cells, search = new_cells(2), new_guided(room, players)
    cells[0] = view.known()[0]
    network = new_inputs(), new_activations(), load_network()
    tables = new_features(), load_weights(players)
    search_guided(cells, new_scratch(1), search, *network, *tables, iterations)
    return search


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("turns", [0, 12, 33])
def test_sums_are_those_of_the_iterations(options: Options, turns: int) -> None:
    search = searched(view_after(options, turns))
    nodes, players = search["nodes"][0], options.players
    assert nodes["visits"][0] == ITERATIONS + 1  # the first one looks at the root
    for node in range(int(search["used"][0])):
        visits = int(nodes["visits"][node])
        assert nodes["share"][node].sum() == pytest.approx(visits, abs=1e-3 * (1 + visits))
        assert (nodes["share"][node][players:] == 0).all()
        below = sum(child.visits for child in children_of(nodes, node))
        assert below <= visits
        assert not below or nodes["child"][node] >= 0


@pytest.mark.parametrize("options", KINDS)
def test_only_legal_decisions_are_tried_at_the_root(options: Options) -> None:
    for turns in (0, 20, 40):
        view = view_after(options, turns)
        search = searched(view)
        legal = {move.decision(view.phase) for move in view.legal}
        found = {child.code for child in children_of(search["nodes"][0], 0)}
        assert found <= legal
        assert len(found) > 1
        assert search["nodes"][0]["prior"][list(children(search))].sum() == pytest.approx(
            1, abs=1e-4
        )


def children(search: Search) -> list[int]:
    return [child.number for child in children_of(search["nodes"][0], 0)]


def test_decisions_that_other_worlds_allow_are_added_later() -> None:
    """A hidden card may be in hand or not: then the priors of all decisions exceed one."""
    search = searched(view_after(Options(3), 3), 2000)
    nodes = search["nodes"][0]
    sums = [
        nodes["prior"][[child.number for child in children_of(nodes, node)]].sum()
        for node in range(1, int(search["used"][0]))
        if nodes["child"][node] >= 0
    ]
    assert min(sums) > 0.999
    assert max(sums) > 1.2


def test_a_full_tree_still_improves() -> None:
    search = searched(view_after(Options(4), 8), 500, room=60)
    assert search["used"][0] <= 60
    assert search["nodes"][0]["visits"][0] == 501


def view_codes(view: View) -> set[int]:
    return {move.decision(view.phase) for move in view.legal}


def best_share(state: State, seat: int | None) -> float:
    """Return the best share of the victory that a seat can still reach in its last turn."""
    outcome = state.outcome()
    if outcome is not None:
        return (seat in outcome.winners) / len(outcome.winners)
    return max(best_share(state.apply(code), seat) for code in state.legal_decisions())


def test_the_last_turn_is_played_for_the_victory() -> None:
    """Everything is open: the most visited decision is one that wins, where one does."""
    checked = 0
    for seed in range(40):
        game, rng = Game(Options(2), seed=seed), Random(seed)
        while game.turn < 47:
            game.decide(rng.choice(game.legal_decisions()))
        view = game.view(game.seat)
        shares = {code: best_share(game.state.apply(code), game.seat) for code in view_codes(view)}
        if len(set(shares.values())) > 1:
            search = searched(view, 200)
            best = max(children_of(search["nodes"][0], 0), key=lambda child: child.visits)
            assert shares[best.code] == max(shares.values())
            checked += 1
    assert checked


def test_the_shares_of_an_estimate_add_up() -> None:
    for players in (2, 3, 4, 5):
        assert sum(MIX[players]) == pytest.approx(1)
        assert np.min(MIX[players]) >= 0
