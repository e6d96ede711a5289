"""Play many games and check that no message to a client depends on hidden cards.

python scripts/prove_secrets.py --games 500
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.support.secret_games import play_and_compare
from server.support.twin_servers import equal_servers

RUNS = 3  # the original game, and others with different hidden cards


def main() -> int:
    """Play the games; an error names the step at which something leaked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    arguments = parser.parse_args()
    began = time.monotonic()
    received = size = compared = runs = 0
    with (
        tempfile.TemporaryDirectory(prefix="patrizier-runs-") as folder,
        equal_servers(Path(folder), RUNS) as twins,
    ):
        for number in range(arguments.first, arguments.first + arguments.games):
            if number % 50 == 0:
                print(f"game {number}", file=sys.stderr, flush=True)
            found = play_and_compare(twins, number, Random(number))
            received += found.received
            size += found.size
            compared += found.compared
            runs += found.other_deals
    print(
        f"{arguments.games} games in {time.monotonic() - began:.0f} s: {received} messages and "
        f"answers ({size / 1e6:.0f} MB) searched; {compared} steps equal in {runs} replays "
        "with other secrets"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
