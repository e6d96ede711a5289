"""Root parallelisation: one search tree per core, their statistics added up."""

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from patrizier.bots.budget import Budget
from patrizier.bots.learned.network import (
    Network,
    load_network,
    new_activations,
    new_inputs,
)
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.search.guided import new_guided, replant, search_guided
from patrizier.bots.search.puct import new_tree, reset_tree, search_puct
from patrizier.bots.search.tree import NONE, Nodes, Search, children_of
from patrizier.move import Move
from patrizier.rules.codes import STEPS, step_of
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import Cells, new_cells
from patrizier.view import View

_CHUNK = 64  # iterations between checks of the clock
_READING = 0.0006  # seconds reserved for reading the answer from the trees


@dataclass(frozen=True, slots=True)
class Tally:
    """The statistics of one decision, over all trees."""

    code: int
    nodes: tuple[int, ...]  # its node in every tree, NONE where there is none
    visits: int
    shares: tuple[float, ...]  # of victory, by seat
    points: tuple[float, ...]


class Tree(Protocol):
    """A tree with what its search works with."""

    nodes: Nodes  # with code, child, sibling and visits
    search: Search  # with the numbers of the root and of nodes in use

    def clear(self) -> None:
        """Remove all nodes but a new root."""

    def grow(self, cells: Cells, scratch: ScratchBuffer, iterations: int) -> None:
        """Search from a state with masked cards."""

    def sums(self, node: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the sums of a node: shares of the victory and points, by seat."""


class PuctTree:
    """A tree of `puct`."""

    def __init__(self, room: int, players: int) -> None:
        self.nodes, self._results, self.search = new_tree(room)
        self._features, self._weights = new_features(), load_weights(players)
        self._players = players

    def clear(self) -> None:
        """Remove all nodes but a new root."""
        reset_tree(self.search)

    def grow(self, cells: Cells, scratch: ScratchBuffer, iterations: int) -> None:
        """Search from a state with masked cards."""
        search_puct(cells, scratch, self.search, self._features, self._weights, iterations)

    def sums(self, node: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the sums of a node; rewards contain a margin in points."""
        players = self._players
        points = self._results["points"][node]
        others = (points[:players].sum() - points) / (players - 1)
        margin = float(self._weights["margin"][0])
        return self._results["reward"][node] - margin * (points - others), points


class GuidedTree:
    """A tree of `guided`."""

    def __init__(self, room: int, players: int, network: Network | None = None) -> None:
        self.search = new_guided(room, players)
        self.nodes = self.search["nodes"][0]
        self._inputs, self._activations = new_inputs(), new_activations()
        self._network = load_network() if network is None else network
        self._features, self._weights = new_features(), load_weights(players)

    def clear(self) -> None:
        """Remove all nodes but a new root."""
        replant(self.search)

    def grow(self, cells: Cells, scratch: ScratchBuffer, iterations: int) -> None:
        """Search from a state with masked cards."""
        room = self.search, self._inputs, self._activations, self._network
        search_guided(cells, scratch, *room, self._features, self._weights, iterations)

    def sums(self, node: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the sums of a node."""
        row = self.nodes[node]
        return row["share"].astype(np.float64), row["points"].astype(np.float64)


class Forest:
    """Search trees, each with its own working state. Compiled code runs without the GIL."""

    def __init__(self, budget: Budget, trees: Sequence[Tree]) -> None:
        self.budget = budget
        self.iterations = 0  # done in the last search, by all trees
        self.trees = trees
        self._cells = [new_cells(2) for _ in trees]

    @property
    def nodes(self) -> int:
        """The number of nodes of the largest tree."""
        return max(int(tree.search["used"][0]) for tree in self.trees)

    def clear(self) -> None:
        """Reset all trees."""
        for tree in self.trees:
            tree.clear()

    def descend(self, moves: Sequence[Move]) -> bool:
        """Make the position after these turns the root of every tree; False if one lacks it."""
        for tree in self.trees:
            root = int(tree.search["root"][0])
            for move in moves:
                for phase in STEPS:
                    root = _follow(tree.nodes, root, move.decision(phase), phase)
                    if root == NONE:
                        return False
            tree.search["root"][0] = root
        return True

    def think(self, view: View, rng: np.random.Generator, begin: float) -> None:
        """Search from a view, in all trees; the budget's time starts at ``begin``."""
        words = rng.integers(0, 2**64, len(self.trees), dtype=np.uint64)
        scratches = [new_scratch(int(word)) for word in words]
        known = view.known()[0]
        for cells in self._cells:
            cells[0] = known
        if len(self.trees) == 1:
            self.iterations = self._grow(0, scratches[0], begin)
            return
        with ThreadPoolExecutor(len(self.trees)) as pool:
            jobs = [pool.submit(self._grow, i, buffer, begin) for i, buffer in enumerate(scratches)]
            self.iterations = sum(job.result() for job in jobs)

    def _grow(self, number: int, scratch: ScratchBuffer, begin: float) -> int:
        tree = self.trees[number]
        cells: Cells = self._cells[number]
        most = self.budget.iterations
        if most is not None:  # split among the trees
            most = most // len(self.trees) + (number < most % len(self.trees))
        end = begin + (self.budget.seconds or 0) - _READING
        done = 0
        while most is None or done < most:
            count = _CHUNK if most is None else min(_CHUNK, most - done)
            tree.grow(cells, scratch, count)
            done += count
            if most is None and time.perf_counter() >= end:
                break
        return done

    def roots(self) -> tuple[int, ...]:
        """Return the root of every tree."""
        return tuple(int(tree.search["root"][0]) for tree in self.trees)

    def most_tried(
        self, parents: tuple[int, ...], wanted: set[int]
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return the most visited of these decisions below a node, and its nodes."""
        tried = [(-n, code, nodes) for code, n, nodes in self._below(parents) if code in wanted]
        return min(tried)[1:] if tried else None

    def tallies(self, parents: tuple[int, ...], players: int) -> list[Tally]:
        """Return the statistics of all decisions below a node, most visited first."""
        found = [self._tally(code, nodes, players) for code, _, nodes in self._below(parents)]
        return sorted(found, key=lambda tally: (-tally.visits, tally.code))

    def _below(self, parents: tuple[int, ...]) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return code, visits and node in every tree, for each decision visited below a node."""
        visits: Counter[int] = Counter()
        numbers: dict[int, list[int]] = {}
        for i, tree in enumerate(self.trees):
            if parents[i] == NONE:
                continue
            for child in children_of(tree.nodes, parents[i]):
                if child.visits:
                    visits[child.code] += child.visits
                    numbers.setdefault(child.code, [NONE] * len(self.trees))[i] = child.number
        return [(code, count, tuple(numbers[code])) for code, count in visits.items()]

    def _tally(self, code: int, numbers: tuple[int, ...], players: int) -> Tally:
        places = [(tree, n) for tree, n in zip(self.trees, numbers, strict=True) if n != NONE]
        visits = sum(int(tree.nodes["visits"][n]) for tree, n in places)
        shares, points = np.sum([tree.sums(n) for tree, n in places], axis=0)[:, :players] / visits
        return Tally(code, numbers, visits, tuple(shares.tolist()), tuple(points.tolist()))


def _follow(nodes: Any, node: int, code: int, phase: str) -> int:
    """Return the node after a decision: the same if the phase was skipped, NONE if untried."""
    asked = False
    for child in children_of(nodes, node):
        if child.code == code:
            return child.number
        asked = asked or step_of(child.code) == phase
    return NONE if asked else node
