"""`python -m patrizier.kernels`: compile kernels ahead of need, for this machine or for a wheel."""

import argparse
import asyncio
import gc
import os
import shutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

_NICE = 5  # the server that waits for the code must be able to serve its page


def main() -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m patrizier.kernels", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("steps", help="compile the steps named on standard input into the cache")
    commands.add_parser("prepare", help="compile what is not in the cache yet, on all cores")
    build = commands.add_parser("build", help="compile everything into a folder, to be shipped")
    build.add_argument("--into", type=Path, help="[kernels/compiled in the package]")
    build.add_argument("--level", help="the processor, as LLVM names it [one that nearly all have]")
    given = parser.parse_args()
    if given.command == "build":
        return build_kernels(given.into, given.level)
    if given.command == "prepare":
        from patrizier.kernels.preparation import all_steps, missing_steps

        return prepare_kernels(missing_steps(all_steps()))
    run_steps()
    return 0


def prepare_kernels(missing: Sequence[str]) -> int:
    """Compile the steps that the cache lacks; name each when it is done."""
    from patrizier.kernels.preparation import run_in_processes

    return _status(asyncio.run(run_in_processes(missing, print)))


def run_steps() -> None:
    """Run the steps named on standard input; answer each with its result."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    gc.disable()  # saves a tenth of the time: most of what a compiler allocates stays
    from patrizier.kernels import shipped
    from patrizier.kernels.preparation import DONE, run_step

    if shipped.is_being_built():
        shipped.choose_processor(os.environ[shipped.BUILD_FOR])
    for line in sys.stdin:
        try:
            run_step(line.strip())
            answer = DONE
        except Exception:
            traceback.print_exc()
            answer = "failed"
        print(answer, flush=True)


def build_kernels(into: Path | None, level: str | None) -> int:
    """Compile all kernels for a processor level; an older folder is replaced."""
    from patrizier.kernels import shipped
    from patrizier.kernels.preparation import all_steps, run_in_processes

    level = level or shipped.default_level()
    if not shipped.is_able(level):
        print(f"{level} code cannot be tried on this processor.", file=sys.stderr)
        return 1
    folder = (into or shipped.FOLDER) / level
    shutil.rmtree(folder, ignore_errors=True)
    os.environ[shipped.BUILD_INTO] = str(folder.absolute())
    os.environ[shipped.BUILD_FOR] = level
    names = [step.name for step in all_steps()]
    failed = asyncio.run(run_in_processes(names, print))
    if failed:
        return _status(failed)
    shipped.write_manifest(folder, level)
    size = sum(file.stat().st_size for file in folder.rglob("*"))
    print(f"{folder}: {size / 1e6:.1f} MB for {level}")
    return 0


def _status(failed: tuple[str, ...]) -> int:
    if failed:
        print(f"Not compiled: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
