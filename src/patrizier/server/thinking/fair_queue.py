"""Start-time fair queuing in two levels: more requests do not get more time.

Every network has a virtual time that grows by what was spent on it, and so has every owner within a
network. The smallest is next. After being idle, one starts at the present virtual time: idling
saves up nothing.
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
        self._houses: dict[str, _NetworkQueue[T]] = {}
        self._now = 0.0  # virtual time
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def add(self, account: Account, item: T) -> None:
        """Add an item that is not in the queue."""
        house, line = self._find(account)
        if not house.waiting:
            house.spent = max(house.spent, self._now)
        if not line.items:
            line.spent = max(line.spent, house.now)
        line.items[item] = None
        house.waiting += 1
        self._waiting += 1

    def discard(self, account: Account, item: T) -> None:
        """Remove an item, if present."""
        house, line = self._find(account)
        if item in line.items:
            del line.items[item]
            house.waiting -= 1
            self._waiting -= 1

    def pop(self) -> tuple[Account, T] | None:
        """Remove and return the next item with its account; None if empty."""
        self._forget()
        houses = (
            (house.spent, address) for address, house in self._houses.items() if house.waiting
        )
        _, address = min(houses, default=(0.0, None))
        if address is None:
            return None
        house = self._houses[address]
        _, owner = min((line.spent, owner) for owner, line in house.lines.items() if line.items)
        line = house.lines[owner]
        item, _ = line.items.popitem(last=False)
        house.waiting -= 1
        self._waiting -= 1
        self._now = max(self._now, house.spent)
        house.now = max(house.now, line.spent)
        return Account(address, owner), item

    def charge(self, account: Account, seconds: float) -> None:
        """Charge time to an account."""
        house, line = self._find(account)
        cost = seconds * (_DEARER if account.address == NOWHERE else 1)
        house.spent += cost
        line.spent += cost
        # Virtual time advances for all, else endless newcomers would starve the others.
        self._now += cost / max(1, sum(bool(each.waiting) for each in self._houses.values()))
        house.now += cost / max(1, sum(bool(each.items) for each in house.lines.values()))

    def crowd(self, account: Account) -> int:
        """Return the position of one more item of an account, from 1.

        It assumes that all items take the same time and no others arrive.
        """
        house = self._houses.get(account.address)
        line = house.lines.get(account.owner) if house else None
        houses = sum(bool(each.waiting) for each in self._houses.values() if each is not house)
        lines = (
            sum(bool(each.items) for each in house.lines.values() if each is not line)
            if house
            else 0
        )
        mine = len(line.items) if line else 0
        return min((houses + 1) * (lines + 1) * (mine + 1), self._waiting + 1)

    def waiting(self, address: str) -> int:
        """Return the number of items of a network."""
        house = self._houses.get(address)
        return house.waiting if house else 0

    def _find(self, account: Account) -> tuple[_NetworkQueue[T], _AccountQueue[T]]:
        house = self._houses.get(account.address)
        if house is None:
            house = self._houses[account.address] = _NetworkQueue(self._now)
        line = house.lines.get(account.owner)
        if line is None:
            line = house.lines[account.owner] = _AccountQueue(house.now)
        return house, line

    def _forget(self) -> None:
        """Drop accounts without items or debt."""
        for address, house in list(self._houses.items()):
            if not house.waiting and house.spent <= self._now:
                del self._houses[address]
                continue
            for owner, line in list(house.lines.items()):
                if not line.items and line.spent <= house.now:
                    del house.lines[owner]
