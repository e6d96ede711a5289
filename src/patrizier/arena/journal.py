"""The journal of a tournament: one JSON line per game, so that a run can be resumed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from patrizier.arena.match import MatchResult, Observer
from patrizier.arena.schedule import Plan


class JournalError(ValueError):
    """A journal that does not belong to the plan, or cannot be read."""


class Journal(Observer):
    """An append-only file with one line per game; the first line identifies the tournament.

    A truncated last line is dropped, and its game played again. A line with ``lost`` stands for a
    game that was left out.
    """

    def __init__(self, path: str | Path, plan: Plan) -> None:
        self.path = Path(path)
        self.plan = plan
        self.games = 0  # games in the file
        self._file: BinaryIO | None = None

    def open(self) -> Iterator[MatchResult]:
        """Check or create the file; yield the games it holds, then be ready to append."""
        header = self.plan.header()
        whole = 0  # bytes of whole lines
        if self.path.exists():
            with self.path.open("rb") as file:
                for number, line in enumerate(file):
                    if not line.endswith(b"\n"):
                        break
                    data = self._parse(line, number + 1)
                    whole += len(line)
                    if number == 0:
                        self._check_header(data, header)
                    else:
                        result = self._result(data, number)
                        self.games = number
                        if result is not None:
                            yield result
        self._file = self.path.open("r+b" if self.path.exists() else "wb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write(header)

    def on_end(self, result: MatchResult) -> None:
        """Append a game."""
        self._write(result.to_json())
        self.games += 1

    def leave_out(self, games: range) -> None:
        """Note games that cannot be played."""
        for number in games:
            self._write({"game": number, "lost": True})
            self.games += 1

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, data: dict[str, Any]) -> None:
        assert self._file is not None, "the journal is not open"
        self._file.write(json.dumps(data, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def _parse(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise JournalError(f"{self.path}, line {number}: not a tournament journal")
        return data

    def _check_header(self, found: dict[str, Any], wanted: dict[str, Any]) -> None:
        if "arena" not in found:
            raise JournalError(f"{self.path}: not a tournament journal")
        for name, value in wanted.items():
            if found.get(name) != value:
                raise JournalError(
                    f"{self.path} belongs to another tournament: "
                    f"{name.replace('_', ' ')} {found.get(name)!r}, not {value!r}"
                )

    def _result(self, data: dict[str, Any], number: int) -> MatchResult | None:
        """Return the game in a line; None for one that was left out."""
        try:
            if data.get("lost"):
                if data["game"] == number - 1:
                    return None
                raise ValueError("out of order")
            result = MatchResult.from_json(data)
            slot = self.plan.slot(number - 1)
            fits = (result.number, result.deal, result.names) == (
                slot.number,
                slot.deal,
                slot.names,
            )
        except (KeyError, TypeError, ValueError):
            fits = False
        if not fits:
            raise JournalError(f"{self.path}, line {number + 1}: this game is not in the plan")
        return result
