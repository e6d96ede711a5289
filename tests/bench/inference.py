"""What the network costs on one core: microseconds of processor time a position, part by part.

    python tests/bench/inference.py
    python tests/bench/inference.py --network found.npz --players 2 4 --iterations 2000

The positions are those that a search meets, in its order, on which the cache depends.
``empty cache`` is a position without a cache, ``the same again`` one that was just evaluated.
Without a network in the package, random numbers stand in for it.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from patrizier import Game, Options, View
from patrizier.bots.learned.inputs import INPUTS, write_inputs
from patrizier.bots.learned.network import (
    Activations,
    Inputs,
    Network,
    embed_cards,
    embed_cities,
    embed_table,
    infer,
    infer_policy,
    infer_values,
    load_network,
    new_activations,
    pass_messages,
    read_network,
)
from patrizier.bots.search.guided import back_up, descend, expand, guided_type, plant
from patrizier.bots.search.tree import NONE
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import STATE, Cells
from patrizier.rules.view import fill_in

Tree = npt.NDArray[np.void]
PARTS = ("cities", "cards", "table", "messages", "values", "policy")
ROOM = 100_000  # nodes
ROUNDS = 5


@kernel
def search(
    known: Cells,
    met: Cells,
    scratch: ScratchBuffer,
    tree: Tree,
    inputs: Inputs,
    activations: Activations,
    network: Network,
) -> int:
    """Search with the network; keep the positions it evaluated, and return how many there are."""
    here, count = tree[0], 0
    plant(here)
    for _ in range(len(met)):
        state = met[count]
        met[count] = known[0]
        fill_in(state, scratch[0])
        if descend(state, scratch[0], here, NONE):
            write_inputs(state, inputs[0])
            infer(inputs[0], activations[0], network[0])
            expand(state, scratch[0], here, activations[0].logits)
            players, seat = int(state.players), int(state.seat)
            for distance in range(players):
                here.share[seat] = activations[0].share[distance]
                here.points[seat] = activations[0].points[distance]
                seat = seat + 1 if seat + 1 < players else 0
            count += 1
        back_up(here)
    return count


@kernel
def write_all(met: Cells, inputs: Inputs) -> None:
    """Write the inputs of all positions."""
    for i in range(len(met)):
        write_inputs(met[i], inputs[i])


@kernel
def infer_until(inputs: Inputs, activations: Activations, network: Network, parts: int) -> None:
    """Run the first parts of the network on all positions."""
    for i in range(len(inputs)):
        embed_cities(inputs[i], activations[0], network[0])
        if parts > 1:
            embed_cards(inputs[i], activations[0], network[0])
        if parts > 2:
            embed_table(inputs[i], activations[0], network[0])
        if parts > 3:
            pass_messages(activations[0], network[0])
        if parts > 4:
            infer_values(inputs[i], activations[0], network[0])
        if parts > 5:
            infer_policy(inputs[i], activations[0], network[0])


@kernel
def infer_often(
    inputs: Inputs, activations: Activations, network: Network, times: int, empty: bool
) -> None:
    """Run the network so many times on each position."""
    for i in range(len(inputs)):
        for _ in range(times):
            if empty:
                activations[0].stamp = 0
            infer(inputs[i], activations[0], network[0])


def roots(players: int, seed: int) -> Iterator[View]:
    """Yield positions of a random game."""
    game, rng = Game(Options(players), seed=seed), Random(seed)
    while game.turn < 40:
        if len(game.decisions) % 7 == 3:
            yield game.view(game.seat)
        game.decide(rng.choice(game.legal_decisions()))


def met_by_search(players: int, network: Network, iterations: int) -> Cells:
    """Return the positions that searches meet."""
    tree, found = np.zeros(1, guided_type(ROOM)), []
    for name, value in (("players", players), ("room", ROOM), ("exploration", 1.0)):
        tree[name] = value
    for number, view in enumerate(roots(players, players)):
        met = np.zeros(iterations, STATE)
        given = met, new_scratch(number), tree, np.zeros(1, INPUTS), new_activations(), network
        found.append(met[: search(view.known(), *given)])
    return np.concatenate(found)


def microseconds(work: Callable[[], object], positions: int) -> float:
    """Return the least time of several rounds for each position."""
    work()
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return 1e6 * best / positions


def measured(players: int, network: Network, iterations: int) -> dict[str, float]:
    """Return the microseconds of every part."""
    met = met_by_search(players, network, iterations)
    inputs, activations, count = np.zeros(len(met), INPUTS), new_activations(), len(met)
    times = {"inputs": microseconds(lambda: write_all(met, inputs), count)}
    total = 0.0
    for number, part in enumerate(PARTS):
        until = microseconds(
            lambda n=number + 1: infer_until(inputs, activations, network, n),  # type: ignore[misc]
            count,
        )
        times[part], total = until - total, until
    times["network"] = total
    some = inputs[::50]
    for name, repeats, empty in (("empty cache", 1, True), ("the same again", 20, False)):
        once = microseconds(
            lambda n=repeats, f=empty: infer_often(some, activations, network, n, f),  # type: ignore[misc]
            repeats * len(some),
        )
        times[name] = once
    return times


def chosen_network(path: Path | None) -> Network:
    """Return the network to measure."""
    if path is not None:
        return read_network(path)
    try:
        return load_network()
    except FileNotFoundError:
        sys.path.insert(0, str(Path(__file__).parent.parent))
        from bots.learned.random_network import random_arrays, write_network

        with tempfile.TemporaryDirectory() as folder:
            return read_network(write_network(random_arrays(1), Path(folder) / "random.npz"))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", type=Path, help="a file that the training saved")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--iterations", type=int, default=1000, help="of each search")
    given = parser.parse_args()
    network = chosen_network(given.network)
    columns = {n: measured(n, network, given.iterations) for n in given.players}
    table = Table("µs", *(f"{n} players" for n in columns))
    for name in columns[given.players[0]]:
        table.add_row(name, *(f"{times[name]:.2f}" for times in columns.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
