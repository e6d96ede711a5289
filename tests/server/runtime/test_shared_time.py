"""The shared time: monotonic and common to all servers, whatever wall clocks show."""

import asyncio

import pytest

from patrizier.server.runtime.shared_time import AWAY, Lease, SharedTime
from patrizier.server.store.rows import Pulse

DAY = 86_400.0
NOON = 1_700_000_000.0


class Machine:
    """A machine: a monotonic clock, and a wall clock that can be set."""

    def __init__(self, wall: float = NOON) -> None:
        self.up = 1000.0  # seconds since it was started
        self.set = wall - self.up

    def monotonic(self) -> float:
        return self.up

    def wall(self) -> float:
        return self.up + self.set

    def time(self) -> SharedTime:
        return SharedTime(self.monotonic, self.wall)


@pytest.mark.parametrize("jump", [-2 * DAY, -3600, 3600, 400 * DAY])
def test_a_wall_clock_that_jumps_changes_nothing(jump: float) -> None:
    machine = Machine()
    time = machine.time()
    time.agree(Pulse(None, NOON))
    machine.up += 10
    machine.set += jump
    assert time() == NOON + 10


@pytest.mark.parametrize("skew", [-2 * DAY, -1, 0.08, 3600])
def test_the_database_tells_a_new_server_what_time_it_is(skew: float) -> None:
    time = Machine(NOON + skew).time()
    assert time.agree(Pulse(None, NOON)) == NOON
    assert time() == NOON


def test_a_server_never_begins_before_what_others_have_reached() -> None:
    time = Machine().time()
    assert time.agree(Pulse(NOON + 2 * DAY, clock=NOON)) == NOON + 2 * DAY


def test_servers_follow_the_one_that_is_furthest() -> None:
    machine = Machine()
    time = machine.time()
    time.agree(Pulse(None, NOON))
    assert time.agree(Pulse(NOON + 0.25, NOON)) == NOON + 0.25
    assert time.agree(Pulse(NOON - 9, NOON)) == NOON + 0.25  # and never go back
    machine.up += 1
    assert time() == NOON + 1.25


def test_the_databases_clock_is_followed_after_a_jump_forward_only() -> None:
    machine = Machine()
    time = machine.time()
    time.agree(Pulse(None, NOON))
    for clock in (NOON + AWAY, NOON - 2 * DAY):  # a small step, or back: time goes on evenly
        assert time.agree(Pulse(NOON, clock)) == NOON
    assert time.agree(Pulse(NOON, NOON + 8 * 3600)) == NOON + 8 * 3600
    machine.up += 3
    assert time() == NOON + 8 * 3600 + 3


# -- the lease


@pytest.mark.anyio
async def test_a_lease_holds_for_a_while_and_then_has_to_be_renewed() -> None:
    machine = Machine()
    lease = Lease(machine.monotonic)
    await lease.held()  # there is no timekeeper
    lease.renew(machine.up)
    machine.up += AWAY
    await lease.held()
    machine.up += 1
    waiting = asyncio.ensure_future(lease.held())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    lease.renew(machine.up - AWAY - 5)  # asked too long ago: the process was stopped since
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    lease.renew(machine.up)
    await waiting
    lease.revoke()
    assert not lease.is_held


@pytest.mark.anyio
async def test_nobody_waits_for_ever() -> None:
    lease = Lease(timeout=0.01)
    lease.revoke()
    with pytest.raises(TimeoutError):
        await lease.held()
