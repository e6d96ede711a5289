"""The package as people get it: installed from a wheel, without Node, it serves the page.

What it depends on is borrowed from this environment; `make packages` installs everything anew.
"""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.house import ROOT, Visits, need_docs, need_page

pytestmark = pytest.mark.skipif(
    not os.environ.get("CI"), reason="building and installing takes a while: done in CI"
)


def run(*command: object, cwd: Path | None = None) -> None:
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def serving(program: Path, folder: Path) -> Iterator[str]:
    """Start a server with nothing in the path but its own environment; yield its address."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    process = subprocess.Popen(
        [program, "serve", "--port", "0", "--data-dir", folder],
        env={**kept, "PATH": str(program.parent)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        port = None
        for line in process.stderr:
            entry = json.loads(line)
            port = entry.get("port", port)
            if entry["event"] == "ready":
                break
        assert port, "the server does not start"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_the_installed_package_serves_the_page(browser: Browser, tmp_path: Path) -> None:
    need_page()
    need_docs()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "empty")
    programs = tmp_path / "empty" / "bin"
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel)
    (own,) = (tmp_path / "empty").glob("lib/*/site-packages")
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib"))  # after what is its own
    data = tmp_path / "data"
    data.mkdir()
    with serving(programs / "patrizier", data) as url:
        visits = Visits(browser, url)
        written = visits.open("/rules", locale="de-DE", java_script_enabled=False)
        expect(written.get_by_role("heading", level=1)).to_have_text("Die Regeln")
        docs = visits.open("/docs/", java_script_enabled=False)
        expect(docs.get_by_role("heading", level=1)).to_contain_text("Patrizier")
        page = visits.open("/")
        page.get_by_role("button", name="Play now").click()
        expect(page.locator("[data-card]")).to_have_count(3)
        visits.close()
    assert visits.errors == []
