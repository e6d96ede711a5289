import subprocess
import sys
from pathlib import Path

import pytest

from patrizier.server.store.exclusive import AlreadyInUse, exclusive_use

HOLD = """
import sys, time
from patrizier.server.store.exclusive import exclusive_use
with exclusive_use(sys.argv[1]):
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
        with pytest.raises(AlreadyInUse, match=r"games\.db"), exclusive_use(url):
            pytest.fail("two servers use one file")
        other.kill()
        other.wait(60)
    for _ in range(2):
        with exclusive_use(url):
            assert (tmp_path / "new" / "games.db.lock").stat().st_mode & 0o077 == 0


def test_postgresql_is_shared() -> None:
    with exclusive_use("postgresql://host/games"), exclusive_use("postgresql://host/games"):
        pass
