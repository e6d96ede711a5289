import asyncio

import pytest

from patrizier.server.workers.account import Account
from patrizier.server.workers.fair_semaphore import FairSemaphore

pytestmark = pytest.mark.anyio

ANNA, BEN = Account("1.1.1.1", "anna"), Account("2.2.2.2", "ben")


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


async def test_urgent_ones_go_first_and_each_queue_keeps_its_order() -> None:
    fair_semaphore, order = FairSemaphore(1), list[str]()

    async def come(name: str, urgent: bool) -> None:
        async with fair_semaphore.passed(ANNA, urgent=urgent):
            order.append(name)
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for name in ("first", "hint 1", "bot 1", "hint 2", "bot 2"):
            group.create_task(come(name, urgent=not name.startswith("hint")))
    assert order == ["first", "bot 1", "bot 2", "hint 1", "hint 2"]


async def test_who_gives_up_takes_no_place_along() -> None:
    fair_semaphore = FairSemaphore(1)
    inside = asyncio.Event()

    async def hold() -> None:
        async with fair_semaphore.passed(ANNA):
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
    async with asyncio.timeout(1), fair_semaphore.passed(ANNA, urgent=False):
        pass


async def test_who_asks_for_much_does_not_keep_others_waiting() -> None:
    clock = Clock()
    fair_semaphore, order = FairSemaphore(1, clock), list[str]()

    async def come(account: Account) -> None:
        async with fair_semaphore.passed(account):
            order.append(account.owner)
            clock.time += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(come(ANNA))
        await asyncio.sleep(0)
        for _ in range(3):
            group.create_task(come(BEN))
    assert len(order) == 23
    assert order.index("ben") <= 2
    assert order[:8].count("ben") == 3


async def test_it_is_said_how_many_wait_with_equal_right() -> None:
    fair_semaphore = FairSemaphore(1)
    crowds: dict[str, list[float]] = {"anna": [], "ben": []}

    async def come(account: Account) -> None:
        async with fair_semaphore.passed(account) as crowd:
            crowds[account.owner].append(crowd)
            await asyncio.sleep(0)

    await come(ANNA)
    assert crowds["anna"] == [1]  # nobody else is there
    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(come(ANNA))
        group.create_task(come(BEN))
    assert max(crowds["anna"]) > 15  # she waits for herself
    assert crowds["ben"] == [2]  # he for one of hers


async def test_time_inside_is_counted_even_if_it_ends_badly() -> None:
    clock = Clock()
    fair_semaphore, order = FairSemaphore(1, clock), list[str]()
    crowded = asyncio.Event()

    async def fail() -> None:
        async with fair_semaphore.passed(ANNA):
            await crowded.wait()
            clock.time += 5
            raise RuntimeError

    async def come(account: Account) -> None:
        async with fair_semaphore.passed(account):
            order.append(account.owner)
            clock.time += 1
            await asyncio.sleep(0)

    failing = asyncio.create_task(fail())
    await asyncio.sleep(0)
    async with asyncio.TaskGroup() as group:
        for account in (ANNA, ANNA, BEN, BEN, BEN):
            group.create_task(come(account))
        await asyncio.sleep(0)
        crowded.set()
    with pytest.raises(RuntimeError):
        await failing
    assert order == ["ben", "ben", "ben", "anna", "anna"]
