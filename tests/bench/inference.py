"""What the network costs on one core: microseconds of processor time a position, part by part.

    python tests/bench/inference.py
    python tests/bench/inference.py --network found.npz --players 2 4 --iterations 2000

The positions are those that a search meets, in its order, as what the buffer keeps depends on it.
``nothing kept`` is a position for an empty buffer, ``the same again`` one that was just judged.
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
    Inputs,
    Network,
    Thoughts,
    judge_decisions,
    judge_seats,
    load_network,
    look_at_cards,
    look_at_cities,
    look_at_table,
    new_thoughts,
    pass_on,
    read_network,
    think,
)
from patrizier.bots.search.guided import back_up, descend, expand, guided_type, plant
from patrizier.bots.search.tree import NONE
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import STATE, Cells
from patrizier.rules.view import fill_in

Tree = npt.NDArray[np.void]
PARTS = ("cities", "cards", "table", "passed on", "seats", "decisions")
ROOM = 100_000  # nodes
ROUNDS = 5


@kernel
def search(
    known: Cells,
    met: Cells,
    scratch: ScratchBuffer,
    tree: Tree,
    inputs: Inputs,
    thoughts: Thoughts,
    network: Network,
) -> int:
    """Search with the network; keep the positions it judged, and return how many there are."""
    here, judged = tree[0], 0
    plant(here)
    for _ in range(len(met)):
        state = met[judged]
        met[judged] = known[0]
        fill_in(state, scratch[0])
        if descend(state, scratch[0], here, NONE):
            write_inputs(state, inputs[0])
            think(inputs[0], thoughts[0], network[0])
            expand(state, scratch[0], here, thoughts[0].logits)
            players, seat = int(state.players), int(state.seat)
            for distance in range(players):
                here.share[seat] = thoughts[0].share[distance]
                here.points[seat] = thoughts[0].points[distance]
                seat = seat + 1 if seat + 1 < players else 0
            judged += 1
        back_up(here)
    return judged


@kernel
def write_all(met: Cells, inputs: Inputs) -> None:
    """Write the inputs of all positions."""
    for i in range(len(met)):
        write_inputs(met[i], inputs[i])


@kernel
def think_until(inputs: Inputs, thoughts: Thoughts, network: Network, parts: int) -> None:
    """Judge all positions, but only with the first parts."""
    for i in range(len(inputs)):
        look_at_cities(inputs[i], thoughts[0], network[0])
        if parts > 1:
            look_at_cards(inputs[i], thoughts[0], network[0])
        if parts > 2:
            look_at_table(inputs[i], thoughts[0], network[0])
        if parts > 3:
            pass_on(thoughts[0], network[0])
        if parts > 4:
            judge_seats(inputs[i], thoughts[0], network[0])
        if parts > 5:
            judge_decisions(inputs[i], thoughts[0], network[0])


@kernel
def think_often(
    inputs: Inputs, thoughts: Thoughts, network: Network, times: int, forget: bool
) -> None:
    """Judge each position so many times."""
    for i in range(len(inputs)):
        for _ in range(times):
            if forget:
                thoughts[0].stamp = 0
            think(inputs[i], thoughts[0], network[0])


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
        given = met, new_scratch(number), tree, np.zeros(1, INPUTS), new_thoughts(), network
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
    inputs, thoughts, count = np.zeros(len(met), INPUTS), new_thoughts(), len(met)
    times = {"inputs": microseconds(lambda: write_all(met, inputs), count)}
    total = 0.0
    for number, part in enumerate(PARTS):
        until = microseconds(lambda n=number: think_until(inputs, thoughts, network, n + 1), count)  # type: ignore[misc]
        times[part], total = until - total, until
    times["network"] = total
    some = inputs[::50]
    for name, repeats, forget in (("nothing kept", 1, True), ("the same again", 20, False)):
        once = microseconds(
            lambda n=repeats, f=forget: think_often(some, thoughts, network, n, f),  # type: ignore[misc]
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
        from random_network import random_arrays, write_network

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
