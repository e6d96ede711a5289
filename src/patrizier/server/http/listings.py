"""Listings of tables, games and ratings for one person."""

from typing import cast, get_args

from patrizier.server.people.ratings import shown
from patrizier.server.protocol.messages import (
    GameLine,
    GameSeat,
    RatingLine,
    TableLine,
    TableSeatLine,
    alias_of,
)
from patrizier.server.runtime.summary import read_pace
from patrizier.server.store.rows import Rating, Result, TableSummary
from patrizier.server.table.setup import Level, Rule

_SCALE = 40  # rating points per unit of openskill


def table_line(summary: TableSummary, person: str | None) -> TableLine:
    """Return a table as an entry of a list."""
    return TableLine(
        table=summary.id,
        phase=summary.phase,
        players=summary.players,
        rules=_rules(summary.rules),
        pace=read_pace(summary.pace),
        rated=summary.rated,
        seats=tuple(
            TableSeatLine(
                seat=seat.seat,
                name=seat.name,
                alias=alias_of(seat.name, seat.person),
                level=_level(seat.bot),
                you=_is_me(seat.person, person),
            )
            for seat in summary.seats
        ),
        free=summary.free,
        turn=summary.turn,
        your_turn=any(seat.to_move and _is_me(seat.person, person) for seat in summary.seats),
        updated=summary.updated,
    )


def game_line(result: Result, person: str | None) -> GameLine:
    """Return a finished game as an entry of a history."""
    return GameLine(
        table=result.table_id,
        players=result.players,
        rules=_rules(result.rules),
        rated=result.rated,
        finished=result.finished,
        seats=tuple(
            GameSeat(
                seat=seat.seat,
                name=seat.name,
                alias=alias_of(seat.name, seat.person),
                level=_level(seat.bot),
                points=seat.points,
                place=seat.place,
                left=seat.left,
                you=_is_me(seat.person, person),
            )
            for seat in result.seats
        ),
    )


def rating_line(rating: Rating, name: str, person: str | None) -> RatingLine:
    """Return a rating as an entry of a list."""
    return RatingLine(
        name=name,
        alias=alias_of(name, rating.person),
        players=rating.players,
        rating=shown(rating),
        uncertainty=round(_SCALE * rating.sigma, 1),
        games=rating.games,
        you=_is_me(rating.person, person),
    )


def _is_me(person: str | None, me: str | None) -> bool:
    return person is not None and person == me


def _rules(text: str) -> tuple[Rule, ...]:
    return tuple(cast("Rule", rule) for rule in text.split(",") if rule)


def _level(bot: str | None) -> Level | None:
    return cast("Level", bot) if bot in get_args(Level) else None
