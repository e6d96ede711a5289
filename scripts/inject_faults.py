"""Inject faults into servers during play, many times, and check that nothing is lost.

python scripts/inject_faults.py --count 200
python scripts/inject_faults.py --count 200 --postgres --faults kill,pause,cut,clock,database
"""

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.support.fault_injection import FAULTS, inject_faults
from server.support.postgres import find_binaries, running_postgres


def main() -> int:
    """Inject the faults; 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--faults", default="kill", help=f"in turn, of {','.join(FAULTS)}")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="stop after this time")
    parser.add_argument("--postgres", action="store_true", help="two servers on one PostgreSQL")
    arguments = parser.parse_args()
    names = arguments.faults.split(",")
    if unknown := set(names) - set(FAULTS):
        parser.error(f"no such fault: {min(unknown)}")
    if "database" in names and not arguments.postgres:
        parser.error("only PostgreSQL can be restarted")
    began = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="patrizier-fault-")))
        postgres = None
        if arguments.postgres:
            binaries = find_binaries()
            if binaries is None:
                parser.error("PostgreSQL is not installed")
            postgres = stack.enter_context(running_postgres(binaries))
        clients, errors = inject_faults(
            folder,
            names,
            arguments.count,
            postgres=postgres,
            seed=arguments.seed,
            seconds=arguments.seconds,
            tell=_tell,
        )
    print(
        f"{clients.faults} faults in {time.monotonic() - began:.0f} s: {clients.games} games "
        f"finished and replayed, {clients.turns} turns, {clients.acknowledged} acknowledged "
        f"commands and none lost, {clients.repeated} retries, {len(errors)} unexplained errors"
    )
    for line in errors[:20]:
        print(line)
    return 1 if errors else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
