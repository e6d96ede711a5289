"""The parts of a step as kernels for a GPU, one thread a lane."""

from typing import Any

import lanes

from patrizier.kernels.gpu import cuda

BLOCK = 64  # threads


@cuda.jit
def _seed_lane(it, seed):  # type: ignore[no-untyped-def]
    lane = cuda.grid(1)
    if lane < len(it.lanes):
        lanes.seed_lane(it, lane, seed)


@cuda.jit
def _start(it):  # type: ignore[no-untyped-def]
    lane = cuda.grid(1)
    if lane < len(it.lanes):
        lanes.start(it, lane)


@cuda.jit
def _iterate(it, iteration, noise):  # type: ignore[no-untyped-def]
    lane = cuda.grid(1)
    if lane < len(it.lanes):
        lanes.iterate(it, lane, iteration, noise)


@cuda.jit
def _finish(it, steps, kept, t, playouts):  # type: ignore[no-untyped-def]
    lane = cuda.grid(1)
    if lane < len(it.lanes):
        lanes.finish(it, lane, steps, kept, t, playouts)


@cuda.jit
def _targets(steps, targets, horizon):  # type: ignore[no-untyped-def]
    lane = cuda.grid(1)
    if lane < steps.shape[1]:
        lanes.write_targets(steps, targets, lane, horizon)


_KERNELS = {
    "seed_lane": _seed_lane,
    "start": _start,
    "iterate": _iterate,
    "finish": _finish,
    "targets": _targets,
}


def run(name: str, count: int, *given: Any) -> None:
    """Launch a kernel over all lanes."""
    _KERNELS[name][-(-count // BLOCK), BLOCK](*given)
