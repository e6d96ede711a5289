"""The file of puzzles: one compressed line for each game, with its puzzles.

Version 1. JSON lines, gzip. The first line names the format; each of the others is a game: players,
rules, start, deal and turns as in a record, up to its last puzzle, and the puzzles in it.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from patrizier.deal import Deal
from patrizier.move import Move
from patrizier.options import Options
from patrizier.puzzles.puzzle import Puzzle, Source
from patrizier.rules import RULES_VERSION

FORMAT = "patrizier-puzzles"
VERSION = 1
FILE = "shipped.jsonl.gz"


class PuzzleFileError(ValueError):
    """A file of puzzles cannot be read."""


@cache
def shipped() -> Mapping[str, Puzzle]:
    """Return the puzzles that come with the package, by id, the easiest first."""
    found = sorted(read(_shipped_bytes()), key=lambda puzzle: (puzzle.rating, puzzle.id))
    return {puzzle.id: puzzle for puzzle in found}


@cache
def fingerprint() -> str:
    """Return a short text that changes with the puzzles of the package."""
    return hashlib.sha256(_shipped_bytes()).hexdigest()[:12]


def _shipped_bytes() -> bytes:
    return resources.files(__package__).joinpath(FILE).read_bytes()


def read(data: bytes) -> Iterator[Puzzle]:
    """Read a file of puzzles; `PuzzleFileError` says what is wrong."""
    try:
        head, *lines = gzip.decompress(data).decode("utf-8").splitlines()
        about = json.loads(head)
    except (OSError, EOFError, ValueError) as error:
        raise PuzzleFileError(f"not a file of puzzles: {error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise PuzzleFileError("not a file of puzzles")
    if about.get("version") != VERSION or about.get("rules_version") != RULES_VERSION:
        raise PuzzleFileError("puzzles of another version")
    for line in lines:
        yield from from_game(json.loads(line))


def write(puzzles: Iterable[Puzzle]) -> bytes:
    """Return puzzles as a file: the same bytes for the same puzzles."""
    head = {"format": FORMAT, "version": VERSION, "rules_version": RULES_VERSION}
    lines = [json.dumps(each, separators=(",", ":")) for each in to_games(puzzles)]
    return gzip.compress("\n".join((json.dumps(head), *sorted(lines))).encode(), 9, mtime=0)


def to_games(puzzles: Iterable[Puzzle]) -> list[dict[str, Any]]:
    """Return puzzles as plain data, those of one game together."""
    games: list[list[Puzzle]] = []  # the last puzzle of a game first
    for puzzle in sorted(puzzles, key=lambda p: (-len(p.source.moves), p.id)):
        same = next((game for game in games if _begins(game[0].source, puzzle.source)), None)
        if same is None:
            games.append([puzzle])
        else:
            same.append(puzzle)
    return [_to_game(game) for game in games]


def _begins(game: Source, early: Source) -> bool:
    """Whether a game begins like another; one deal can be played in many ways."""
    if (game.options, game.deal) != (early.options, early.deal):
        return False
    return game.moves[: len(early.moves)] == early.moves


def _to_game(puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    last = puzzles[0].source
    ordered = sorted(puzzles, key=lambda p: (len(p.source.moves), p.source.begun is not None))
    return {
        "players": last.options.players,
        "rules": last.options.rules_text,
        "start": last.deal.start,
        "deal": str(last.deal),
        "turns": " ".join(move.text for move in last.moves),
        "puzzles": [puzzle.to_json() for puzzle in ordered],
    }


def from_game(data: Mapping[str, Any]) -> Iterator[Puzzle]:
    """Read a game that `to_games` wrote; the turns are checked when a puzzle is played."""
    rules = data["rules"].split(",") if data["rules"] else ()
    options = Options(data["players"], rules)
    deal = Deal.from_text(data["deal"], data["start"])
    moves = tuple(Move(text) for text in data["turns"].split())
    for puzzle in data["puzzles"]:
        yield Puzzle.from_json(puzzle, options, deal, moves)
