"""An executor on a Ray cluster: one that runs already, or one started on this machine.

Every core of the cluster gets a worker (an actor), which compiles once and then computes unit
after unit. Nodes may come and go during a run.
"""

import logging
import platform
import tempfile
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic

from filelock import FileLock
from platformdirs import user_cache_path

from patrizier.arena.executors.base import (
    Executor,
    ExecutorError,
    Job,
    Node,
    Result,
    Unit,
    Worker,
)
from patrizier.arena.executors.fingerprint import differences, fingerprint
from patrizier.arena.executors.reference import measure_speed
from patrizier.arena.executors.scheduler import Backend, Died, Done, compute
from patrizier.arena.executors.travel import pack
from patrizier.arena.extras import load

_PAUSE = 1.0  # seconds after which new nodes are looked for
_MOST_FAILED_STARTS = 5  # of workers in a row


class RayCluster(Executor):
    """Computes units on all nodes of a Ray cluster.

    Ray finds a running cluster as usual: by ``RAY_ADDRESS``, else the one started last on this
    machine; without one it starts its own here. ``workers`` limits their number, ``versions`` are
    those that every worker must have.
    """

    def __init__(
        self, workers: int | None = None, versions: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self.workers = workers
        self.versions = fingerprint() if versions is None else versions
        self._ray = load("ray", "cluster")
        self._actors: _Actors[Any, Any] | None = None
        self._nodes: tuple[Node, ...] = ()

    def run(
        self, job: Job[Unit, Result], units: Iterable[Unit]
    ) -> Generator[tuple[Unit, list[Result]], None, None]:
        """Yield the units in order."""
        with tempfile.TemporaryDirectory(prefix="patrizier-") as name:
            folder = Path(name)
            pack(job.bots(), folder, job.modules())
            begun = self._connect(folder)
            actors: _Actors[Unit, Result] = _Actors(self._ray, self.workers, self.versions)
            self._actors = actors
            try:
                yield from compute(job, units, actors, self.lost)
            finally:
                self._nodes, self._actors = actors.nodes(), None
                if begun:
                    self._ray.shutdown()

    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes at work, or after the run those that were."""
        return self._actors.nodes() if self._actors else self._nodes

    def _connect(self, folder: Path) -> bool:
        """Connect to a cluster; return whether that was done here."""
        if self._ray.is_initialized():
            return False
        try:
            self._ray.init(
                runtime_env={"working_dir": str(folder)},
                log_to_driver=False,
                logging_level=logging.ERROR,
                include_dashboard=None,
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ExecutorError(f"no Ray cluster: {error}") from error
        return True


class _Actors(Backend[Unit, Result], Generic[Unit, Result]):
    """One worker per core of the cluster, as many as there are nodes for at any time."""

    def __init__(self, ray: Any, most: int | None, versions: Mapping[str, str]) -> None:
        self._ray = ray
        self._most = most
        self._versions = versions
        self._actor_class = ray.remote(num_cpus=1, max_restarts=0)(_RayWorker)
        self._starting: dict[Any, Any] = {}  # actor by the reference of its greeting
        self._idle: list[Any] = []
        self._running: dict[Any, tuple[Any, int]] = {}  # actor and unit by reference
        self._queue: list[tuple[int, Any]] = []  # units without a worker
        self._homes: dict[Any, tuple[str, str, float]] = {}  # node id, name, speed by actor
        self._job: Any = None
        self._speed = 0.0
        self._failed_starts = 0

    def start(self, job: Job[Unit, Result]) -> None:
        """Ask for workers."""
        self._job = self._ray.put(job)
        self._speed = measure_speed()
        self._grow()

    def capacity(self) -> int:
        """Return the number of workers, those about to start included."""
        return len(self._homes) + len(self._starting)

    def submit(self, number: int, unit: Unit) -> None:
        """Give a unit to an idle worker, or keep it until there is one."""
        self._queue.append((number, unit))
        self._hand_out()

    def wait(self) -> list[Done[Result] | Died]:
        """Wait a second at most; look after workers that start or have died."""
        pending = [*self._starting, *self._running]
        ready, _ = self._ray.wait(pending, timeout=_PAUSE) if pending else ([], [])
        events: list[Done[Result] | Died] = []
        for reference in ready:
            if reference in self._starting:
                self._greet(reference)
            else:
                events.append(self._ended(reference))
        if not ready:
            self._grow()
        self._hand_out()
        return events

    def stop(self) -> None:
        """Kill the workers."""
        for actor in [*self._starting.values(), *self._homes]:
            self._ray.kill(actor)

    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes with workers."""
        speeds = {name: speed for _, name, speed in self._homes.values()}
        names = [name for _, name, _ in self._homes.values()]
        return tuple(Node(name, names.count(name), speed) for name, speed in sorted(speeds.items()))

    def _grow(self) -> None:
        """Start a worker for every core that has none."""
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        wanted = cores if self._most is None else min(cores, self._most)
        for _ in range(wanted - self.capacity()):
            actor = self._actor_class.remote(self._job)
            self._starting[actor.greet.remote(self._versions, self._speed)] = actor

    def _greet(self, reference: Any) -> None:
        """Register a worker that is ready; raise ExecutorError if too many failed to start."""
        actor = self._starting.pop(reference)
        try:
            self._homes[actor] = self._ray.get(reference)
            self._idle.append(actor)
            self._failed_starts = 0
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            self._failed_starts += 1
            if self._failed_starts >= _MOST_FAILED_STARTS:
                raise ExecutorError(f"workers fail to start: {_first_line(error)}") from None

    def _ended(self, reference: Any) -> Done[Result] | Died:
        """Return the results of a unit, or that its worker died."""
        actor, number = self._running.pop(reference)
        try:
            results = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            node, name, _ = self._homes.pop(actor)
            gone = node not in self._alive() or "node has died" in str(error)
            return Died(number, f"the worker on {name} died: {_first_line(error)}", blameless=gone)
        self._idle.append(actor)
        return Done(number, results)

    def _alive(self) -> set[str]:
        return {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}

    def _hand_out(self) -> None:
        while self._queue and self._idle:
            number, unit = self._queue.pop(0)
            actor = self._idle.pop()
            self._running[actor.run.remote(unit)] = actor, number


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


class _RayWorker:
    """What runs in a worker process of the cluster."""

    def __init__(self, job: Job[Any, Any]) -> None:
        self._job = job
        self._worker = Worker()

    def greet(self, versions: Mapping[str, str], speed: float) -> tuple[str, str, float]:
        """Check versions, compile, measure; return the node's id, name and reference speed."""
        import ray

        context = ray.get_runtime_context()
        node = context.get_node_id()
        name = f"{platform.node()}/{node[:6]}"
        if found := differences(versions, fingerprint()):
            raise ExecutorError(f"the node {name} has other versions: {found}")
        own = self._prepare(name, speed)
        return node, name, own

    def _prepare(self, name: str, speed: float) -> float:
        """Compile one after the other: the first of a node compiles, the others find it done."""
        with FileLock(user_cache_path("patrizier", ensure_exists=True) / "worker.lock"):
            own = measure_speed()
            self._worker = Worker(name, slowness=speed / own)
            self._job.prepare(self._worker)
        return own

    def run(self, unit: Any) -> list[Any]:
        """Compute a unit."""
        return list(self._job.run(unit, self._worker))
