"""The HTTP examples in the documents work against a real server."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

from docs.samples import ROOT, samples
from server.support.serving import serving

SERVER = "http://127.0.0.1:8321"


def test_the_player_plays_a_whole_game(tmp_path: Path) -> None:
    (text,) = samples(ROOT / "docs/how-to/play-by-http.md", "python")
    (tmp_path / "player.py").write_text(text, "utf-8")
    with serving(tmp_path / "data") as server:
        done = subprocess.run(
            [sys.executable, "player.py", server.url],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("points: [")


class Shell:
    """A shell that runs what the page says."""

    def __init__(self, lines: IO[str], answers: IO[str]) -> None:
        self._lines, self._answers = lines, answers

    def type(self, line: str) -> None:
        self._lines.write(f"{line}\n")
        self._lines.flush()

    def ask(self, line: str) -> Any:
        self.type(f"{line}; echo")
        return json.loads(self._answers.readline())


@pytest.mark.skipif(not (shutil.which("bash") and shutil.which("curl")), reason="no bash or curl")
def test_the_requests_of_the_page_on_the_server(tmp_path: Path) -> None:
    blocks = [text for text in samples(ROOT / "docs/server.md", "sh") if "ask" in text]
    lines = [line for text in blocks for line in text.splitlines() if line]
    setting_up, (rename, create, start, play, wait) = lines[:3], lines[3:]
    python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": python, "no_proxy": "127.0.0.1"}
    with (
        serving(tmp_path / "data") as server,
        subprocess.Popen(
            ["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd=tmp_path, env=environment,
        ) as bash,
    ):  # fmt: skip
        assert bash.stdin
        assert bash.stdout
        shell = Shell(bash.stdin, bash.stdout)
        for line in setting_up:
            shell.type(line.replace(SERVER, server.url))
        assert shell.ask(rename)["name"] == "Anna"
        table = shell.ask(create)["table"]
        message = shell.ask(start.replace("TABLE", table))
        look = wait.replace("TABLE", table)
        while message["you"]["to_move"] is None:
            message = shell.ask(look.replace("since=7", f"since={message['seq']}"))
        move, turn = message["views"][0]["view"]["legal"][0], message["turn"]
        play = play.replace("TABLE", table).replace("BO4:L", move)
        answer = shell.ask(play.replace('"at_turn": 0', f'"at_turn": {turn}'))
        assert answer["turn"] == turn + 1
        assert shell.ask(look.replace("since=7", "since=0"))["turn"] > turn
        bash.stdin.close()
        assert bash.wait(60) == 0
