"""Kill servers in the middle of play many times, and check that nothing was lost.

python scripts/kill_server.py --kills 200
python scripts/kill_server.py --kills 200 --postgres
"""

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from patrizier.server.loadtest.process import ServerProcess
from server.kills import campaign
from server.postgres import find_binaries, running_postgres


def main() -> int:
    """Run the campaign; 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="kill no longer than this")
    parser.add_argument("--postgres", action="store_true", help="two servers on one PostgreSQL")
    arguments = parser.parse_args()
    began = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="patrizier-kill-")))
        url = ""
        if arguments.postgres:
            binaries = find_binaries()
            if binaries is None:
                parser.error("the binaries of PostgreSQL are not there")
            url = asyncio.run(stack.enter_context(running_postgres(binaries)).new_database())
        count = 2 if arguments.postgres else 1
        servers = [stack.enter_context(ServerProcess(folder, url)) for _ in range(count)]
        work = campaign(servers, arguments.kills, arguments.seed, arguments.seconds, _tell)
        club = asyncio.run(work)
        errors = [line for server in servers for line in server.errors]
    print(
        f"{club.kills} kills in {time.monotonic() - began:.0f} s: {club.games} games played "
        f"to their end and replayed, {club.turns} turns, {club.acknowledged} commands acknowledged "
        f"and none lost, {club.repeated} sent again, {len(errors)} errors logged"
    )
    for line in errors[:20]:
        print(line)
    return 1 if errors else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
