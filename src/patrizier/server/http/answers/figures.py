"""A person's finished games in figures."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, get_args

from patrizier.server.protocol.messages import Figures, Opponent, PointsAt, Tally, alias_of
from patrizier.server.store.rows import Result, ResultSeat
from patrizier.server.table.setup import Level

from .listings import game_line, level_of

MOST_GAMES = 1000  # the last ones
_CURVE = 100
_BEST = 5
_OPPONENTS = 12
_LEVELS: tuple[Level, ...] = get_args(Level)


class _Played(NamedTuple):
    """A game of mine, and my seat."""

    game: Result
    seat: ResultSeat

    @property
    def won(self) -> bool:
        return self.seat.place == 1 and not self.seat.left

    @property
    def others(self) -> list[ResultSeat]:
        return [seat for seat in self.game.seats if seat.seat != self.seat.seat]


def figures_of(results: Sequence[Result], person: str, friends: Collection[str] = ()) -> Figures:
    """Return the figures of a person's results, given the newest first."""
    cut = len(results) > MOST_GAMES
    played = list(_played(results[:MOST_GAMES], person))
    best = sorted(played, key=lambda each: -each.seat.points)[:_BEST]
    streaks = [len(list(run)) if won else 0 for won, run in groupby(each.won for each in played)]
    return Figures(
        games=len(played),
        wins=sum(each.won for each in played),
        points=_mean(each.seat.points for each in played),
        streak=streaks[0] if streaks else 0,
        longest=max(streaks, default=0),
        tallies=_tallies(played),
        curve=tuple(
            PointsAt(
                finished=game.finished, players=game.players, points=seat.points, place=seat.place
            )
            for game, seat in reversed(played[:_CURVE])
        ),
        best=tuple(game_line(each.game, person) for each in best),
        opponents=_opponents(played, friends),
        cut=cut,
    )


def _played(results: Iterable[Result], person: str) -> Iterable[_Played]:
    """Yield the games in which one seat was the person's, not those of a shared screen."""
    for result in results:
        mine = [seat for seat in result.seats if seat.person == person]
        if len(mine) == 1:
            yield _Played(result, mine[0])


def _tallies(played: Iterable[_Played]) -> tuple[Tally, ...]:
    kinds: dict[tuple[int, int], list[_Played]] = defaultdict(list)
    for each in played:
        strongest = _strongest(each.others)
        if strongest is not None:
            kinds[each.game.players, strongest].append(each)
    return tuple(
        Tally(
            players=players,
            level=_LEVELS[level] if level < len(_LEVELS) else None,
            games=len(games),
            wins=sum(each.won for each in games),
            points=_mean(each.seat.points for each in games),
            best=max(each.seat.points for each in games),
        )
        for (players, level), games in sorted(kinds.items())
    )


def _strongest(others: Iterable[ResultSeat]) -> int | None:
    """Return the index of the strongest bot's level, or the number of levels if people played.

    None for bots among which there is a guest: its strength is not known.
    """
    bots = [level_of(seat.bot) for seat in others]
    if not bots or None in bots:
        return len(_LEVELS)
    levels = [_LEVELS.index(bot) for bot in bots if bot in _LEVELS]
    return max(levels) if len(levels) == len(bots) else None


def _opponents(played: Iterable[_Played], friends: Collection[str]) -> tuple[Opponent, ...]:
    met: dict[str, list[tuple[_Played, ResultSeat]]] = defaultdict(list)
    for each in played:
        for seat in each.others:
            if seat.person is not None:  # neither a bot nor erased
                met[seat.person].append((each, seat))
    most = sorted(met.items(), key=lambda pair: (-len(pair[1]), pair[1][0][1].name))
    return tuple(_opponent(person, games, person in friends) for person, games in most[:_OPPONENTS])


def _opponent(person: str, games: Sequence[tuple[_Played, ResultSeat]], friend: bool) -> Opponent:
    last, seat = games[0]
    return Opponent(
        name=seat.name,
        alias=alias_of(seat.name, person),
        games=len(games),
        ahead=sum(each.seat.place < theirs.place for each, theirs in games),
        behind=sum(each.seat.place > theirs.place for each, theirs in games),
        last=last.game.finished,
        table=last.game.table_id,
        seat=seat.seat,
        friend=friend,
    )


def _mean(points: Iterable[int]) -> float:
    values = list(points)
    return round(sum(values) / len(values), 1) if values else 0.0
