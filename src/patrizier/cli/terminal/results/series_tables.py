"""The results of a series of games, as tables and as JSON."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from patrizier.arena.series import Chunk, Series
from patrizier.arena.standings import PLACES
from patrizier.cli.terminal.results.tournament_tables import many, new_table

_PARTS = ("tokens", "sets", "chips", "minus", "total", "floors")
_TOTAL = _PARTS.index("total")


def to_json(series: Series, sums: Chunk, seconds: float) -> dict[str, Any]:
    """Return the figures as JSON."""
    options, games = series.options, sums.games
    points = (sums.points / games).tolist()
    return {
        "players": options.players,
        "rules": sorted(options.rules),
        "deck": options.deck.name,
        "games": games,
        "seed": series.seed,
        "seconds": seconds,
        "games_per_second": games / seconds,
        "decisions_per_game": sums.decisions / games if series.is_random else None,
        "seats": [
            {"bot": bot}
            | dict(zip(_PARTS, points[seat], strict=True))
            | {"win_share": sums.wins[seat] / games, "incidents": _incidents(sums, seat)}
            for seat, bot in enumerate(series.bots)
        ],
        "places": [
            {
                "total": sums.points_by_place[place] / games,
                "win_share": sums.wins_by_place[place] / games,
            }
            for place in range(options.players)
        ],
    }


def all_tables(series: Series, sums: Chunk, seconds: float) -> Iterator[Table]:
    """Yield the figures as tables."""
    yield _seats(series, sums, seconds)
    if sums.incidents:
        yield _incident_table(series, sums)


def _seats(series: Series, sums: Chunk, seconds: float) -> Table:
    options, games = series.options, sums.games
    rules = options.rules_text.replace(",", ", ") or "base game"
    kind = "random game" if series.is_random else "game"
    table = Table(
        title=f"{many(games, kind)} of {options.players} ({rules})",
        caption=f"{seconds:.2f} s, {_speed(games / seconds)}",
        title_justify="left",
        caption_justify="left",
        box=None,
    )
    table.add_column("seat")
    table.add_column("colour", no_wrap=True)
    table.add_column("bot", overflow="fold")
    for name in ("tokens", "sets", "chips", "−3", "points", "±", "wins"):
        table.add_column(name, justify="right", no_wrap=True)
    points = sums.points / games
    spread = (sums.squares / games - points[:, _TOTAL] ** 2) ** 0.5
    for seat, colour in enumerate(options.colours):
        table.add_row(
            str(seat + 1),
            colour,
            Text(series.bots[seat]),
            *(f"{points[seat, part]:.2f}" for part in range(_TOTAL + 1)),
            f"{spread[seat]:.1f}",
            f"{sums.wins[seat] / games:.1%}",
        )
    table.add_section()
    for place in range(options.players):
        mean, share = sums.points_by_place[place] / games, sums.wins_by_place[place] / games
        name = PLACES[place] if place else f"plays {PLACES[place]}"
        table.add_row("", name, *[""] * 5, f"{mean:.2f}", "", f"{share:.1%}")
    return table


def _speed(games_per_second: float) -> str:
    """Return a speed in games per second, or in seconds per game if that is more than one."""
    if games_per_second < 1:
        return f"{1 / games_per_second:.1f} seconds per game"
    return f"{games_per_second:,.0f} games per second"


def _incident_table(series: Series, sums: Chunk) -> Table:
    title = "Incidents (a legal move was played instead)"
    table = new_table(title, "seat", "bot", "what", "", left=3)
    for seat, bot in enumerate(series.bots):
        for kind, count in _incidents(sums, seat).items():
            table.add_row(str(seat + 1), Text(bot), kind, f"{count:,}")
    return table


def _incidents(sums: Chunk, seat: int) -> dict[str, int]:
    """Return the incidents of a seat by kind, most frequent first."""
    return {kind: count for (who, kind), count in sums.incidents.most_common() if who == seat}
