import asyncio

import pytest

from patrizier.server.runtime.turnstile import Turnstile

pytestmark = pytest.mark.anyio


async def test_urgent_ones_go_first_and_each_queue_keeps_its_order() -> None:
    turnstile, order = Turnstile(1), list[str]()

    async def come(name: str, urgent: bool) -> None:
        async with turnstile.passed(urgent=urgent):
            order.append(name)
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for name in ("first", "hint 1", "bot 1", "hint 2", "bot 2"):
            group.create_task(come(name, urgent=not name.startswith("hint")))
    assert order == ["first", "bot 1", "bot 2", "hint 1", "hint 2"]


async def test_who_gives_up_takes_no_place_along() -> None:
    turnstile = Turnstile(1)
    inside = asyncio.Event()

    async def hold() -> None:
        async with turnstile.passed():
            await inside.wait()

    holder = asyncio.create_task(hold())
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(hold()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()  # while waiting
    inside.set()
    await asyncio.sleep(0)
    waiting[1].cancel()  # when it has just been let in
    await asyncio.gather(holder, *waiting, return_exceptions=True)
    async with asyncio.timeout(1), turnstile.passed(urgent=False):
        pass
