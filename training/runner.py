"""Runs all lanes step by step, on a GPU or on a processor, with the network between.

Arrays belong to PyTorch; compiled functions see the same memory as records.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from lanes import (
    EARLIER,
    LANE,
    OUTPUTS,
    STEP,
    TARGET,
    Lanes,
    finish,
    iterate,
    schedule,
    seed_lane,
    start,
    write_targets,
)
from network import Network
from torch import Tensor

from patrizier.bots.learned.inputs import INPUTS, LOGITS
from patrizier.bots.search.guided import CAUTION, MARGIN, guided_type
from patrizier.rules.board import MAX_CITIES, MAX_PLAYERS
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import SCRATCH
from patrizier.rules.state import STATE, Cells

EXPLORATION = 1.2  # more than in play
NODES = 14  # of a tree for each iteration


class Played(NamedTuple):
    """Steps of all lanes, as the network learns from them, by step and lane."""

    inputs: Tensor  # bytes of INPUTS
    share: Tensor
    points: Tensor
    places: Tensor
    tokens: Tensor
    players: Tensor
    teaches: Tensor
    one: Tensor
    two: Tensor
    policy: Tensor


@kernel
def _seed_all(it: Any, seed: np.uint64) -> None:
    for lane in range(len(it.lanes)):
        seed_lane(it, lane, seed)


@kernel
def _start_all(it: Any) -> None:
    for lane in range(len(it.lanes)):
        start(it, lane)


@kernel
def _iterate_all(it: Any, iteration: int, noise: bool) -> None:
    for lane in range(len(it.lanes)):
        iterate(it, lane, iteration, noise)


@kernel
def _finish_all(it: Any, steps: Any, kept: Any, t: int, playouts: int) -> None:
    for lane in range(len(it.lanes)):
        finish(it, lane, steps, kept, t, playouts)


@kernel
def _write_targets_all(steps: Any, targets: Any, horizon: float) -> None:
    for lane in range(steps.shape[1]):
        write_targets(steps, targets, lane, horizon)


class Runner:
    """Lanes with their memory, and the networks that guide them."""

    def __init__(
        self,
        blanks: Cells,
        kinds: np.ndarray[Any, np.dtype[np.int32]],  # of guest, by lane; earlier ones together
        chosen: np.ndarray[Any, np.dtype[np.int32]],  # number of the blank state, by lane
        *,
        iterations: int,  # at most
        steps: int,
        device: str,
        seed: int,
        noise: bool = True,
        playouts: int = 64,
    ) -> None:
        self.device, self.iterations, self.noise, self.playouts = (
            device,
            iterations,
            noise,
            playouts,
        )
        self.count, self.steps = len(kinds), steps
        count = len(kinds)
        lanes = np.zeros(count, LANE)
        lanes["kind"], lanes["blank"] = kinds, chosen
        trees = np.zeros(1, guided_type(NODES * (iterations + 1) + 32))
        trees["exploration"], trees["caution"] = EXPLORATION, CAUTION
        trees["room"] = NODES * (iterations + 1) + 32
        players = blanks["players"][chosen]
        self._bytes: dict[str, Tensor] = {}
        self._lanes = self._records("lanes", (count,), LANE, lanes)
        margin = np.array([MARGIN[number] for number in players], np.float32)
        self.trees = self._trees(trees, margin)
        self.inputs = torch.zeros((count, INPUTS.itemsize), dtype=torch.int8, device=device)
        self.outputs = torch.zeros((count, OUTPUTS), device=device)
        self.kept = torch.zeros((steps, count, INPUTS.itemsize), dtype=torch.int8, device=device)
        self.it = Lanes(
            self._lanes,
            self._records("cells", (count, 3), STATE),
            self._records("scratch", (count,), SCRATCH),
            self.trees,
            self._seen(self.inputs, INPUTS, (count,)),
            self._seen(self.outputs, None, (count, OUTPUTS)),
            self._records("blanks", (len(blanks),), STATE, blanks),
            self._schedule(iterations),
        )
        self._step_records = self._records("steps", (steps, count), STEP)
        self._target_records = self._records("targets", (steps, count), TARGET)
        self._kept_records = self._seen(self.kept, INPUTS, (steps, count))
        self.net = Network().to(device).eval()
        self.earlier = Network().to(device).eval()
        where = np.flatnonzero(kinds == EARLIER)
        self._guests = slice(int(where[0]), int(where[-1]) + 1) if len(where) else slice(0, 0)
        self._graph: Callable[[], None] | None = None
        self._run(_seed_all, "seed_lane", np.uint64(seed))

    def _trees(self, one: Any, margin: Any) -> Any:
        """Return a tree for every lane, with its margin."""
        kind = one.dtype
        row = torch.from_numpy(one.view(np.uint8).copy()).to(self.device)
        memory = row.repeat(self.count, 1).contiguous()
        self._bytes["trees"] = memory
        start = kind.fields["margin"][1]
        memory[:, start : start + 4] = torch.from_numpy(
            margin.view(np.uint8).reshape(-1, 4).copy()
        ).to(self.device)
        return self._seen(memory, kind, (self.count,))

    def _records(self, name: str, shape: tuple[int, ...], kind: Any, values: Any = None) -> Any:
        size = int(np.prod(shape)) * kind.itemsize
        if values is None:
            memory = torch.zeros(size, dtype=torch.uint8, device=self.device)
        else:
            flat = np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8)
            memory = torch.from_numpy(flat.copy()).to(self.device)
        self._bytes[name] = memory
        return self._seen(memory, kind, shape)

    def _seen(self, tensor: Tensor, kind: Any, shape: Any) -> Any:
        """Return a tensor's memory as compiled functions see it."""
        if self.device == "cpu":
            array = tensor.numpy()
            return array if kind is None else array.reshape(-1).view(kind).reshape(shape)
        from numba import cuda

        if kind is None:
            return cuda.as_cuda_array(tensor)
        return cuda.as_cuda_array(tensor.view(-1)).view(kind).reshape(*shape)

    def _run(self, whole: Any, name: str, *given: Any) -> None:
        if self.device == "cpu":
            whole(*((self.it, *given) if name != "targets" else given))
        else:
            import gpu_lanes

            count = self.count
            gpu_lanes.run(name, count, *((self.it, *given) if name != "targets" else given))

    def evaluate(self) -> None:
        """Let the networks evaluate the leaves of all lanes."""
        if self.device == "cpu" or self._graph is None:
            self._evaluate_now()
            if self.device != "cpu":
                self._graph = self._capture()
        else:
            self._graph()

    @torch.no_grad()
    def _evaluate_now(self) -> None:
        self._evaluate_by(self.net, slice(0, self.count))
        if self._guests.stop:
            own = self.outputs[self._guests].clone()
            self._evaluate_by(self.earlier, self._guests)
            start = LANE.fields["earlier"][1]  # type: ignore[index]
            flags = self._bytes["lanes"].view(self.count, -1)[self._guests, start : start + 1]
            self.outputs[self._guests] = torch.where(flags > 0, self.outputs[self._guests], own)

    def _evaluate_by(self, net: Network, which: slice) -> None:
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device != "cpu"):
            said = net(self.inputs[which])
        self.outputs[which, :LOGITS] = said.logits
        self.outputs[which, LOGITS : LOGITS + MAX_PLAYERS] = said.share
        self.outputs[which, LOGITS + MAX_PLAYERS :] = said.points

    def _capture(self) -> Callable[[], None]:
        """Return the same as one launch."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # type: ignore[no-untyped-call]
            for _ in range(2):
                self._evaluate_now()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._evaluate_now()
        return graph.replay

    def use(self, net: Network, earlier: Network | None = None) -> None:
        """Take over the weights of networks."""
        for own, given in ((self.net, net), (self.earlier, earlier)):
            if given is not None:
                for mine, theirs in zip(own.parameters(), given.parameters(), strict=True):
                    mine.data.copy_(theirs.data)

    def _schedule(self, iterations: int) -> Any:
        return self._seen(torch.from_numpy(schedule(iterations)).to(self.device), None, None)

    def search(self, iterations: int) -> None:
        """Search with so many iterations per decision from now on; there is room for the most."""
        self.iterations = iterations
        self.it = self.it._replace(schedule=self._schedule(iterations))

    def play(self, horizon: float) -> None:
        """Take as many decisions in every lane as are kept; see `write_targets` for the horizon."""
        for t in range(self.steps):
            self._run(_start_all, "start")
            for iteration in range(self.iterations):
                self.evaluate()
                self._run(_iterate_all, "iterate", iteration, self.noise)
            self.evaluate()
            self._run(
                _finish_all, "finish", self._step_records, self._kept_records, t, self.playouts
            )
        self._run(_write_targets_all, "targets", self._step_records, self._target_records, horizon)

    def ends(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return, of every game that ended, its lane, share and points of its seats, and guest."""
        step, lane = self._step("last", torch.uint8).nonzero().T
        share = self._step("final", torch.float32)[step, lane]
        points = self._step("points", torch.int16)[step, lane]
        return lane, share, points, self._step("guest", torch.int8)[step, lane]

    def _step(self, name: str, kind: torch.dtype) -> Tensor:
        return _column(self._bytes["steps"].view(self.steps, self.count, -1), STEP, name, kind)

    def played(self) -> Played:
        """Return what was played; the memory of positions is shared with the next steps."""
        targets = self._bytes["targets"].view(self.steps, self.count, -1)
        return Played(
            self.kept,
            _column(targets, TARGET, "share", torch.float32),
            _column(targets, TARGET, "points", torch.float32),
            _column(targets, TARGET, "places", torch.uint8),
            _column(targets, TARGET, "tokens", torch.uint8).unflatten(2, (MAX_CITIES, 2)),
            self._step("players", torch.uint8),
            self._step("teaches", torch.uint8),
            self._step("one", torch.uint8),
            self._step("two", torch.uint8),
            self._step("policy", torch.uint8),
        )


def _column(memory: Tensor, kind: Any, name: str, as_: torch.dtype) -> Tensor:
    """Return a copy of one field of records."""
    field, start = kind.fields[name][:2]
    found = memory[..., start : start + field.itemsize].contiguous().view(as_)
    return found if field.shape else found[..., 0]
