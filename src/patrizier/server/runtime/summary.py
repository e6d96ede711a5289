"""A table's summary, for listings and deadlines."""

from collections.abc import Mapping

from patrizier.server.store.rows import SeatSummary, TableSummary
from patrizier.server.table.setup import Correspondence, NoClock, Pace, PersonId, Realtime
from patrizier.server.table.table import Table


def summary_of(table: Table, now: float, seen: Mapping[PersonId, float]) -> TableSummary:
    """Return the summary of a table."""
    setup = table.setup
    return TableSummary(
        id=table.id,
        phase=table.phase,
        public=setup.public,
        players=setup.players,
        rules=",".join(setup.rules),
        pace=pace_text(setup.pace),
        rated=table.rated,
        host=table.host,
        turn=table.turn,
        due=table.due(now, seen),
        bot_to_move=table.bot_to_move() is not None and table.bots_go_on,
        seats=tuple(
            SeatSummary(
                seat=number,
                person=seat.person,
                name=seat.name,
                bot=seat.level,
                to_move=number == table.to_move and seat.person_plays,
                resigned=seat.stand_in == "resigned",
            )
            for number, seat in enumerate(table.seats)
        ),
        watched=table.phase == "playing" and setup.public and setup.watch == "everyone",
    )


def pace_text(pace: Pace) -> str:
    """Return a table's pace as text.

    >>> pace_text(Realtime(base=300, increment=5))
    'realtime:300+5'
    """
    match pace:
        case Realtime(base=base, increment=increment):
            return f"realtime:{base}+{increment}"
        case Correspondence(days=days):
            return f"correspondence:{days}"
    return "none"


def read_pace(text: str) -> Pace:
    """Read what `pace_text` wrote.

    >>> read_pace("correspondence:3")
    Correspondence(kind='correspondence', days=3)
    """
    kind, _, rest = text.partition(":")
    if kind == "realtime":
        base, _, increment = rest.partition("+")
        return Realtime(base=int(base), increment=int(increment))
    return Correspondence(days=int(rest)) if kind == "correspondence" else NoClock()
