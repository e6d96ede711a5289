import subprocess
import sys
from pathlib import Path

import pytest

from patrizier.server.store.alone import NotAlone, alone_with

HOLD = """
import sys, time
from patrizier.server.store.alone import alone_with
with alone_with(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_file_has_one_server_until_that_one_ends(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'games.db'}"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(NotAlone, match=r"games\.db"), alone_with(url):
            pytest.fail("two servers use one file")
        other.kill()
        other.wait(60)
    for _ in range(2):
        with alone_with(url):
            assert (tmp_path / "new" / "games.db.lock").stat().st_mode & 0o077 == 0


def test_postgresql_is_shared() -> None:
    with alone_with("postgresql://host/games"), alone_with("postgresql://host/games"):
        pass
