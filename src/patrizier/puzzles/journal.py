"""A journal of games that were searched for puzzles, from which an interrupted search resumes."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from patrizier.puzzles.collection import from_game, to_games
from patrizier.puzzles.puzzle import Puzzle


class Journal:
    """A file with one line for each search: its name, and the games with what was found in them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.searched = set[str]()  # names of games
        self.count = 0  # puzzles found
        self.exact = 0  # of these, solved exactly
        if path.exists():
            self._mend()
            for line in self._lines():
                found = [each for game in line["games"] for each in game["puzzles"]]
                self.searched.add(line["name"])
                self._note(sum(bool(each.get("exact")) for each in found), len(found))

    def add(self, name: str, puzzles: Sequence[Puzzle]) -> None:
        """Record that a game was searched."""
        line = {"name": name, "games": to_games(puzzles)}
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
        self.searched.add(name)
        self._note(sum(puzzle.exact for puzzle in puzzles), len(puzzles))

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield all puzzles found so far."""
        for line in self._lines():
            for game in line["games"]:
                yield from from_game(game)

    def _note(self, exact: int, count: int) -> None:
        self.exact += exact
        self.count += count

    def _lines(self) -> Iterator[dict[str, Any]]:
        with self._path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)

    def _mend(self) -> None:
        """Drop a truncated last line."""
        data = self._path.read_bytes()
        if data and not data.endswith(b"\n"):
            self._path.write_bytes(data[: data.rfind(b"\n") + 1])
