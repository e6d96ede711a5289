"""`patrizier study`: statistics over game records."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import Json, fail

if TYPE_CHECKING:
    from rich.table import Table

    from patrizier.arena.study import Group

_CARDS_SHOWN = 6  # best and worst


def study(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Game records (.ptr).")],
    report: Annotated[str, typer.Option(metavar="FILE", help="Write an HTML report.")] = "",
    json: Json = False,
) -> None:
    """Study game records: what places, cities, tokens, portraits and cards are worth.

    Example: `patrizier study games.ptr --report study.html`
    """
    from patrizier.arena import study as studies
    from patrizier.cli.replay import load_or_fail

    if report:
        _check_report(report)
    groups, left_out = studies.study(record for file in files for record in load_or_fail(file))
    if not groups:
        fail("no finished game in these records")
    if report:
        from patrizier.arena.reports.study_report import render_study
        from patrizier.cli.files.report_file import write_report

        write_report(report, render_study(groups, shlex.join(["patrizier", "study", *files])))
    if json:
        import json as json_module

        games = [group.to_json() for group in groups]
        typer.echo(json_module.dumps({"groups": games, "unfinished": left_out}))
        return
    from rich.console import Console

    from patrizier.cli.terminal.results.tournament_tables import many

    console = Console(highlight=False)
    for group in groups:
        for table in _tables(group):
            console.print(table)
            console.print()
    if left_out:
        console.print(f"Left out: {many(left_out, 'unfinished game')}.")
    if report:
        console.print(f"The report is in {report}.")


def _check_report(report: str) -> None:
    from patrizier.arena.extras import MissingExtra, load
    from patrizier.cli.files.report_file import check_folder

    try:
        for library in ("matplotlib", "jinja2"):
            load(library)
    except MissingExtra as error:
        fail(str(error))
    check_folder(report)


def _tables(group: "Group") -> "Iterator[Table]":
    from patrizier.arena.standings import PLACES
    from patrizier.cli.terminal.results.tournament_tables import many, new_table, share_text

    spread = group.spread()
    games, deals = many(group.games, "game"), many(len(group.deals), "deal")
    table = new_table(f"{games} on {deals} ({group.title})", "", "")
    table.show_header = False
    table.add_row("points", f"{spread['mean']:.1f} ± {spread['deviation']:.1f}")
    low, high = spread["percentile_10"], spread["percentile_90"]
    table.add_row("10th to 90th percentile", f"{low:.0f}–{high:.0f}")
    table.add_row("points of the winner", f"{spread['winner']:.1f}")
    table.add_row("margin to the second", f"{spread['margin']:.1f}")
    table.add_row("decided by the tie-break", f"{spread['tie_breaks']:.1%}")
    table.add_row("shared victories", f"{spread['shared']:.1%}")
    if group.lead:
        table.add_row("a sole leader at half-time wins", share_text(group.lead))
    yield table
    places = {str(n + 1): name for n, name in enumerate(PLACES)}
    yield _worth_table(group, "place", "Place in turn order", places)
    yield _worth_table(group, "seat", "Seat")
    yield _worth_table(group, "token", "Winners of a token of")
    yield _worth_table(group, "city", "Winners of a city's towers")
    yield _worth_table(group, "sets", "Players by number of portrait sets")
    yield _worth_table(group, "noble", "Players with a set of")
    cards = sorted(group.worths("card").items(), key=lambda item: -item[1].above.value)
    shown = [name for name, _ in (*cards[:_CARDS_SHOWN], *cards[-_CARDS_SHOWN:])]
    names = {card: f"{card} {group.deck[card].text}" for card in shown}
    yield _worth_table(
        group, "card", "Players of a card: the best and the worst cards", names, shown
    )


def _worth_table(
    group: "Group",
    topic: str,
    title: str,
    names: dict[str, str] | None = None,
    shown: list[str] | None = None,
) -> "Table":
    from patrizier.cli.terminal.results.tournament_tables import new_table, number_text, share_text

    worths = group.worths(topic)
    table = new_table(title, "", "how often", "victories", "points", "above the table")
    for name in shown if shown is not None else worths:
        worth = worths[name]
        table.add_row(
            (names or {}).get(name, name),
            f"{worth.count:,}",
            share_text(worth.wins),
            number_text(worth.points),
            number_text(worth.above),
        )
    return table
