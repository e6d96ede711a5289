"""A server that is killed in the middle of an analysis finishes it after its restart."""

from pathlib import Path
from typing import Any

import httpx

from analysis.games import random_game
from patrizier.server.loadtest.process import ServerProcess

_TIMEOUT = 120.0  # seconds; only for tests that hang


def ask(http: httpx.Client, method: str, path: str, **options: Any) -> Any:
    return http.request(method, path, **options).raise_for_status().json()


def test_a_killed_server_finishes_its_analysis(tmp_path: Path) -> None:
    game = random_game(3, 11, turns=20)
    with ServerProcess(tmp_path, settings={"PATRIZIER_WORKERS": "1"}) as server:
        with httpx.Client(base_url=server.url, timeout=_TIMEOUT, trust_env=False) as anna:
            anna.headers["X-Patrizier-Token"] = ask(anna, "GET", "/api/me")["token"]
            body = {"record": str(game.record())}
            key = ask(anna, "POST", "/api/analyses", json=body)["key"]
            begun = ask(anna, "GET", f"/api/analyses/{key}?after=-1")
            while begun["analysis"] is None:  # the first one compiles
                begun = ask(anna, "GET", f"/api/analyses/{key}?after=-1")
        assert begun["judged"] < game.turn
        server.kill()
        server.start()
        with httpx.Client(base_url=server.url, timeout=_TIMEOUT, trust_env=False) as ben:
            found = ask(ben, "GET", f"/api/analyses/{key}")
            while found["state"] in ("waiting", "running"):
                found = ask(ben, "GET", f"/api/analyses/{key}?after={found['judged'] + 8}")
    assert (found["state"], found["judged"]) == ("done", game.turn)
    assert found["analysis"]["complete"]
