"""The systemd unit is valid, and leaves the server few rights."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browser.house import ROOT

UNIT = ROOT / "deploy" / "patrizier.service"
MOST_EXPOSED = 2.0  # of 10, by systemd's own reckoning

pytestmark = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="no systemd-analyze here"
)


def test_systemd_understands_it(tmp_path: Path) -> None:
    text = UNIT.read_text("utf-8")
    assert "/opt/patrizier/bin/patrizier" in text
    unit = tmp_path / UNIT.name
    unit.write_text(text.replace("/opt/patrizier/bin/patrizier", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_leaves_the_server_few_rights() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)]
    told = subprocess.run(command, capture_output=True, text=True).stdout
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", told)
    assert found, told
    assert float(found[1]) <= MOST_EXPOSED
