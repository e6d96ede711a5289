"""Listings of tables, games, ratings and friends for one person."""

from typing import cast, get_args

from patrizier.server.names import GUEST_BOT
from patrizier.server.people.ratings import shown, shown_uncertainty
from patrizier.server.protocol.messages import (
    FriendLine,
    GameLine,
    GameSeat,
    InvitationLine,
    RatingLine,
    TableLine,
    TableSeatLine,
    alias_of,
    avatar_of,
)
from patrizier.server.runtime.summary import read_pace
from patrizier.server.store.rows import (
    Friend,
    Invitation,
    RankedRating,
    Rating,
    Result,
    TableSummary,
)
from patrizier.server.table.setup import BotName, Level, Rule


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
                level=level_of(seat.bot),
                you=_is_me(seat.person, person),
            )
            for seat in summary.seats
        ),
        free=summary.free,
        turn=summary.turn,
        your_turn=any(seat.to_move and _is_me(seat.person, person) for seat in summary.seats),
        yours=_is_me(summary.host, person),
        created=summary.created,
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
                level=level_of(seat.bot),
                points=seat.points,
                place=seat.place,
                left=seat.left,
                you=_is_me(seat.person, person),
            )
            for seat in result.seats
        ),
    )


def ranked_line(ranked: RankedRating, person: str | None) -> RatingLine:
    """Return a rating as an entry of a leaderboard."""
    line = rating_line(ranked.rating, ranked.name, ranked.avatar, person)
    return line.model_copy(update={"place": ranked.place})


def rating_line(rating: Rating, name: str, avatar: str, person: str | None) -> RatingLine:
    """Return a rating as an entry of a list."""
    return RatingLine(
        place=None,
        name=name,
        avatar=avatar_of(avatar),
        alias=alias_of(name, rating.person),
        players=rating.players,
        rating=shown(rating),
        uncertainty=shown_uncertainty(rating),
        games=rating.games,
        you=_is_me(rating.person, person),
    )


def friend_line(friend: Friend, handle: str) -> FriendLine:
    """Return a friend as an entry of a person's list."""
    both = friend.asked and friend.wants
    return FriendLine(
        id=handle,
        name=friend.name,
        alias=alias_of(friend.name, friend.id),
        avatar=avatar_of(friend.avatar),
        state="friends" if both else "asked" if friend.asked else "wants",
        seen=friend.seen if both else 0.0,
    )


def invitation_line(invitation: Invitation, person: str) -> InvitationLine:
    """Return an invitation as an entry of a list."""
    return InvitationLine(
        name=invitation.name,
        alias=alias_of(invitation.name, invitation.host),
        avatar=avatar_of(invitation.avatar),
        at=invitation.at,
        table=table_line(invitation.table, person),
    )


def _is_me(person: str | None, me: str | None) -> bool:
    return person is not None and person == me


def _rules(text: str) -> tuple[Rule, ...]:
    return tuple(cast("Rule", rule) for rule in text.split(",") if rule)


def level_of(bot: str | None) -> BotName | None:
    """Return the level of a bot, or a guest bot; None for one that we cannot name."""
    known = bot is not None and (bot in get_args(Level) or bot.startswith(GUEST_BOT))
    return cast("BotName", bot) if known else None
