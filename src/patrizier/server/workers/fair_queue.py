"""Start-time fair queuing in two levels: more requests do not get more time.

Every network has a virtual time that advances by the time spent on it, and so has every owner
within a network. The one that lags most is served next. One that was idle starts again at the
current virtual time: idle time earns no credit.
"""

from collections import OrderedDict
from typing import Generic, TypeVar

from .account import NOWHERE, Account

_DEARER = 10  # cost factor where nobody is present

T = TypeVar("T")


class _AccountQueue(Generic[T]):
    """The items of one account, the oldest first."""

    __slots__ = ("items", "spent")

    def __init__(self, spent: float) -> None:
        self.spent = spent  # virtual time
        self.items: OrderedDict[T, None] = OrderedDict()


class _NetworkQueue(Generic[T]):
    """All accounts of one network."""

    __slots__ = ("lines", "now", "spent", "waiting")

    def __init__(self, spent: float) -> None:
        self.spent = spent
        self.now = 0.0  # virtual time within
        self.waiting = 0  # items of all accounts
        self.lines: dict[str, _AccountQueue[T]] = {}


class FairQueue(Generic[T]):
    """Items by account."""

    def __init__(self) -> None:
        self._networks: dict[str, _NetworkQueue[T]] = {}
        self._now = 0.0  # virtual time
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    @property
    def networks(self) -> int:
        """The number of networks with items or debt."""
        return len(self._networks)

    def add(self, account: Account, item: T) -> None:
        """Add an item that is not in the queue."""
        network, line = self._find(account)
        if not network.waiting:
            network.spent = max(network.spent, self._now)
        if not line.items:
            line.spent = max(line.spent, network.now)
        line.items[item] = None
        network.waiting += 1
        self._waiting += 1

    def discard(self, account: Account, item: T) -> None:
        """Remove an item, if present."""
        network, line = self._find(account)
        if item in line.items:
            del line.items[item]
            network.waiting -= 1
            self._waiting -= 1

    def pop(self) -> tuple[Account, T] | None:
        """Remove and return the next item with its account; None if empty."""
        self._forget()
        networks = (
            (network.spent, address)
            for address, network in self._networks.items()
            if network.waiting
        )
        _, address = min(networks, default=(0.0, None))
        if address is None:
            return None
        network = self._networks[address]
        _, owner = min((line.spent, owner) for owner, line in network.lines.items() if line.items)
        line = network.lines[owner]
        item, _ = line.items.popitem(last=False)
        network.waiting -= 1
        self._waiting -= 1
        self._now = max(self._now, network.spent)
        network.now = max(network.now, line.spent)
        return Account(address, owner), item

    def charge(self, account: Account, seconds: float) -> None:
        """Add time spent on an account to its virtual time, and to its network's."""
        network, line = self._find(account)
        cost = seconds * (_DEARER if account.address == NOWHERE else 1)
        network.spent += cost
        line.spent += cost
        # Virtual time advances for all, else endless newcomers would starve the others.
        self._now += cost / max(1, sum(bool(each.waiting) for each in self._networks.values()))
        network.now += cost / max(1, sum(bool(each.items) for each in network.lines.values()))

    def crowd(self, account: Account) -> int:
        """Return the position of one more item of an account, from 1.

        It assumes that all items take the same time and no others arrive.
        """
        network = self._networks.get(account.address)
        line = network.lines.get(account.owner) if network else None
        networks = sum(
            bool(each.waiting) for each in self._networks.values() if each is not network
        )
        lines = (
            sum(bool(each.items) for each in network.lines.values() if each is not line)
            if network
            else 0
        )
        mine = len(line.items) if line else 0
        return min((networks + 1) * (lines + 1) * (mine + 1), self._waiting + 1)

    def waiting(self, address: str) -> int:
        """Return the number of items of a network."""
        network = self._networks.get(address)
        return network.waiting if network else 0

    def _find(self, account: Account) -> tuple[_NetworkQueue[T], _AccountQueue[T]]:
        network = self._networks.get(account.address)
        if network is None:
            network = self._networks[account.address] = _NetworkQueue(self._now)
        line = network.lines.get(account.owner)
        if line is None:
            line = network.lines[account.owner] = _AccountQueue(network.now)
        return network, line

    def _forget(self) -> None:
        """Drop accounts without items or debt."""
        for address, network in list(self._networks.items()):
            if not network.waiting and network.spent <= self._now:
                del self._networks[address]
                continue
            for owner, line in list(network.lines.items()):
                if not line.items and line.spent <= network.now:
                    del network.lines[owner]
