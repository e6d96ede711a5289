"""All puzzles in the form a page needs: a list, and chunks of positions.

A chunk has everything to try its puzzles without asking again, so they can be solved offline.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import brotli

from patrizier.prospects import prospects
from patrizier.puzzles.collection import fingerprint, shipped
from patrizier.puzzles.puzzle import Puzzle
from patrizier.puzzles.rating import Strength
from patrizier.server.protocol.analyses import TurnReason
from patrizier.server.protocol.messages import (
    PuzzleChunk,
    PuzzleLine,
    PuzzleList,
    PuzzlePosition,
    View,
)
from patrizier.server.store.rows import PuzzleRating
from patrizier.standing import legal_standings
from patrizier.why import barred

CHUNK = 40  # puzzles
_QUALITY = 6  # of Brotli: small, yet compressed in milliseconds


def puzzle_list(ratings: Mapping[str, PuzzleRating]) -> PuzzleList:
    """Return all puzzles by id, with their current ratings."""
    chunks = {name: number // CHUNK for number, name in enumerate(shipped())}
    lines = [_line(each, chunks[each.id], ratings.get(each.id)) for each in shipped().values()]
    return PuzzleList(version=fingerprint(), puzzles=tuple(sorted(lines, key=lambda o: o.id)))


def listing(ratings: Mapping[str, PuzzleRating]) -> bytes:
    """Return the list as JSON, compressed with Brotli."""
    return _press(puzzle_list(ratings).model_dump_json())


@cache
def chunk(number: int) -> bytes:
    """Return a chunk as JSON, compressed with Brotli; empty beyond the last one."""
    some = list(shipped().values())[number * CHUNK : (number + 1) * CHUNK]
    content = PuzzleChunk(puzzles=tuple(map(position, some))).model_dump_json(exclude_unset=True)
    return _press(content)


def _press(content: str) -> bytes:
    pressed: bytes = brotli.compress(content.encode(), quality=_QUALITY)
    return pressed


def position(puzzle: Puzzle) -> PuzzlePosition:
    """Return a puzzle with everything needed to try it."""
    game = puzzle.source.game()
    view = game.state.view(game.seat)
    data = view.to_json()
    for seat, shown in zip(data["seats"], data["table"], strict=True):
        shown |= {name: seat[name] for name in ("tokens", "chips", "pile")}
    return PuzzlePosition(
        id=puzzle.id,
        view=View(data),
        scores=tuple(replace(each, minus=0).to_json() for each in game.scores()),
        standings=legal_standings(game.state),
        prospects=prospects(view),
        barred=barred(game.state),
        accepted=tuple(sorted(puzzle.accepted)),
        solution=puzzle.solution.text,
        trap=puzzle.trap.text if puzzle.trap else None,
        line=tuple(move.text for move in puzzle.line),
        why=tuple(TurnReason.model_validate(reason) for reason in puzzle.why),
        lead=puzzle.lead,
    )


def _line(puzzle: Puzzle, number: int, rating: PuzzleRating | None) -> PuzzleLine:
    return PuzzleLine(
        id=puzzle.id,
        rating=Strength(rating.mu, rating.sigma).points if rating else puzzle.rating,
        themes=puzzle.themes,  # type: ignore[arg-type]
        players=puzzle.players,
        messengers="messengers" in puzzle.source.options.rules,
        exact=puzzle.exact,
        chunk=number,
    )
