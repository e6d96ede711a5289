"""Teaches the network the decisions of `mcts`: needs no GPU.

    python training/distil.py play out/games.npz --games 400
    python training/distil.py fit out/games.npz network.npz out/network.npz

`play` lets `mcts` play against itself and keeps the visits of its searches; `fit` adjusts the heads
for decisions to them, or with --whole everything that the policy depends on. Estimates of victory
and points stay as they are, or nearly so.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import selfplay
from lanes import NO_OUTPUT
from selfplay import NOT_TRIED, Games, blank_games, deal

from patrizier.arena.executors import choose_executor
from patrizier.bots.learned.inputs import INPUTS, ONE_OUTPUT, outputs_of, write_inputs
from patrizier.bots.learned.value import load_weights
from patrizier.rules.apply import apply
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.jit import kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.legal import legal
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, Cells, new_cells
from patrizier.rules.view import hide

ITERATIONS = {2: 300, 3: 150, 4: 150, 5: 150}  # of the searches that teach

LESSON = aligned_record(
    ("inputs", INPUTS),
    ("one", "u1", MOST_DECISIONS),  # outputs of each legal decision, or NO_OUTPUT
    ("two", "u1", MOST_DECISIONS),
    ("visits", "u1", MOST_DECISIONS),
)


@kernel
def replay(
    cells: Cells,
    buffer: ScratchBuffer,
    codes: npt.NDArray[np.uint8],
    visits: npt.NDArray[np.uint8],
    lessons: npt.NDArray[np.void],
) -> int:
    """Replay a dealt game, and write a lesson for every decision; return how many."""
    state = cells[0]
    n = 0
    while state.phase != OVER:
        count = legal(state, buffer[0])
        if count == 1:
            apply(state, int(buffer[0].codes[0]))
            continue
        cells[1] = state
        hide(cells[1], int(state.seat))
        lesson = lessons[n]
        write_inputs(cells[1], lesson.inputs)
        for i in range(MOST_DECISIONS):
            lesson.one[i] = NO_OUTPUT
            lesson.two[i] = ONE_OUTPUT
            lesson.visits[i] = 0
        for i in range(count):
            if visits[n, i] != NOT_TRIED:
                lesson.one[i], lesson.two[i] = outputs_of(cells[1], int(buffer[0].codes[i]))
                lesson.visits[i] = visits[n, i]
        apply(state, int(codes[n]))
        n += 1
    return n


def lessons_of(games: Games) -> npt.NDArray[np.void]:
    """Return the lessons of all games."""
    found = np.zeros(int(games.lengths.sum()), LESSON)
    blanks = blank_games(games.players, games.seed)
    cells, buffer, place = new_cells(2), new_scratch(), 0
    for game in range(len(games.lengths)):
        cells[0] = blanks[(games.first + game) % len(blanks)]
        deal(cells, buffer, np.uint64(games.seed), games.first + game)
        place += replay(cells, buffer, games.codes[game], games.visits[game], found[place:])
    return found[:place]


def play(out: Path, count: int, seed: int, jobs: int | None) -> None:
    """Play games with two to five players, and write their lessons."""
    parts = []
    for players, iterations in ITERATIONS.items():
        begin = time.monotonic()
        games = selfplay.play(
            players, load_weights(players), count, iterations=iterations, seed=seed,
            executor=choose_executor("here", jobs),
        )  # fmt: skip
        parts.append(lessons_of(games))
        print(f"{players} players: {len(parts[-1])}, {time.monotonic() - begin:.0f} s", flush=True)
    lessons = np.concatenate(parts)
    np.savez_compressed(out, **{name: lessons[name] for name in ("one", "two", "visits")},
                        inputs=np.ascontiguousarray(lessons["inputs"]).view(np.int8)
                        .reshape(len(lessons), INPUTS.itemsize))  # fmt: skip


def fit(
    source: list[Path], before: Path, after: Path, epochs: float, rate: float, whole: bool
) -> None:
    """Fit the policy to lessons."""
    import torch
    from network import load, save

    torch.manual_seed(1)
    stored = [np.load(path) for path in source]
    data = {
        name: torch.from_numpy(np.concatenate([one[name] for one in stored]))
        for name in ("inputs", "one", "two", "visits")
    }
    order = torch.randperm(len(data["one"]))
    held, taught = order[: len(order) // 20], order[len(order) // 20 :]
    network = load(before)
    heads = ("play_card", "play_city", "play_table", "play", "act", "pass_by")
    chosen = [
        parameter
        for name, parameter in network.named_parameters()
        if whole or name.split(".")[0] in heads
    ]
    optimizer = torch.optim.AdamW(chosen, rate, weight_decay=1e-4)
    first = load(before)
    steps = int(epochs * len(taught) / 1024)
    for step in range(steps + 1):
        if step % max(1, steps // 8) == 0:
            with torch.no_grad():
                loss = float(_loss(network, data, held)[0])
            print(f"{step} of {steps}: {loss:.4f} on {len(held)} held out", flush=True)
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - step / (steps + 1))
        which = taught[torch.randint(len(taught), (1024,))]
        loss, said = _loss(network, data, which)
        if whole:  # what it says of the seats shall stay
            with torch.no_grad():
                wanted = first(data["inputs"][which])
            same = torch.nn.functional.kl_div(
                said.share.log_softmax(1), wanted.share.log_softmax(1), log_target=True,
                reduction="batchmean",
            )  # fmt: skip
            loss = loss + 2 * same + (said.points - wanted.points).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    save(network, after)


def _loss(network: Any, data: dict[str, Any], which: Any) -> tuple[Any, Any]:
    from network import log_policy

    said = network(data["inputs"][which])
    told = log_policy(said.logits, data["one"][which], data["two"][which])
    wanted = data["visits"][which].float()
    wanted = wanted / wanted.sum(1, keepdim=True).clamp(min=1.0)
    return -(wanted * told).sum(1).mean(), said


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="let `mcts` play, and keep its visits")
    playing.add_argument("out", type=Path, help="file to write the visits to")
    playing.add_argument(
        "--games", type=int, default=400, help="number of games for each number of players"
    )
    playing.add_argument("--seed", type=int, default=1, help="seed of the games")
    playing.add_argument("--jobs", type=int, help="number of processes")
    fitting = commands.add_parser("fit", help="fit a network to them")
    fitting.add_argument("source", type=Path, nargs="+", help="files that `play` wrote")
    fitting.add_argument("before", type=Path, help="file of the network to begin with")
    fitting.add_argument("after", type=Path, help="file to write the fitted network to")
    fitting.add_argument("--epochs", type=float, default=6, help="passes over all visits")
    fitting.add_argument("--rate", type=float, default=0.002, help="learning rate")
    fitting.add_argument(
        "--whole", action="store_true", help="fit all that the policy depends on, not only its head"
    )
    given = parser.parse_args()
    if given.command == "play":
        play(given.out, given.games, given.seed, given.jobs)
    else:
        fit(given.source, given.before, given.after, given.epochs, given.rate, given.whole)


if __name__ == "__main__":
    main()
