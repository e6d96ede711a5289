"""Starts a server whose clock can be shifted while it runs, by an offset in a file of 8 bytes.

python shifted_clock.py FILE python -c … serve …
"""

import mmap
import struct
import sys
import time
from pathlib import Path

_real = time.time


def main() -> None:
    """Patch the clock, then serve."""
    with Path(sys.argv[1]).open("r+b") as file:
        offset = mmap.mmap(file.fileno(), 8)
    time.time = lambda: _real() + struct.unpack("d", offset)[0]
    sys.argv[1:] = sys.argv[5:]
    from patrizier.cli.main import app

    app()


if __name__ == "__main__":
    main()
