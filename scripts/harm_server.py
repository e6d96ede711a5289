"""Harm servers during play many times, and check that nothing is lost.

python scripts/harm_server.py --count 200
python scripts/harm_server.py --count 200 --postgres --harms kill,pause,cut,clock,database
"""

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.ordeal import HARMS, endure
from server.postgres import find_binaries, running_postgres


def main() -> int:
    """Run the trial; 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--harms", default="kill", help=f"in turn, of {','.join(HARMS)}")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="stop after this time")
    parser.add_argument("--postgres", action="store_true", help="two servers on one PostgreSQL")
    arguments = parser.parse_args()
    names = arguments.harms.split(",")
    if unknown := set(names) - set(HARMS):
        parser.error(f"no such harm: {min(unknown)}")
    if "database" in names and not arguments.postgres:
        parser.error("only PostgreSQL can be restarted")
    began = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="patrizier-harm-")))
        postgres = None
        if arguments.postgres:
            binaries = find_binaries()
            if binaries is None:
                parser.error("PostgreSQL is not installed")
            postgres = stack.enter_context(running_postgres(binaries))
        club, errors = endure(
            folder,
            names,
            arguments.count,
            postgres=postgres,
            seed=arguments.seed,
            seconds=arguments.seconds,
            tell=_tell,
        )
    print(
        f"{club.harms} harms in {time.monotonic() - began:.0f} s: {club.games} games played "
        f"to their end and replayed, {club.turns} turns, {club.acknowledged} commands acknowledged "
        f"and none lost, {club.repeated} sent again, {len(errors)} errors nobody explains"
    )
    for line in errors[:20]:
        print(line)
    return 1 if errors else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
