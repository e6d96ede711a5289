"""Limits on tables that wait for players: per person and per network."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

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
        self._making: Counter[PersonId] = Counter()  # tables being made
        self._networks: dict[TableId, str] = {}
        self._tables: dict[str, set[TableId]] = {}  # by network

    async def check(self, person: PersonId, network: str) -> None:
        """Raise Refused if a person or their network has too many tables open."""
        waiting = await self._store.open_tables_of(person) + self._making[person]
        if waiting >= self._per_person:
            raise Refused(Reason.TABLES_OPEN, most=self._per_person)
        known = self._tables.get(network, set())
        if network and len(known) >= self._per_network:
            # Other processes may have started or closed some meanwhile.
            for table_id in known - await self._store.still_open(known):
                self._forget(table_id)
            if len(self._tables.get(network, ())) >= self._per_network:
                raise Refused(Reason.NETWORK_TABLES)

    @contextmanager
    def making(self, person: PersonId) -> Iterator[None]:
        """Count a table that is being made."""
        self._making[person] += 1
        try:
            yield
        finally:
            self._making[person] -= 1
            if not self._making[person]:
                del self._making[person]

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
