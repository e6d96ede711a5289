"""How well a run scales on a Ray cluster: one and two nodes of one core each, on this machine.

    python tests/bench/cluster.py --bots mcts:200 greedy --deals 40

Both runs play the same games, after a first one in which every worker compiles. Then the cost of
a unit's way to its worker and back is measured with units that compute nothing, and what both
figures mean for larger clusters: the driver hands out units one by one, so a cluster is busy as
long as the units of all its cores take longer than handing them out.
"""

import argparse
import os
import pickle
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from patrizier import Options
from patrizier.arena.executors import Executor, InProcess, Job, Worker
from patrizier.arena.executors.ray_cluster import RayCluster
from patrizier.arena.schedule import Plan
from patrizier.arena.tournament import DealJob

sys.path.insert(0, str(Path(__file__).parents[1]))
from arena.executors.jobs import Squares

_EMPTY_UNITS = 2000
_CORES = (64, 1000)


def seconds(executor: Executor, job: Job[Any, Any], units: Sequence[Any], skip: int) -> float:
    """Return the time for all units but the first few, which wait for workers to start."""
    begin = time.perf_counter()
    with closing(executor.run(job, units)) as parts:
        for number, _ in enumerate(parts):
            if number == skip - 1:
                begin = time.perf_counter()
    return time.perf_counter() - begin


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", nargs=2, default=["mcts:200", "greedy"])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=40)
    given = parser.parse_args()
    plan = Plan.of(given.bots, Options(given.players), games=given.deals * given.players)
    job, units = DealJob(plan), list(plan.units())
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    os.environ["RAY_ADDRESS"] = cluster.address
    skip = max(4, len(units) // 5)
    alone = seconds(InProcess(), job, units[:skip] + units, skip)
    one = seconds(RayCluster(), job, units[:skip] + units, skip)
    cluster.add_node(num_cpus=1)
    two = seconds(RayCluster(), job, units[:skip] + units, skip)
    way = seconds(RayCluster(), Squares(), list(range(_EMPTY_UNITS)), 100)
    way /= _EMPTY_UNITS - 100
    unit = alone / len(units)
    size = len(pickle.dumps(list(job.run(units[0], Worker()))))
    print(f"{len(units)} deals of {' and '.join(given.bots)}, {given.players} players")
    print(f"this process {alone:.1f} s; one node {one:.1f} s; two nodes {two:.1f} s")
    print(f"two nodes: {one / two:.2f} times one; one node: {alone / one:.2f} times this process")
    print(f"a unit takes {1000 * unit:.1f} ms, its way {1000 * way:.2f} ms, {size:,} bytes back")
    for cores in _CORES:
        print(f"{cores} cores: busy {min(1.0, unit / way / cores):.0%}")
    print(f"busy up to {unit / way:,.0f} cores")
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
