"""Units on a Ray cluster: several nodes on this machine, some of which are killed."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from analysis.games import random_game
from arena.executors.jobs import Deadly, Faulty, Squares, Together, Waiting
from patrizier import Options
from patrizier.arena.analyses import analyse_all
from patrizier.arena.executors import ExecutorError, LostUnit, Processes
from patrizier.arena.executors.fingerprint import fingerprint
from patrizier.arena.executors.ray_cluster import RayCluster
from patrizier.arena.match import MatchResult
from patrizier.arena.schedule import Plan
from patrizier.arena.standings import standings
from patrizier.arena.tournament import run

PLAN = Plan.of(["greedy", "random"], Options(players=3), games=24, seed=5)

_STARTS = 3  # attempts to start a cluster
TESTS = str(Path(__file__).parents[2])


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of one node with one core; tests add nodes and kill them."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", TESTS)  # the workers import the tests' jobs, too
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        made = _start(Cluster)
        patch.setenv("RAY_ADDRESS", made.address)
        yield made
        ray.shutdown()
        made.shutdown()


def _start(kind: Any) -> Any:
    """Start a cluster; on a busy machine Ray may give up waiting for its own processes."""
    for attempt in range(_STARTS):
        try:
            return kind(initialize_head=True, head_node_args={"num_cpus": 1})
        except Exception:
            if attempt == _STARTS - 1:
                raise
    return None


def flat(executor: RayCluster, job: Any, units: range) -> list[Any]:
    return [result for _, results in executor.run(job, units) for result in results]


def figures(results: list[Any], plan: Plan = PLAN) -> dict[str, Any]:
    """Return the standings without times, which no two runs share."""
    found = standings(plan.entrants, results).to_json()
    for bot in found["bots"]:
        del bot["seconds_per_turn"]
    return found


def test_results_come_in_order_from_all_nodes(cluster: Any, tmp_path: Path) -> None:
    node = cluster.add_node(num_cpus=1)
    executor = RayCluster()
    assert flat(executor, Waiting(tmp_path, 20), range(20)) == list(range(20))
    assert [each.workers for each in executor.nodes()] == [1, 1]
    assert all(each.speed > 0 for each in executor.nodes())
    cluster.remove_node(node)


def test_a_unit_that_kills_its_worker_is_tried_three_times(cluster: Any, tmp_path: Path) -> None:
    executor = RayCluster()
    job = Deadly(tmp_path, ((1, 1), (3, 99)))
    assert flat(executor, job, range(5)) == [0, 1, 2, 4]
    (lost,) = executor.lost
    assert isinstance(lost, LostUnit)
    assert (lost.unit, lost.attempts) == (3, 3)
    assert "died" in lost.reason


def test_an_error_of_the_job_ends_the_run(cluster: Any) -> None:
    with pytest.raises(ZeroDivisionError, match="unit 3"):
        flat(RayCluster(), Faulty(), range(6))


def test_standings_are_those_of_this_machine_though_a_node_is_killed(
    cluster: Any, tmp_path: Path
) -> None:
    node = cluster.add_node(num_cpus=1)
    executor = RayCluster()
    results: list[MatchResult] = []
    with closing(executor.run(Together(PLAN, folder=tmp_path), PLAN.units())) as parts:
        for _, found in parts:
            if not results:
                assert len(executor.nodes()) == 2
                cluster.remove_node(node, allow_graceful=False)
            results += found
    assert figures(results) == figures(run(PLAN, executor=Processes(2)))
    assert executor.lost == []


def test_a_run_interrupted_here_is_resumed_there(cluster: Any, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    whole = figures(run(PLAN, journal=journal))
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:9]) + lines[9][:20])
    assert figures(run(PLAN, executor=RayCluster(), journal=journal)) == whole


def test_a_worker_with_other_sources_is_refused(cluster: Any) -> None:
    here = {**fingerprint(), "sources": "0123456789ab"}
    with pytest.raises(ExecutorError, match=r"other versions: sources are \w+ there and 0123456"):
        flat(RayCluster(versions=here), Squares(), range(3))


def test_bots_of_the_current_folder_travel(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "travelling.py").write_text(
        "from patrizier.bots.base import Bot\n"
        "class Last(Bot):\n"
        "    name, about = 'last', 'Plays the last turn of the list.'\n"
        "    def choose(self, view, rng):\n"
        "        return view.legal[-1]\n"
    )
    monkeypatch.chdir(home)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    plan = Plan.of(["travelling.Last", "random"], Options(players=2), games=2)
    results = run(plan, executor=RayCluster())
    assert [result.incidents for result in results] == [(), ()]


def test_bots_of_installed_packages_travel_with_their_names(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package is on the driver's path only, as if installed on its machine alone."""
    package, info = tmp_path / "lastly", tmp_path / "lastly-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("from .player import Last\n")
    (package / "player.py").write_text(
        "from patrizier.bots.base import Bot\n"
        "class Last(Bot):\n"
        "    name, about = 'lastly', 'Plays the last turn of the list.'\n"
        "    def choose(self, view, rng):\n"
        "        return view.legal[-1]\n"
    )
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lastly\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[patrizier.bots]\nlastly = lastly:Last\n")
    monkeypatch.syspath_prepend(tmp_path)
    plan = Plan.of(["lastly", "random"], Options(players=2), games=2)
    there = run(plan, executor=RayCluster())
    assert [result.incidents for result in there] == [(), ()]
    assert figures(there, plan) == figures(run(plan), plan)


def test_analyses_are_those_of_this_machine(cluster: Any) -> None:
    games = (random_game(2, seed, turns=3) for seed in (1, 2))
    records = [game.record(("Anna", "Ben")) for game in games]
    there, here = (
        list(analyse_all(records, executor)) for executor in (RayCluster(), Processes(1))
    )
    assert there == here
    assert None not in there
