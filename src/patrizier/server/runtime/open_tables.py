"""Limits on tables that wait for players: per person and per network."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from patrizier.server.reasons import Reason
from patrizier.server.store.base import TableStore
from patrizier.server.table.commands import Refused
from patrizier.server.table.setup import PersonId, TableId
from patrizier.server.table.table import Table

PER_PERSON = 10
PER_NETWORK = 40


class OpenTables:
    """Counts open tables: a person's in the database, a network's in this process.

    Networks are kept in memory only.
    """

    def __init__(
        self, store: TableStore, per_person: int = PER_PERSON, per_network: int = PER_NETWORK
    ) -> None:
        self._store = store
        self._per_person = per_person
        self._per_network = per_network
        self._making: Counter[str] = Counter()  # tables being made, by network
        self._locks: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()
        self._networks: dict[TableId, str] = {}
        self._tables: dict[str, set[TableId]] = {}  # by network

    @property
    def remembered(self) -> int:
        """How much is remembered: tables, networks, and people who are making one."""
        kept = (self._networks, self._tables, self._making, self._locks)
        return sum(len(each) for each in kept)

    @asynccontextmanager
    async def admission(self, person: PersonId, network: str) -> AsyncIterator[None]:
        """Hold a place for a table that is being made. Raises Refused if none is free.

        A person's tables are made one after another: between counting those stored and
        storing one more, nothing else may come.
        """
        async with self._locks.setdefault(person, asyncio.Lock()):
            if await self._store.open_tables_of(person) >= self._per_person:
                raise Refused(Reason.TABLES_OPEN, most=self._per_person)
            await self._check_network(network)
            self._making[network] += 1
            try:
                yield
            finally:
                self._making[network] -= 1
                if not self._making[network]:
                    del self._making[network]

    async def _check_network(self, network: str) -> None:
        if network and self._count(network) >= self._per_network:
            # Other processes may have started or closed some meanwhile.
            known = set(self._tables.get(network, ()))  # as it is now: more come meanwhile
            for table_id in known - await self._store.still_open(known):
                self._forget(table_id)
            if self._count(network) >= self._per_network:
                raise Refused(Reason.NETWORK_TABLES)

    def _count(self, network: str) -> int:
        return len(self._tables.get(network, ())) + self._making[network]

    def made(self, table: Table, network: str) -> None:
        """Note the network of an open table."""
        if network and table.phase == "open":
            self._networks[table.id] = network
            self._tables.setdefault(network, set()).add(table.id)

    def notice(self, table: Table) -> None:
        """Drop a table that is no longer open."""
        if table.phase != "open":
            self._forget(table.id)

    def _forget(self, table_id: TableId) -> None:
        network = self._networks.pop(table_id, None)
        if network is not None:
            self._tables[network].discard(table_id)
            if not self._tables[network]:
                del self._tables[network]
