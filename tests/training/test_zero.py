"""Runs of `zero`: one command that goes on after being killed, in files that can be carried."""

import importlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.learned.random_network import random_arrays, write_network
from patrizier.bots.learned.network import read_network

torch: Any = pytest.importorskip("torch")
zero: Any = importlib.import_module("zero")
networks: Any = importlib.import_module("network")
runner: Any = importlib.import_module("runner")

NO_PLACE = 255
PLAN = """
seed = 3
lanes = 24
players = { 2 = 0.4, 3 = 0.2, 4 = 0.2, 5 = 0.2 }
iterations = 2
last_iterations = 4
change = 0.5
steps = 12
kept_rounds = 2
batch = 64
reuse = 1.0
rate = 0.002
last_rate = 0.0001
seconds = 3600
earlier = 0.2
plain = 0.2
playouts = 4
greedy = 0.2
horizon = 0.98
first_rounds = 1
saved = 1
"""


@pytest.fixture
def plan(tmp_path: Path) -> Any:
    (tmp_path / "plan.toml").write_text(PLAN)
    return zero.Plan.read(tmp_path / "plan.toml")


class Killed(Exception):
    """Stands for whatever ends a run at once."""


def run(plan: Any, folder: Path, rounds: int, killed_in: str = "play") -> Any:
    """Play some rounds; the next one is cut off."""
    folder.mkdir(exist_ok=True)

    class Mortal(zero.Learner):  # type: ignore[misc]
        """Is killed when it plays or stores a round too many."""

        calls = 0

        def play(self) -> None:
            self._go_on("play")
            super().play()

        def store(self) -> None:
            self._go_on("store")
            super().store()

        def _go_on(self, method: str) -> None:
            self.calls += method == killed_in
            if self.calls > rounds:
                raise Killed

    learner = Mortal(plan, folder, "cpu")
    with pytest.raises(Killed):
        learner.run(math.inf)
    return learner


def journal(folder: Path) -> list[dict[str, Any]]:
    """Return what is noted of each round, and see that any program can read it."""
    lines = (folder / "journal.jsonl").read_text().splitlines()
    return [json.loads(line, parse_constant=pytest.fail) for line in lines]


def test_a_killed_run_goes_on(plan: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    one = run(plan, folder, 2)
    again = zero.Learner(plan, folder, "cpu")
    assert (again.round, again.fitted, again.games) == (2, one.fitted, one.games)
    for mine, other in zip(again.net.parameters(), one.net.parameters(), strict=True):
        assert (mine == other).all()
    assert len(again.optimizer.state_dict()["state"]) == len(one.optimizer.state_dict()["state"])
    run(plan, folder, 1, killed_in="store")
    assert [line["round"] for line in journal(folder)] == [1, 2, 3, 4]  # the fourth was not stored
    last = run(plan, folder, 2)
    lines = journal(folder)
    assert [line["round"] for line in lines] == [1, 2, 3, 4, 5]
    assert [line["games"] for line in lines] == sorted(line["games"] for line in lines)
    assert lines[0]["policy"] > 0
    assert last.spent > one.spent > 0
    network = read_network(folder / "network.npz")
    assert network["judge_bias"][0, :10] == pytest.approx(last.mean.judge.bias.numpy())
    files = list(folder.iterdir())
    assert {file.name for file in files} == {
        *("checkpoint.pt", "journal.jsonl", "league.npz", "network.npz")
    }
    assert max(file.stat().st_size for file in files) < 4_000_000


def test_a_folder_belongs_to_one_plan(plan: Any, tmp_path: Path) -> None:
    run(plan, tmp_path / "out", 1)
    zero.Learner(plan._replace(seconds=7200.0), tmp_path / "out", "cpu")
    with pytest.raises(SystemExit, match="another iterations, horizon"):
        zero.Learner(plan._replace(iterations=3, horizon=0.9), tmp_path / "out", "cpu")


def test_no_round_begins_that_would_not_end_in_time(plan: Any, tmp_path: Path) -> None:
    learner = zero.Learner(plan, tmp_path, "cpu")
    learner.took = 1000.0
    learner.run(zero.time.monotonic() + 500)
    assert learner.round == 0
    learner.spent = plan.seconds
    learner.run(math.inf)  # there is nothing left to do
    assert learner.round == 0


def test_later_rounds_search_more(plan: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run(plan, folder, 1)
    learner = zero.Learner(plan, folder, "cpu")
    learner.spent = learner.plan.seconds - 1e-3  # the next round is the last
    learner.run(math.inf)
    assert [line["iterations"] for line in journal(folder)] == [2, 4]
    assert learner.runner.it.schedule.shape[1] == 4


def test_a_run_may_go_on_from_a_network(plan: Any, tmp_path: Path) -> None:
    write_network(random_arrays(5), tmp_path / "first.npz")
    (tmp_path / "plan.toml").write_text(PLAN + 'begin = "first.npz"\n')
    later = zero.Plan.read(tmp_path / "plan.toml")
    learner = zero.Learner(later, tmp_path, "cpu")
    bias = random_arrays(5)["judge.bias"]
    assert learner.net.judge.bias.detach().numpy() == pytest.approx(bias)
    guest = zero.League(tmp_path / "league.npz").guest(np.random.default_rng(1))
    assert guest.judge.bias.detach().numpy() == pytest.approx(bias, abs=1e-3)


def test_the_league_keeps_all_and_invites_the_latest(tmp_path: Path) -> None:
    league, rng = zero.League(tmp_path / "league.npz"), np.random.default_rng(1)
    assert league.guest(rng) is None
    for number in range(1, 12):
        net = networks.Network()
        torch.nn.init.constant_(net.judge.bias, number)
        league.add(number, net)
    again = zero.League(tmp_path / "league.npz")
    found = {int(again.guest(rng).judge.bias[0]) for _ in range(200)}
    assert found == set(range(4, 12))
    again.save(2, tmp_path / "second.npz")
    assert read_network(tmp_path / "second.npz")["judge_bias"][0, 0] == 2
    again.forget_after(3)
    assert {int(again.guest(rng).judge.bias[0]) for _ in range(50)} == {1, 2, 3}


@pytest.mark.parametrize("name", ["zero", "further"])
def test_the_plans_can_be_read(name: str) -> None:
    plan = zero.Plan.read(Path(zero.__file__).parent / "plans" / f"{name}.toml")
    assert not plan.begin or Path(plan.begin).exists()
    kinds, numbers = zero.lanes_of(plan)
    assert len(kinds) == len(numbers) == plan.lanes


# -- losses


def test_losses_are_means_over_what_is_known() -> None:
    """Seat by seat and decision by decision, for a batch of two and five players."""
    torch.manual_seed(2)
    net = networks.Outputs(
        torch.randn(3, 57), torch.randn(3, 5), torch.randn(3, 5),
        torch.randn(3, 5, 5), torch.randn(3, 10, 2, 5),
    )  # fmt: skip
    players = [2, 5, 2]
    places = torch.full((3, 5), NO_PLACE, dtype=torch.uint8)
    places[0, :2] = torch.tensor([1, 0])
    places[1] = torch.tensor([0, 4, 1, 2, 3])  # of the third, the end is not known
    tokens = torch.full((3, 10, 2), NO_PLACE, dtype=torch.uint8)
    tokens[1, 3, 1] = 2
    one = torch.full((3, 22), NO_PLACE, dtype=torch.uint8)
    two = torch.full((3, 22), net.logits.shape[1], dtype=torch.uint8)
    policy = torch.zeros((3, 22), dtype=torch.uint8)
    one[:, 0], one[:, 1], two[1, 1] = 4, 7, 9
    policy[:, 0], policy[:, 1] = 200, 55
    share = torch.tensor([[0, 1, 0, 0, 0], [0.2] * 5, [0.5, 0.5, 0, 0, 0]])
    points = torch.tensor([[30.0, 40, 0, 0, 0], [10, 20, 30, 40, 50], [0, 0, 0, 0, 0]])
    played = runner.Played(
        torch.zeros(3), share, points, places, tokens, torch.tensor(players),
        torch.tensor([1, 1, 0]), one, two, policy,
    )  # fmt: skip
    found = {name: float(part) for name, part in zero.losses(net, played).items()}
    logits = net.logits.numpy()

    def cross(odds: Any, wanted: Any) -> float:
        odds = np.asarray(odds, float)
        return float(-(np.asarray(wanted) * (odds - np.log(np.exp(odds).sum()))).sum())

    teaching = [
        cross([row[4], row[7] + more], [200 / 255, 55 / 255])
        for row, more in ((logits[0], 0.0), (logits[1], logits[1, 9]))
    ]
    assert found["policy"] == pytest.approx(np.mean(teaching), abs=1e-5)
    shares = [cross(net.share[i, :n], share[i, :n]) for i, n in enumerate(players)]
    assert found["share"] == pytest.approx(np.mean(shares), abs=1e-5)
    gaps = []
    for i in (0, 1):
        gap = (net.points[i] - points[i] / 10)[: players[i]].abs().numpy()
        gaps.append(float(np.where(gap < 1, gap * gap / 2, gap - 0.5).mean()))
    assert found["points"] == pytest.approx(np.mean(gaps), abs=1e-5)
    ranks = [
        cross(net.places[i, seat, : players[i]], np.eye(players[i])[int(places[i, seat])])
        for i in (0, 1)
        for seat in range(players[i])
    ]
    assert found["places"] == pytest.approx(np.mean(ranks), abs=1e-5)
    assert found["tokens"] == pytest.approx(cross(net.tokens[1, 3, 1], np.eye(5)[2]), abs=1e-5)
    only = zero.losses(net, played, results_only=True)
    assert float(only["share"]) == pytest.approx(np.mean(shares[:2]), abs=1e-5)
