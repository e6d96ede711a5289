"""The tree of an information-set search: nodes in one array, compiled.

One tree for all states that the searching seat cannot tell apart. Every iteration samples the
hidden cards anew, so a decision may be legal in one iteration and not in the next. A node counts
how often it was available, which replaces the parent's visits in the UCB formula.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.codes import DECISIONS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.layout import aligned_record

NONE = -1
DEEPEST = 320  # decisions in a game, with some to spare

NODE = aligned_record(
    ("code", "i4"),  # decision that leads here
    ("seat", "i4"),  # seat that took it
    ("child", "i4"),  # first child
    ("sibling", "i4"),  # next child of the same parent
    ("visits", "i4"),
    ("available", "i4"),  # how often it could have been chosen
    ("reward", "f8", MAX_PLAYERS),  # sums by seat
)

SEARCH = aligned_record(
    ("nodes", "i8"),  # nodes in use
    ("depth", "i8"),  # length of the path
    ("path", "i4", DEEPEST),  # nodes of the current iteration, the root first
    ("stamp", "i4", DECISIONS),  # marks decisions that are legal in this iteration
    ("reward", "f8", MAX_PLAYERS),  # of the current iteration
)

Nodes: TypeAlias = npt.NDArray[np.void]
Search: TypeAlias = npt.NDArray[np.void]


def new_tree(room: int) -> tuple[Nodes, Search]:
    """Return an empty tree with room for this many nodes."""
    nodes, search = np.zeros(room, NODE), np.zeros(1, SEARCH)
    clear(nodes, search)
    return nodes, search


class Child(NamedTuple):
    """A node as Python sees it."""

    number: int
    code: int
    visits: int


def children_of(nodes: Nodes, node: int) -> Iterator[Child]:
    """Yield the children of a node."""
    child = int(nodes["child"][node])
    while child != NONE:
        yield Child(child, int(nodes["code"][child]), int(nodes["visits"][child]))
        child = int(nodes["sibling"][child])


@kernel
def clear(nodes: Nodes, search: Search) -> None:
    """Remove all nodes but a new root."""
    search[0].nodes = 0
    for code in range(DECISIONS):
        search[0].stamp[code] = 0
    add_node(nodes, search[0], NONE, NONE, NONE)


@inner_kernel
def add_node(nodes: Nodes, search: np.record, parent: int, code: int, seat: int) -> int:
    """Add an unvisited child; return its number."""
    number = int(search.nodes)
    search.nodes = number + 1
    node = nodes[number]
    node.code = code
    node.seat = seat
    node.child = NONE
    node.sibling = NONE
    node.visits = 0
    node.available = 0
    for i in range(MAX_PLAYERS):
        node.reward[i] = 0.0
    if parent != NONE:
        node.sibling = nodes[parent].child
        nodes[parent].child = number
    return number


@inner_kernel
def append_node(here: np.record, parent: int, code: int) -> int:
    """Add an unvisited child to a search that contains its nodes; return its number."""
    number = int(here.used)
    here.used = number + 1
    node = here.nodes[number]
    node.code = code
    node.child = NONE
    node.sibling = NONE
    node.visits = 0
    node.available = 0.0
    node.value = 0.0
    if parent != NONE:
        node.sibling = here.nodes[parent].child
        here.nodes[parent].child = number
    return number


@inner_kernel
def back_up(nodes: Nodes, search: np.record, players: int) -> None:
    """Back up the iteration's reward along its path."""
    for step in range(int(search.depth)):
        node = nodes[search.path[step]]
        node.visits += 1
        for seat in range(players):
            node.reward[seat] += search.reward[seat]
