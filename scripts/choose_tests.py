"""Choose the tests that a small change needs: `make test-fast`.

python scripts/choose_tests.py             # list them, for what differs from main
python scripts/choose_tests.py --run       # run them
python scripts/choose_tests.py --core      # those of rules and Python API, whatever has changed
python scripts/choose_tests.py --estimate  # tell how long all tests take
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
BUDGET = 40.0  # seconds of tests on each of two cores; starting and compiling come on top
CORES = 2
UNKNOWN = 4.0  # seconds of a file that was never measured
SLOW = ("tests/browser", "tests/deploy", "tests/bench")  # for `make test`
# Smoke tests: short, and they notice when something central is broken.
CORE = (
    "tests/test_game.py", "tests/test_move.py", "tests/project/test_imports.py", "tests/rulebook",
    "tests/test_options.py", "tests/test_outcome.py", "tests/test_ptr.py", "tests/test_why.py",
)  # fmt: skip
# Tests of files that no test is named after.
ELSEWHERE = {
    "docs": ("tests/project/test_documents.py", "tests/docs/test_samples.py"),
    "web/src/texts": ("tests/texts",),
    "src/patrizier/art": ("tests/printing/test_art.py",),
    "src/patrizier/server/reasons.py": ("tests/texts",),
    "deploy": ("tests/deploy/test_unit.py", "tests/deploy/test_compose.py"),
    "compose.yaml": ("tests/deploy/test_compose.py",),
    "pyproject.toml": ("tests/project/test_packaging.py", "tests/project/test_imports.py"),
    "hatch_build.py": ("tests/project/test_packaging.py",),
    "Makefile": ("tests/project/test_packaging.py", "tests/project/test_contributing.py"),
    ".github": ("tests/project/test_contributing.py", "tests/project/test_workflows.py"),
    "examples": ("tests/project/test_examples.py",),
    "training": ("tests/training",),
    "CHANGELOG.md": ("tests/scripts/test_release.py",),
}


def changed(root: Path = ROOT) -> list[str]:
    """Return the files that differ from where this branch left main, new ones included."""
    base = "HEAD"
    for main in ("origin/main", "main"):
        found = _git(root, "merge-base", "HEAD", main)
        if found:
            base = found[0]
            break
    files = _git(root, "diff", "--name-only", base)
    return sorted({*files, *_git(root, "ls-files", "--others", "--exclude-standard")})


def choose(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return test files for changed files, the nearest first.

    First the tests themselves and those named after a source, then the rest of their folder, last a
    few smoke tests.
    """
    near, around = list[str](), list[str]()
    for file in files:
        path = PurePosixPath(file)
        if path.parts[0] == "tests" and path.name.startswith("test_"):
            near.append(file)
        for start, tests in ELSEWHERE.items():
            if file == start or file.startswith(f"{start}/"):
                around += tests
        folder, stem = _mirror(path)
        if folder is not None:
            near.append(f"{folder}/test_{stem}.py")
            around.append(str(folder))
    return [
        file
        for file in dict.fromkeys(_files([*near, *around, *CORE], root))
        if not file.startswith(SLOW) or file in near or file in around
    ]


def _mirror(path: PurePosixPath) -> tuple[PurePosixPath | None, str]:
    """Return the folder of tests that mirrors a source, and the name of its test."""
    if path.suffix == ".py" and path.parts[:2] == ("src", "patrizier"):
        return PurePosixPath("tests", *path.parts[2:-1]), path.stem
    if path.suffix == ".py" and path.parts[0] == "scripts":
        return PurePosixPath("tests", "scripts"), path.stem
    if path.parts[0] == "tests" and path.suffix == ".py" and len(path.parts) > 2:
        return path.parent, path.stem
    return None, ""


def _files(names: Iterable[str], root: Path) -> Iterable[str]:
    """Yield the test files of these files and folders, those that are there."""
    for name in names:
        if name == "tests":
            continue
        if (root / name).is_dir():
            yield from sorted(f"{name}/{each.name}" for each in (root / name).glob("test_*.py"))
        elif (root / name).is_file():
            yield name


def within(files: list[str], seconds: dict[str, float], budget: float) -> list[str]:
    """Return those that fit into a time budget: the nearest, and at least one."""
    taken, spent = list[str](), 0.0
    for file in files:
        cost = seconds.get(file, UNKNOWN)
        if not taken or spent + cost <= budget:
            taken.append(file)
            spent += cost
    return taken


def durations(root: Path = ROOT) -> dict[str, float]:
    """Return how long each test file took: here, or on the machine that measured it last."""
    known: dict[str, float] = {}
    for file in (root / "tests" / "durations.json", root / "artefacts" / "durations.json"):
        if file.is_file():
            known |= json.loads(file.read_text("utf-8"))
    return {file: seconds for file, seconds in known.items() if (root / file).is_file()}


def estimate(seconds: dict[str, float], cores: int) -> str:
    """Return how long all tests will take, in words."""
    if not seconds:
        return "Nobody has measured how long all tests take; 15 minutes on two cores, say."
    total = sum(seconds.values()) / max(1, cores)
    minutes = max(1, round(total / 60))
    return f"All tests take about {minutes} minute{'s' * (minutes > 1)} on {cores} cores."


def _git(root: Path, *words: str) -> list[str]:
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def main() -> int:
    """List, run or estimate, as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--core", action="store_true")
    parser.add_argument("--estimate", action="store_true")
    given = parser.parse_args()
    seconds = durations()
    if given.estimate:
        print(estimate(seconds, os.cpu_count() or 1))
        return 0
    wanted = list(_files(CORE, ROOT)) if given.core else choose(changed())
    taken = within(wanted, seconds, CORES * BUDGET)
    print(*taken, sep="\n")
    if left := len(wanted) - len(taken):
        print(f"{left} more would take longer than a minute: `make test` runs them.")
    if not given.run:
        return 0
    sys.stdout.flush()
    words = ["-m", "pytest", "--quiet", f"--numprocesses={CORES}", "--dist=worksteal", *taken]
    return subprocess.run([sys.executable, *words], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
