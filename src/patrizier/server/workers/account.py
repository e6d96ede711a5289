"""Accounts for thinking time: shares are fair by network, and within it by owner."""

from typing import NamedTuple

NOWHERE = ""  # the address of tables at which nobody is present


class Account(NamedTuple):
    """Whose share a bot's thinking counts towards."""

    address: str  # their network
    owner: str  # of the table
