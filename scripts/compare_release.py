"""Compare this version with a released one: speed of the engine, strength of a bot.

python -m venv last
python scripts/compare_release.py last/bin/python --install --out comparison.md

Exits with 1 if this version is significantly slower or weaker.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).parent
SLOWEST = 0.9  # of the release's speed; machines are noisy
NO_RELEASE = "There is no release to compare with yet.\n"
STRONGER, NOT_STRONGER, UNDECIDED = 0, 1, 3  # exit statuses of `patrizier sprt`
_VERSION = "import patrizier; print(patrizier.__version__)"
_MAIN = "from patrizier.cli.main import app; app()"

Key = tuple[int, bool, int]


@dataclass(frozen=True)
class Speed:
    """Games a second of both versions, by players, messengers and cores."""

    here: dict[Key, float]
    released: dict[Key, float]

    @property
    def ratios(self) -> dict[Key, float]:
        """How many times as fast this version is."""
        return {
            key: self.here[key] / self.released[key] for key in self.here.keys() & self.released
        }

    @property
    def mean(self) -> float:
        """The geometric mean of all ratios."""
        return exp(sum(map(log, self.ratios.values())) / len(self.ratios))


def best_of(runs: Iterable[dict[str, Any]]) -> dict[Key, float]:
    """Return the best figure of each measurement: disturbances only make it slower."""
    best: dict[Key, float] = {}
    for run in runs:
        for row in run["results"]:
            key = (row["players"], row["messengers"], row["cores"])
            best[key] = max(best.get(key, 0.0), row["games_per_second"])
    return best


def install(python: str) -> bool:
    """Install the last release; return whether there is one."""
    command = [python, "-m", "pip", "install", "--quiet", "--upgrade", "patrizier"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode and "No matching distribution found for patrizier" not in done.stderr:
        raise SystemExit(done.stderr)
    return done.returncode == 0


def measure(python: str, rounds: int, seconds: float) -> Speed:
    """Run the benchmark of both versions alternately, so that a busy machine affects both."""
    here, released = list[dict[str, Any]](), list[dict[str, Any]]()
    for _ in range(rounds):
        for program, runs in ((sys.executable, here), (python, released)):
            told = _run(program, "bench", "--json", "--seconds", str(seconds))
            runs.append(json.loads(told.stdout))
    return Speed(best_of(here), best_of(released))


def duel(python: str, bot: str, players: int, games: int, jobs: int) -> dict[str, Any]:
    """Play until it is clear whether the release is stronger; return what `sprt --json` says."""
    words = ["sprt", "released_bot.ReleasedBot", bot, "--json", "--elo1", "20"]
    words += ["--players", str(players), "--games", str(games), "--jobs", str(jobs)]
    told = _run(
        sys.executable,
        *words,
        expect=(STRONGER, NOT_STRONGER, UNDECIDED),
        PATRIZIER_RELEASE=python,
        PATRIZIER_RELEASE_BOT=bot,
        PYTHONPATH=str(SCRIPTS),
    )
    return {"players": players, "is_weaker": told.returncode == STRONGER, **json.loads(told.stdout)}


def report(versions: tuple[str, str], speed: Speed, duels: list[dict[str, Any]]) -> str:
    """Return a page in Markdown."""
    here, released = versions
    lines = [
        f"# {here} against {released}",
        "",
        f"Speed: {speed.mean:.2f} times the release's.",
        "",
    ]
    lines += ["| players | messengers | cores | games a second | release | ratio |"]
    lines += ["|---|---|---|---|---|---|"]
    for key, ratio in sorted(speed.ratios.items()):
        players, messengers, cores = key
        figures = f"{speed.here[key]:,.0f} | {speed.released[key]:,.0f} | {ratio:.2f}"
        lines.append(f"| {players} | {'yes' if messengers else 'no'} | {cores} | {figures} |")
    lines += ["", "Strength: is the release stronger?", ""]
    for each in duels:
        told = "**yes**" if each["is_weaker"] else "no"
        rest = json.dumps({k: v for k, v in each.items() if k not in ("players", "is_weaker")})
        lines.append(f"- {each['players']} players: {told}. `{rest}`")
    return "\n".join(lines) + "\n"


def _run(
    program: str, *words: str, expect: tuple[int, ...] = (0,), **settings: str
) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [program, "-c", _MAIN, *words],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in expect:
        raise SystemExit(f"`patrizier {words[0]}` of {program} failed")
    return done


def _version(program: str) -> str:
    command = [program, "-c", _VERSION]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _write(text: str, out: Path | None) -> None:
    print(text)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, "utf-8")


def main() -> int:
    """Compare, write the report; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("python", help="the Python of an environment with the release")
    parser.add_argument("--install", action="store_true", help="install the last release first")
    parser.add_argument("--bot", default="mcts:400", help="the bot that both versions play with")
    parser.add_argument(
        "--players", type=int, nargs="*", default=[2, 4], help="numbers of players, a duel for each"
    )
    parser.add_argument("--games", type=int, default=2000, help="number of games in each duel")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--rounds", type=int, default=3, help="how often to measure the speed")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds for each measurement")
    parser.add_argument("--out", type=Path, help="file to write the report to")
    given = parser.parse_args()
    python = str(Path(given.python).absolute())
    if given.install and not install(python):
        _write(NO_RELEASE, given.out)
        return 0
    versions = _version(sys.executable), _version(python)
    speed = measure(python, given.rounds, given.seconds)
    duels = [duel(python, given.bot, count, given.games, given.jobs) for count in given.players]
    text = report(versions, speed, duels)
    _write(text, given.out)
    return 1 if speed.mean < SLOWEST or any(each["is_weaker"] for each in duels) else 0


if __name__ == "__main__":
    raise SystemExit(main())
