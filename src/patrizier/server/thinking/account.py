"""On whose account a bot thinks: fair shares are counted by network, and within it by owner."""

from typing import NamedTuple

NOWHERE = ""  # the address of tables at which nobody is present


class Account(NamedTuple):
    """Who is served when a bot thinks."""

    address: str  # the network they are connected from
    owner: str  # whose table it is
