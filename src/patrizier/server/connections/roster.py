"""All open connections; idle ones make room for others."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Protocol

from patrizier.server.logs import log

_EVERY = 60.0  # seconds between two warnings of the same kind


class IdleConnection(Protocol):
    """A connection on which the server waits for the client."""

    def drop(self) -> None:
        """Close it at once."""


class Roster:
    """All connections of this process, by network."""

    def __init__(
        self,
        most: int,
        per_network: int,
        exempt: Sequence[str] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most = most  # connections allowed
        self.per_network = per_network
        # Proxies carry many people's connections.
        self._exempt = [ip_network(network) for network in exempt]
        self._by_network: Counter[str] = Counter()
        self._silent: OrderedDict[IdleConnection, str] = OrderedDict()  # the longest idle first
        self._silent_by_network: dict[str, OrderedDict[IdleConnection, None]] = {}
        self.total = 0
        self.turned_away = ThrottledWarning("connections were turned away", now)
        self.exhausted = ThrottledWarning("no more connections can be opened", now)

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another connection."""
        return self.total >= self.most

    @property
    def networks(self) -> int:
        """The number of networks with connections."""
        return len(self._by_network.keys() | self._silent_by_network)

    def is_crowded(self, network: str, host: str) -> bool:
        """Whether there is no room for another connection from this network."""
        return self._by_network[network] >= self.per_network and not self._is_exempt(host)

    def come(self, network: str) -> None:
        """Count a new connection."""
        self.total += 1
        self._by_network[network] += 1

    def go(self, network: str) -> None:
        """Count a closed connection."""
        self.total -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]

    def wait(self, silent: IdleConnection, network: str) -> None:
        """Mark a connection as idle; the idle time of one already marked continues."""
        if silent not in self._silent:
            self._silent[silent] = network
            self._silent_by_network.setdefault(network, OrderedDict())[silent] = None

    def heard(self, silent: IdleConnection) -> None:
        """Unmark a connection: the client has sent something, or is gone."""
        network = self._silent.pop(silent, None)
        if network is not None:
            there = self._silent_by_network[network]
            del there[silent]
            if not there:
                del self._silent_by_network[network]

    def make_room(self, network: str | None = None) -> bool:
        """Drop the longest idle connection, of this network or of all; False if there is none."""
        there = self._silent if network is None else self._silent_by_network.get(network)
        if not there:
            return False
        silent = next(iter(there))
        self.heard(silent)
        silent.drop()
        return True

    def _is_exempt(self, host: str) -> bool:
        address = ip_address(host)
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        return any(address in each for each in self._exempt)


class ThrottledWarning:
    """A warning that is logged at most once a minute, with a count."""

    def __init__(self, text: str, now: Callable[[], float]) -> None:
        self._text = text
        self._now = now
        self._next = float("-inf")
        self._count = 0

    def __call__(self) -> None:
        """Log the warning, or count it for the next time."""
        self._count += 1
        now = self._now()
        if now >= self._next:
            log.warning(self._text, extra={"count": self._count})
            self._next, self._count = now + _EVERY, 0
