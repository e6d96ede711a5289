"""Reads the record of one game, off the event loop."""

import asyncio

from patrizier.errors import RecordError
from patrizier.ptr import GameRecord, read_games
from patrizier.server.errors import Declined
from patrizier.server.reasons import Reason, reason_named
from patrizier.server.table.commands import Refused


async def read_record(text: str) -> GameRecord:
    """Return the game of a text that holds exactly one.

    Raises Declined, which names the line, or Refused.
    """
    games = sum(line.startswith("[Game ") for line in text.split("\n"))
    if games > 1:
        raise Refused(Reason.MANY_GAMES, games=games)
    try:
        (record,) = await asyncio.to_thread(read_games, text)
    except RecordError as error:
        raise unreadable(error) from None
    return record


def unreadable(error: RecordError) -> Declined:
    """Return the refusal of a record with an error."""
    reason = reason_named(error.rule) or Reason.UNREADABLE_RECORD
    values = error.values | {"line": error.line, "why": str(error)}
    return Declined(422, reason, **values)
