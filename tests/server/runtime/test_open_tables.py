import asyncio

import pytest

from patrizier.server.runtime.open_tables import OpenTables
from patrizier.server.runtime.service import TableService
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.commands import Close, Contribute, Join, Refused
from patrizier.server.table.setup import TableSetup
from server.support.players import ANNA, BEN, CLEO, a_service, new_id

pytestmark = pytest.mark.anyio

TWO = TableSetup(players=2, public=True)


@pytest.fixture
def service(store: SqlStore) -> TableService:
    return a_service(store, open_tables=OpenTables(store, per_person=3, per_network=4))


async def opened(service: TableService, person: str, address: str) -> str:
    return (await service.create(person, person, TWO, new_id(), address=address)).table


async def refused(service: TableService, person: str, address: str) -> str:
    with pytest.raises(Refused) as caught:
        await opened(service, person, address)
    assert caught.value.code == "too-much"
    return caught.value.reason


async def test_a_person_has_only_so_many_tables_open(service: TableService) -> None:
    tables = [await opened(service, ANNA, f"1.1.1.{number}") for number in range(3)]
    assert await refused(service, ANNA, "1.1.1.9") == "tables-open"
    await opened(service, BEN, "1.1.1.1")
    await service.command(tables[0], ANNA, Close(id=new_id()))
    tables.append(await opened(service, ANNA, "1.1.1.1"))
    assert await refused(service, ANNA, "1.1.1.9") == "tables-open"
    given = "0" * 64
    await service.command(tables[1], BEN, Join(id=new_id(), contribution=given), name=BEN)
    started = await service.command(
        tables[1], ANNA, Contribute(id=new_id(), seat=0, contribution=given)
    )
    assert started.phase == "playing"  # and waits no more
    await opened(service, ANNA, "1.1.1.1")


async def test_asking_at_the_same_time_brings_no_more(service: TableService) -> None:
    tries = [opened(service, ANNA, "1.1.1.1") for _ in range(20)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, str) for each in found) == 3


class LateStore(SqlStore):
    """Counts at once, and answers late."""

    async def open_tables_of(self, host: str) -> int:
        found = await super().open_tables_of(host)
        for _ in range(50):
            await asyncio.sleep(0.001)
        return found


async def test_a_count_that_comes_late_brings_no_more(store: SqlStore) -> None:
    """What was counted before a table was stored does not admit another after it."""
    late = LateStore(store.database, store.writer)
    service = a_service(late, open_tables=OpenTables(late, per_person=3, per_network=4))
    tries = [opened(service, ANNA, "1.1.1.1") for _ in range(6)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, str) for each in found) == 3


async def test_guests_of_one_network_at_the_same_time_get_no_more(service: TableService) -> None:
    tries = [opened(service, f"guest-{number:016}", "1.1.1.1") for number in range(12)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, str) for each in found) == 4


async def test_the_same_command_again_is_not_refused(service: TableService) -> None:
    first = await service.create(ANNA, "Anna", TWO, "once", address="1.1.1.1")
    for _ in range(2):
        await opened(service, ANNA, "1.1.1.1")
    again = await service.create(ANNA, "Anna", TWO, "once", address="1.1.1.1")
    assert again.table == first.table
    assert await refused(service, ANNA, "1.1.1.1") == "tables-open"


async def test_a_network_has_only_so_many_tables_open(
    service: TableService, store: SqlStore
) -> None:
    guests = [f"guest-{number:016}" for number in range(6)]
    tables = [await opened(service, guest, "1.1.1.1") for guest in guests[:4]]
    assert await refused(service, guests[4], "1.1.1.1") == "network-tables"
    await opened(service, CLEO, "2.2.2.2")
    await service.command(tables[0], guests[0], Close(id=new_id()))
    await opened(service, guests[4], "1.1.1.1")
    assert await refused(service, guests[5], "1.1.1.1") == "network-tables"
    other = a_service(store)  # another process, of which nothing is heard
    await other.command(tables[1], guests[1], Close(id=new_id()))
    await opened(service, guests[5], "1.1.1.1")


async def test_nothing_is_remembered_of_tables_that_are_gone(store: SqlStore) -> None:
    open_tables = OpenTables(store)
    service = a_service(store, open_tables=open_tables)
    for _ in range(10):
        table = await opened(service, ANNA, "1.1.1.1")
        assert open_tables.remembered >= 2  # the table and its network
        await service.command(table, ANNA, Close(id=new_id()))
    assert open_tables.remembered == 0
