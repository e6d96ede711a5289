"""The tables of a tournament in the terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from patrizier.arena.intervals import Estimate
from patrizier.arena.luck import Adjusted
from patrizier.arena.reports.page import plus_minus
from patrizier.arena.reports.tournament_report import duration
from patrizier.arena.schedule import Plan
from patrizier.arena.standings import PLACES, Standings
from patrizier.cli.terminal.drawing.cast import GILT


def new_table(title: str, *columns: str, left: int = 1) -> Table:
    """Return a plain table whose first columns are left-aligned."""
    table = Table(title=title, title_justify="left", title_style=f"bold {GILT}", box=None)
    table.min_width = len(title)  # keep the title on one line
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < left else "right", no_wrap=True)
    return table


def many(count: int, noun: str) -> str:
    """Return a number and its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def share_text(estimate: Estimate) -> str:
    """Return a share with its interval."""
    bounds = f"{estimate.low * 100:.1f}–{estimate.high * 100:.1f}"
    return f"{estimate.value:.1%} [dim]{bounds:>10}[/]"


def number_text(estimate: Estimate, digits: int = 1) -> str:
    """Return a mean with half the width of its interval."""
    value = f"{estimate.value:.{digits}f}".replace("-", "−")
    return f"{value} [dim]{plus_minus(estimate, digits):>7}[/]"


def all_tables(plan: Plan, standings: Standings) -> Iterator[Table]:
    """Yield the tables that a finished tournament shows."""
    yield _bots(plan, standings)
    if standings.players > 2 and len(standings.bots) > 1:
        yield _lineups(standings)
    if len(standings.bots) > 2:
        yield _pairs(standings)
    yield _places(standings)
    if any(standings.incidents.values()):
        yield _incidents(standings)


def _bots(plan: Plan, standings: Standings) -> Table:
    rules = plan.options.rules_text.replace(",", ", ") or "base game"
    games, deals = many(standings.games, "game"), many(standings.deals, "deal")
    title = f"{games} of {standings.players} on {deals} ({rules})"
    rating = [standings.rating] if standings.rating else []
    table = new_table(title, "bot", *rating, "victories", "points", "time per turn")
    table.caption = "95% intervals; games of one deal count as one observation"
    table.caption_justify = "left"
    for bot in standings.bots:
        cells: list[Any] = [bot.name]
        if standings.rating:
            digits = 0 if standings.rating == "Elo" else 1
            cells.append(number_text(bot.rating, digits) if bot.rating else "–")
        cells += [share_text(bot.wins), number_text(bot.points), duration(bot.seconds)]
        table.add_row(*cells)
    return table


def _lineups(standings: Standings) -> Table:
    table = new_table("Line-ups", "seats", "bot", "victories per seat", "points", left=2)
    last = None
    for row in standings.tables:
        names = ", ".join(f"{row.lineup.count(n)} {n}" for n in dict.fromkeys(row.lineup))
        first = names if row.lineup != last else ""
        table.add_row(first, row.name, share_text(row.wins), number_text(row.points))
        last = row.lineup
    return table


def _pairs(standings: Standings) -> Table:
    names = [bot.name for bot in standings.bots]
    table = new_table("How often the row finishes ahead of the column", "", *names)
    for one in names:
        shares = [standings.pairs.get((one, other)) for other in names]
        table.add_row(one, *(f"{share.value:.1%}" if share else "" for share in shares))
    return table


def _places(standings: Standings) -> Table:
    table = new_table("By place in turn order", "plays", "victories", "points")
    for place in standings.places:
        table.add_row(PLACES[place.place], share_text(place.wins), number_text(place.points))
    return table


def luck_table(adjusted: Sequence[Adjusted]) -> Table:
    """Return the standings less the luck of the cards."""
    table = new_table("Without the luck of the cards", "bot", "victories", "standard error")
    for bot in adjusted:
        reach = (bot.wins.high - bot.wins.low) * 50
        wins = f"{bot.wins.value:.1%} [dim]± {reach:.1f}[/]"
        table.add_row(bot.name, wins, f"{bot.deviation:.0%} of the usual")
    return table


def _incidents(standings: Standings) -> Table:
    table = new_table("Incidents (a legal move was played instead)", "bot", "what", "", left=2)
    for name, kinds in standings.incidents.items():
        for kind, count in kinds.most_common():
            table.add_row(name, kind, f"{count:,}")
    return table
