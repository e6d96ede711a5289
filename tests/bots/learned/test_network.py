"""The network in compiled code against the same sums in NumPy, and in PyTorch."""

import importlib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from bots.learned.random_network import Arrays, random_arrays, write_network
from patrizier import Game, Options
from patrizier.bots.learned.inputs import AT_DRAW, AT_MESSENGER, AT_MOVE, BUILDS, INPUTS, LOGITS
from patrizier.bots.learned.network import (
    POINTS,
    WIDTH,
    Activations,
    Network,
    infer_cells,
    new_activations,
    new_inputs,
    read_network,
)
from patrizier.rules.board import HAND, MAX_PLAYERS
from patrizier.rules.state import new_cells
from support.kinds import for_every
from support.outsiders import KINDS, good_games

Floats = npt.NDArray[np.float32]
EVERY = for_every(KINDS, plain=(KINDS[2],))
OUTPUTS = {
    "build": range(AT_MOVE),
    "move": range(AT_MOVE, AT_DRAW),
    "draw": range(AT_DRAW, AT_MESSENGER),
    "messenger": range(AT_MESSENGER, LOGITS),
}


@cache
def games(options: Options) -> list[Game]:
    """Return unfinished games of a kind, in each phase, early and late."""
    return [g for g in good_games() if g.options == options and not g.is_over]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Network:
    folder = tmp_path_factory.mktemp("network")
    return read_network(write_network(random_arrays(1), folder / "network.npz"))


class Told(NamedTuple):
    """What is told of a position, for the decisions and seats there are."""

    logits: Floats
    share: Floats
    points: Floats


def told(
    game: Game, inputs: npt.NDArray[np.void], activations: Activations, network: Network
) -> Told:
    """Return what the compiled network says."""
    cells, players = new_cells(), game.options.players
    cells[0] = game.state.record
    infer_cells(cells, inputs, activations, network)
    here = activations[0]
    assert not here["share"][players:].any()
    return Told(
        here["logits"][places(game, inputs)],
        here["share"][:players].copy(),
        here["points"][:players].copy(),
    )


def places(game: Game, inputs: npt.NDArray[np.void]) -> list[int]:
    """Return the outputs for decisions of this phase; an empty place in the hand has none."""
    return [
        place
        for place in OUTPUTS[str(game.phase)]
        if game.phase != "build" or inputs["goals"][0, place // BUILDS] >= 0
    ]


def softmax(numbers: Floats) -> Floats:
    odds = np.exp(numbers - numbers.max())
    return np.asarray(odds / odds.sum(), np.float32)


def agree(one: Told, two: Told) -> None:
    assert one.logits == pytest.approx(two.logits, abs=1e-3)
    assert one.share == pytest.approx(two.share, abs=1e-4)
    assert one.points == pytest.approx(two.points, abs=2e-3)


# -- against the same in other words


def by_numpy(arrays: Arrays, inputs: npt.NDArray[np.void]) -> tuple[Floats, Floats, Floats]:
    """Return all logits, the logits of shares, and points."""
    seen = inputs[0]

    def layer(name: str, numbers: Any, rows: slice = slice(None)) -> Floats:
        bias = arrays.get(f"{name}.bias")
        out = np.asarray(numbers, np.float32) @ arrays[f"{name}.weight"][rows].T
        return np.asarray(out if bias is None else out + bias[rows], np.float32)

    cities = np.maximum(layer("city", seen["cities"]), 0)
    cards = np.zeros((len(seen["goals"]), WIDTH), np.float32)
    lying, naming = np.zeros_like(cities), np.zeros_like(cities)
    for place, goal in enumerate(seen["goals"].tolist()):
        if goal >= 0:
            shown = int(place >= HAND)
            card = layer("card", seen["cards"][place], slice(shown * WIDTH, (shown + 1) * WIDTH))
            card = card + layer("goal", cities[goal])
            if shown:
                card = card + layer("place", cities[place - HAND])
            cards[place] = np.maximum(card, 0)
            naming[goal] += cards[place]
            if shown:
                lying[place - HAND] = cards[place]
    sums = [cities.sum(0), cards[:HAND].sum(0), cards[HAND:].sum(0)]
    seats = np.concatenate([seen["seats"].ravel(), seen["table"]])
    table = np.maximum(layer("table", seats) + layer("gather", np.concatenate(sums)), 0)
    later = layer("keep", cities) + layer("lying", lying) + layer("named", naming)
    later = np.maximum(later + layer("tell", table), 0)
    table = np.maximum(layer("think", table) + layer("sum", later.sum(0)), 0)
    logits = []
    for slot in range(HAND):
        play = layer("play_card", cards[slot]) + layer("play_table", table)
        play = play + layer("play_city", later[seen["goals"][slot]])
        logits += layer("play", np.maximum(play, 0)).tolist()
    act, neither = layer("act", later), layer("pass_by", table)
    logits += [neither[0], *act[:, :2].ravel(), *act[:, 2], neither[1], *act[:, 3]]
    judged = layer("judge", table)
    points = POINTS * judged[MAX_PLAYERS:]
    return np.array(logits, np.float32), judged[:MAX_PLAYERS], points


@EVERY
def test_the_network_is_the_sum_it_says_it_is(options: Options, network: Network) -> None:
    arrays, inputs, activations = random_arrays(1), new_inputs(), new_activations()
    seen = set()
    for game in games(options):
        seen.add(game.phase)
        found = told(game, inputs, activations, network)
        logits, share, points = by_numpy(arrays, inputs)
        players = options.players
        expected = Told(logits[places(game, inputs)], softmax(share[:players]), points[:players])
        agree(found, expected)
        assert found.share.sum() == pytest.approx(1)
    phases = [phase for phase in OUTPUTS if phase != "messenger" or "messengers" in options.rules]
    assert seen == set(phases)


def test_it_says_the_same_as_pytorch(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch")
    training: Any = importlib.import_module("network")
    net = training.load(write_network(random_arrays(3), tmp_path / "random.npz"))
    training.save(net, tmp_path / "saved.npz")
    network, inputs, activations = (
        read_network(tmp_path / "saved.npz"),
        new_inputs(),
        new_activations(),
    )
    for game in (game for game in good_games() if not game.is_over):
        found, players = told(game, inputs, activations, network), game.options.players
        rows = torch.from_numpy(np.frombuffer(inputs.tobytes(), np.int8).copy())
        assert len(rows) == INPUTS.itemsize
        with torch.no_grad():
            outputs = net(rows[None])
        agree(
            found,
            Told(
                outputs.logits[0].numpy()[places(game, inputs)],
                softmax(outputs.share[0].numpy()[:players]),
                training.POINTS * outputs.points[0].numpy()[:players],
            ),
        )


# -- the cache


@EVERY
def test_the_cache_changes_nothing(options: Options, network: Network) -> None:
    """To the bit: with all that earlier positions left in it, and without."""
    inputs, used = new_inputs(), new_activations()
    for game in [*games(options), *games(options)[::-1]]:
        one = told(game, inputs, used, network)
        two = told(game, inputs, new_activations(), network)
        for mine, other in zip(one, two, strict=True):
            assert mine.tobytes() == other.tobytes()


def test_another_network_finds_an_empty_cache(network: Network, tmp_path: Path) -> None:
    another = read_network(write_network(random_arrays(2), tmp_path / "another.npz"))
    inputs, activations = new_inputs(), new_activations()
    for one, two in pairwise(games(KINDS[3])):
        told(one, inputs, activations, network)
        assert activations["stamp"] == network["stamp"] != another["stamp"]
        found = told(one, inputs, activations, another)
        fresh = told(one, inputs, new_activations(), another)
        assert found.logits.tobytes() == fresh.logits.tobytes()
        told(two, inputs, activations, another)


# -- files


def test_a_file_may_have_half_as_many_digits(network: Network, tmp_path: Path) -> None:
    path = write_network(random_arrays(1), tmp_path / "half.npz", "f2")
    assert path.stat().st_size < 1_000_000
    half, inputs = read_network(path), new_inputs()
    for game in games(KINDS[4])[::3]:
        one = told(game, inputs, new_activations(), network)
        two = told(game, inputs, new_activations(), half)
        assert one.share == pytest.approx(two.share, abs=0.02)
        assert one.logits.tobytes() != two.logits.tobytes()


def test_rows_begin_with_a_cache_line(network: Network) -> None:
    for record in (network, new_activations()):
        assert record.ctypes.data % 64 == 0
        for name, (kind, start, *_) in (record.dtype.fields or {}).items():
            wide = len(kind.shape) > 1
            assert not wide or start % 64 == 0, name
