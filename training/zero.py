"""Learning from nothing: self-play and fitting in turns, on one GPU.

    python training/zero.py training/plans/zero.toml out/

Each round plays some steps in all lanes with the current network, then fits it to the latest
rounds. A plan is one file; it includes the seed, and how long the run takes. The folder gets four
files of a few megabytes: the network, a journal, all networks kept on the way (`league.npz`), and
a checkpoint from which the same command goes on. So a run may be killed at any time, or be done in
parts: with ``--seconds`` a call ends by itself in time, before a round that would take too long.
"""

import argparse
import copy
import json
import math
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from lanes import EARLIER, GREEDY, NO_PLACE, NOBODY, PLAIN
from network import POINTS, Network, Outputs, arrays_of, load, log_policy, network_of, save
from runner import Played, Runner
from torch import Tensor
from torch.nn import functional
from variety import KINDS, blank_games

from patrizier.rules.board import MAX_PLAYERS

LEAGUE = {EARLIER: "earlier", PLAIN: "plain", GREEDY: "greedy"}  # guests, in the order of lanes


class Plan(NamedTuple):
    """One run."""

    seed: int
    lanes: int
    players: dict[str, float]  # share of the lanes, by number of players
    iterations: int  # per decision, at first
    steps: int  # decisions in each lane, of a round
    kept_rounds: int
    batch: int
    reuse: float  # how often the network sees a decision, on average
    rate: float  # of learning, at first
    last_rate: float
    seconds: float  # of the whole run; the rate falls until then
    earlier: float  # share of lanes with an earlier network as guest
    plain: float  # share of lanes with a guest that searches by random playouts
    playouts: int  # of that guest, per decision
    horizon: float
    first_rounds: int  # which learn from results alone
    saved: int  # rounds between networks kept in the league
    decay: float = 0.999  # of the mean of weights that plays
    last_iterations: int = 0  # in the rest of the run, from `change` on; 0: the same
    change: float = 1.0  # a share of the run's time
    greedy: float = 0.0  # share of lanes with a guest that takes what looks best to `greedy`
    begin: str = ""  # a file of a network to go on from, beside the plan; else random numbers

    @classmethod
    def read(cls, path: Path) -> "Plan":
        """Read a plan; anything unknown in it is an error."""
        plan = cls(**tomllib.loads(path.read_text()))
        return plan._replace(begin=str(path.parent / plan.begin)) if plan.begin else plan

    def iterations_at(self, spent: float) -> int:
        """Return the iterations per decision after so many seconds."""
        late = self.last_iterations and spent >= self.change * self.seconds
        return self.last_iterations if late else self.iterations

    @property
    def most_iterations(self) -> int:
        """The most iterations of any round."""
        return max(self.iterations, self.last_iterations)


def lanes_of(plan: Plan) -> tuple[Any, Any]:
    """Return the kind of guest and the number of the blank state, by lane."""
    rng = np.random.default_rng(plan.seed)
    chosen = []
    ends = np.cumsum(list(plan.players.values()))
    ends = np.round(plan.lanes * ends / ends[-1]).astype(int)
    for players, count in zip(plan.players, np.diff(ends, prepend=0), strict=True):
        chosen.append(KINDS * (int(players) - 2) + rng.integers(0, KINDS, count))
    numbers = np.concatenate(chosen)
    numbers = numbers[np.argsort(rng.random(len(numbers)))]
    kinds = np.zeros(len(numbers), np.int32)
    begin = 0
    for kind, share in zip(LEAGUE, (plan.earlier, plan.plain, plan.greedy), strict=True):
        end = begin + round(share * len(kinds))
        kinds[begin:end] = kind
        begin = end
    for kind in (*LEAGUE, NOBODY):
        numbers[kinds == kind] = np.sort(numbers[kinds == kind])  # neighbours do similar work
    return kinds, numbers.astype(np.int32)


def losses(said: Outputs, played: Played, results_only: bool = False) -> dict[str, Tensor]:
    """Return the parts of the loss; on request the shares only learn from finished games."""
    players = played.players.long()
    seated = torch.arange(MAX_PLAYERS, device=players.device) < players[:, None]
    known = (played.places[:, 0] != NO_PLACE).float()
    some = known if results_only else torch.ones_like(known)
    share = said.share.masked_fill(~seated, -1e9).log_softmax(1).masked_fill(~seated, 0.0)
    gap = functional.smooth_l1_loss(said.points, played.points / POINTS, reduction="none")
    gap = (gap * seated).sum(1) / players
    places = said.places.masked_fill(~seated[:, None], -1e9)
    return {
        "policy": _policy_loss(said.logits, played),
        "share": -(some[:, None] * played.share * share).sum() / some.sum().clamp(min=1.0),
        "points": (known * gap).sum() / known.sum().clamp(min=1.0),
        "places": _cross_entropy(places, played.places),
        "tokens": _cross_entropy(said.tokens, played.tokens),
    }


def _cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    """Return the mean over what is known."""
    told = logits.log_softmax(-1).gather(-1, wanted.long().clamp(max=4).unsqueeze(-1)).squeeze(-1)
    known = wanted != NO_PLACE
    return -(told * known).sum() / known.sum().clamp(min=1)


def _policy_loss(logits: Tensor, played: Played) -> Tensor:
    told = log_policy(logits, played.one, played.two)
    wanted = played.policy.float()
    wanted = wanted / wanted.sum(1, keepdim=True).clamp(min=1.0)
    teaches = played.teaches.float()
    return -(teaches * (wanted * told).sum(1)).sum() / teaches.sum().clamp(min=1.0)


WEIGHTS = {"policy": 1.0, "share": 1.0, "points": 0.5, "places": 0.15, "tokens": 0.3}


# What a run that goes on may have changed.
_FREE = {"seconds", "begin"}


class Learner:
    """A run in its folder."""

    def __init__(self, plan: Plan, folder: Path, device: str) -> None:
        self.plan, self.folder, self.device = plan, folder, device
        torch.manual_seed(plan.seed)
        self.net = (load(Path(plan.begin)) if plan.begin else Network()).to(device)
        self.mean = copy.deepcopy(self.net).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), plan.rate, weight_decay=1e-4)
        self.round, self.spent, self.games, self.fitted = 0, 0.0, 0, 0
        self.took = 0.0  # seconds of the last round of this call
        self.rounds: list[Played] = []
        self.league = League(folder / "league.npz")
        if (folder / "checkpoint.pt").exists():
            self._resume()
        elif plan.begin:
            self.league.add(0, self.mean)
        kinds, chosen = lanes_of(plan)
        self.kinds = torch.from_numpy(kinds).to(device)
        blanks = np.concatenate([blank_games(players, plan.seed) for players in range(2, 6)])
        self.players = torch.from_numpy(blanks["players"][chosen].astype(np.int64)).to(device)
        self.runner = Runner(
            blanks, kinds, chosen, iterations=plan.most_iterations, steps=plan.steps, device=device,
            seed=plan.seed + self.round, playouts=plan.playouts,
        )  # fmt: skip

    def _resume(self) -> None:
        # On the processor, where the optimizer wants its counters.
        stored = torch.load(self.folder / "checkpoint.pt", map_location="cpu")
        plan, first = self.plan._asdict(), Plan(**stored["plan"])._asdict()
        if changed := [n for n in plan if plan[n] != first[n] and n not in _FREE]:
            raise SystemExit(f"{self.folder} is of a plan with another {', '.join(changed)}")
        self.net.load_state_dict(stored["net"])
        self.mean.load_state_dict(stored["mean"])
        self.optimizer.load_state_dict(stored["optimizer"])
        self.round, self.spent = stored["round"], stored["spent"]
        self.games, self.fitted = stored["games"], stored["fitted"]
        self.league.forget_after(self.round)
        torch.manual_seed(self.plan.seed + self.round)
        journal = self.folder / "journal.jsonl"  # a round may have been noted, but not stored
        lines = journal.read_text().splitlines() if journal.exists() else []
        journal.write_text("".join(f"{line}\n" for line in lines[: self.round]))

    def store(self) -> None:
        """Write down what the run needs to go on from here."""
        if self.round % self.plan.saved == 0:
            self.league.add(self.round, self.mean)
        replace(self.folder / "network.npz", lambda path: save(self.mean, path))
        stored = {
            "plan": self.plan._asdict(),
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "round": self.round,
            "spent": self.spent,
            "games": self.games,
            "fitted": self.fitted,
        }
        replace(self.folder / "checkpoint.pt", lambda path: torch.save(stored, path))

    def run(self, end: float) -> None:
        """Play and fit until the run's time is over, or the next round would not end in time."""
        rng = np.random.default_rng(self.plan.seed + self.round)
        while self.spent < self.plan.seconds:
            begin = time.monotonic()
            iterations = self.plan.iterations_at(self.spent)
            if iterations != self.runner.iterations:
                self.took *= iterations / self.runner.iterations
                self.runner.search(iterations)
            if begin + 1.1 * self.took > end:
                break
            guest = self.league.guest(rng)
            self.runner.use(self.mean, guest.to(self.device) if guest else self.mean)
            self.play()
            report = self._report()
            played_for = time.monotonic() - begin
            self._keep(self.runner.played())
            report |= self._fit()
            self.round += 1
            self.took = time.monotonic() - begin
            self.spent += self.took
            self._note(
                round=self.round, spent=round(self.spent), games=self.games, iterations=iterations,
                played=round(played_for, 1), fitted=round(self.took - played_for, 1), **report,
            )  # fmt: skip
            self.store()

    def play(self) -> None:
        """Play a round; the first ones learn from results only."""
        self.runner.play(self.plan.horizon if self.round >= self.plan.first_rounds else 1.0)

    def _report(self) -> dict[str, Any]:
        """Return how many games ended, and how the guests did."""
        lane, share, points, guest = self.runner.ends()
        self.games += len(lane)
        kinds, players = self.kinds[lane], self.players[lane]
        won = share.gather(1, guest.long().clamp(min=0)[:, None])[:, 0]
        found: dict[str, Any] = {"ended": len(lane)}
        for number in range(2, MAX_PLAYERS + 1):
            own = points[players == number][:, :number]
            if len(own):
                found[f"points{number}"] = round(float(own.float().mean()), 2)
            for kind, name in LEAGUE.items():
                games = won[(kinds == kind) & (players == number)]
                if len(games):
                    found[f"{name}{number}"] = round(float(games.mean()), 3)
        return found

    def _keep(self, played: Played) -> None:
        flat = Played(*(tensor.flatten(0, 1) for tensor in played))
        self.rounds.append(flat._replace(inputs=flat.inputs.clone()))
        kept = self.plan.kept_rounds if self.round >= self.plan.first_rounds else 1
        del self.rounds[: max(0, len(self.rounds) - kept)]

    def _fit(self) -> dict[str, float]:
        """Fit to the kept rounds, and report the mean losses."""
        count = len(self.rounds[-1].players)
        steps = max(1, int(self.plan.reuse * count / self.plan.batch))
        sums: dict[str, Tensor] = {}
        for step in range(steps):
            done = min(1.0, self.spent / self.plan.seconds)
            rate = self.plan.last_rate + (self.plan.rate - self.plan.last_rate) * 0.5 * (
                1 + math.cos(math.pi * done)
            )
            if self.round == 0:
                rate *= min(1.0, (step + 1) / 100)
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            source = self.rounds[int(torch.randint(len(self.rounds), (1,)))]
            which = torch.randint(len(source.players), (self.plan.batch,), device=self.device)
            batch = Played(*(tensor[which] for tensor in source))
            with torch.autocast("cuda", torch.bfloat16, enabled=self.device != "cpu"):
                said = self.net(batch.inputs)
            parts = losses(said, batch, self.round < self.plan.first_rounds)
            self.optimizer.zero_grad(set_to_none=True)
            torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum().backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimizer.step()
            with torch.no_grad():
                for mean, own in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                    mean.lerp_(own, 1 - min(self.plan.decay, self.fitted / (self.fitted + 10)))
            self.fitted += 1
            for name, part in parts.items():
                sums[name] = sums.get(name, torch.zeros((), device=self.device)) + part.detach()
        return {name: round(float(part) / steps, 4) for name, part in sums.items()}

    def _note(self, **what: Any) -> None:
        print(" ".join(f"{name}={value}" for name, value in what.items()), flush=True)
        with (self.folder / "journal.jsonl").open("a") as journal:
            journal.write(json.dumps(what) + "\n")


class League:
    """Networks from earlier in the run, in one file with half as many digits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._networks: dict[int, dict[str, np.ndarray[Any, Any]]] = {}  # by round
        if path.exists():
            with np.load(path) as stored:
                for name in stored.files:
                    number, _, array = name.partition("/")
                    self._networks.setdefault(int(number), {})[array] = stored[name]

    def add(self, number: int, network: Network) -> None:
        """Add a network after a round, and write the file."""
        found = {name: array.astype(np.float16) for name, array in arrays_of(network).items()}
        self._networks[number] = found
        arrays = {
            f"{number:04}/{name}": array
            for number, network in self._networks.items()
            for name, array in network.items()
        }
        replace(self._path, lambda path: np.savez_compressed(path, **arrays))

    def forget_after(self, number: int) -> None:
        """Forget the networks of later rounds."""
        self._networks = {n: found for n, found in self._networks.items() if n <= number}

    def guest(self, rng: np.random.Generator) -> Network | None:
        """Return one of the latest eight, if there is any."""
        latest = list(self._networks.values())[-8:]
        return network_of(latest[int(rng.integers(len(latest)))]) if latest else None

    def save(self, number: int, path: Path) -> None:
        """Write one of them as a file of its own."""
        np.savez_compressed(path, **self._networks[number])  # type: ignore[arg-type,unused-ignore]


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file that is whole at any time."""
    part = path.with_name(f"part-{path.name}")
    write(part)
    part.replace(path)


def main() -> None:
    """Carry out a plan."""
    begin = time.monotonic()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plan", type=Path, help="the plan of the run, a TOML file")
    parser.add_argument("folder", type=Path, help="folder of the run, which may have begun")
    parser.add_argument(
        "--seconds",
        type=float,
        default=math.inf,
        help="seconds after which to stop for now",
    )
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    learner = Learner(Plan.read(given.plan), given.folder, device)
    learner.run(begin + given.seconds)
    over = learner.spent >= learner.plan.seconds
    print("training is complete" if over else "stopped: the same command continues", flush=True)


if __name__ == "__main__":
    main()
