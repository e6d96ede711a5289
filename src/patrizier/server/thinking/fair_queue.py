"""A queue in which nobody gets ahead by asking for more: start-time fair queuing, in two levels.

Every network has a virtual time that grows by what was spent on it, and so has every owner within
a network. Next comes whoever's is least. Whoever was away begins where the others are: being idle
saves nothing up.
"""

from collections import OrderedDict
from typing import Generic, TypeVar

from .account import NOWHERE, Account

_DEARER = 10  # times: what it costs where nobody is present

T = TypeVar("T")


class _Line(Generic[T]):
    """What waits on one account, the oldest first."""

    __slots__ = ("items", "spent")

    def __init__(self, spent: float) -> None:
        self.spent = spent  # virtual time
        self.items: OrderedDict[T, None] = OrderedDict()


class _House(Generic[T]):
    """All accounts of one network."""

    __slots__ = ("lines", "now", "spent", "waiting")

    def __init__(self, spent: float) -> None:
        self.spent = spent
        self.now = 0.0  # virtual time within
        self.waiting = 0  # items of all lines
        self.lines: dict[str, _Line[T]] = {}


class FairQueue(Generic[T]):
    """Items that wait on somebody's account."""

    def __init__(self) -> None:
        self._houses: dict[str, _House[T]] = {}
        self._now = 0.0  # virtual time
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def add(self, account: Account, item: T) -> None:
        """Queue an item, which must not be queued already."""
        house, line = self._find(account)
        if not house.waiting:
            house.spent = max(house.spent, self._now)
        if not line.items:
            line.spent = max(line.spent, house.now)
        line.items[item] = None
        house.waiting += 1
        self._waiting += 1

    def discard(self, account: Account, item: T) -> None:
        """Take an item out, if it is there."""
        house, line = self._find(account)
        if item in line.items:
            del line.items[item]
            house.waiting -= 1
            self._waiting -= 1

    def pop(self) -> tuple[Account, T] | None:
        """Take out what comes next, with its account; None if nothing waits."""
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
        """Count what was spent on an account."""
        house, line = self._find(account)
        cost = seconds * (_DEARER if account.address == NOWHERE else 1)
        house.spent += cost
        line.spent += cost
        # Time goes on for all, or an endless row of newcomers would keep the others waiting.
        self._now += cost / max(1, sum(bool(each.waiting) for each in self._houses.values()))
        house.now += cost / max(1, sum(bool(each.items) for each in house.lines.values()))

    def crowd(self, account: Account) -> int:
        """Return how many turns pass until one more item of an account comes, itself included.

        That is so if all turns take the same time and nobody else comes.
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
        """Return how much waits on the accounts of a network."""
        house = self._houses.get(address)
        return house.waiting if house else 0

    def _find(self, account: Account) -> tuple[_House[T], _Line[T]]:
        house = self._houses.get(account.address)
        if house is None:
            house = self._houses[account.address] = _House(self._now)
        line = house.lines.get(account.owner)
        if line is None:
            line = house.lines[account.owner] = _Line(house.now)
        return house, line

    def _forget(self) -> None:
        """Drop accounts that want nothing and owe nothing."""
        for address, house in list(self._houses.items()):
            if not house.waiting and house.spent <= self._now:
                del self._houses[address]
                continue
            for owner, line in list(house.lines.items()):
                if not line.items and line.spent <= house.now:
                    del house.lines[owner]
