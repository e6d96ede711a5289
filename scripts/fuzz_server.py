"""Fuzz a server with hostile messages and requests.

python scripts/fuzz_server.py --messages 100000
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from patrizier.server.loadtest.process import ServerProcess
from server.support.fuzz_clients import fuzz_requests, fuzz_sockets


def main() -> int:
    """Send the messages; 0 if nothing went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    requests = arguments.messages // 5
    with (
        tempfile.TemporaryDirectory(prefix="patrizier-fuzz-") as folder,
        ServerProcess(Path(folder)) as server,
    ):
        messages = arguments.messages - requests
        answers = asyncio.run(fuzz_sockets(server.url, messages, arguments.seed))
        statuses = asyncio.run(fuzz_requests(server.url, requests, arguments.seed))
        errors = [line for line in server.errors if "Invalid UTF-8 sequence" not in line]
    print(f"{messages} messages, {requests} requests in {time.monotonic() - began:.0f} s")
    print("answers:", dict(answers.counts.most_common()))
    print("statuses:", dict(statuses.most_common()))
    print(len(errors), "errors logged")
    for line in errors[:20]:
        print(line)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
