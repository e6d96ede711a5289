"""While kernels are being compiled: the server answers, and what needs the rules waits for them."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from patrizier.kernels.preparation import OnStep, Preparation
from patrizier.server.http.collaborators import Collaborators
from patrizier.server.workers.pool import WorkerPool
from server.support.serving import Guest, serving


class Slow(WorkerPool):
    """Compiles nothing until it is told to go on, and starts no process."""

    def __init__(self, count: int, go: Event) -> None:
        async def run(names: Sequence[str], on_step: OnStep) -> None:
            await asyncio.to_thread(go.wait)
            for name in names:
                on_step(name)

        super().__init__(count, preparation=Preparation(is_done=lambda _name: False, run=run))

    async def warm_up(self) -> None:
        await self.preparation.run()


def test_pages_come_at_once_and_games_as_soon_as_the_rules_are_compiled(tmp_path: Path) -> None:
    go = Event()
    given = Collaborators(workers=lambda count: Slow(count, go))
    with serving(tmp_path, given) as server, ThreadPoolExecutor() as threads:
        anna = Guest(server)
        try:
            before = anna.ask("GET", "/api/preparing")
            assert before["progress"] < 1
            soon = anna.ask("GET", "/api/preparing?level=merchant&level=apprentice")
            assert before["seconds"] > soon["seconds"] > 0
            doge = "/api/preparing?level=doge"
            assert anna.ask("GET", doge) != anna.ask("GET", f"{doge}&messengers=true")
            assert anna.ask("GET", doge) == anna.ask("GET", f"{doge}&messengers=true&players=4")
            anna.ask("GET", f"{doge}&players=6", status=422)
            anna.ask("GET", "/api/preparing?level=emperor", status=422)
            body = {"id": "one", "setup": {"players": 2, "seats": ["person", "merchant"]}}
            table = anna.ask("POST", "/api/tables", status=201, json=body)["table"]
            lesson = threads.submit(anna.ask, "GET", "/api/lessons/build")
            start = threads.submit(anna.act, table, "start")
            assert anna.ask("GET", "/api/config")["version"]
            assert not lesson.done()
            assert not start.done()
        finally:
            go.set()
        assert lesson.result()["name"] == "build"
        assert start.result()["phase"] == "playing"
        assert anna.ask("GET", "/api/preparing") == {"progress": 1.0, "seconds": 0}
        anna.close()
