"""An analysis in the terminal: every turn with its verdict, the accounts, the moments."""

from collections.abc import Collection, Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from patrizier.analysis.profile import profiles
from patrizier.analysis.sentences import why
from patrizier.analysis.verdicts import Verdict
from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.results.tournament_tables import many, new_table
from patrizier.ptr import GameRecord

_STYLES = {"best": "green", "fine": "", "inaccuracy": "yellow", "mistake": "red",
           "blunder": "bold red"}  # fmt: skip
_LONGEST_NAME = 24  # in sentences, which wrap
_INDENT = 7  # of reasons: they begin where the turns do


def analysis_tables(
    analysis: dict[str, Any], record: GameRecord, seat: int | None = None
) -> Iterator[RenderableType]:
    """Yield the tables of one game; with a seat, only its turns."""
    cast = Cast.of(record.game().options, record.names, longest=_LONGEST_NAME)
    yield _turns(analysis, cast, seat)
    if analysis["seats"]:
        yield _accounts(analysis, cast)
        yield _moments(analysis, cast)


def _turns(analysis: dict[str, Any], cast: Cast, seat: int | None) -> Group:
    """Return all turns, each with its reasons below it, so that 80 columns are enough."""
    title = many(len(analysis["turns"]), "turn")
    if not analysis["finished"]:
        title += " of an unfinished game"
    seats = range(len(cast.names))
    people = Text("  ").join(cast.label(each) for each in seats)
    chips = [cast.chip(each) for each in seats]
    rows: list[list[Text]] = [[Text(), Text(), Text("played"), *chips, Text("luck"), Text()]]
    told = [Text()]
    for turn in analysis["turns"]:
        if seat is None or turn["seat"] == seat:
            rows.append(_cells(turn, cast))
            told.append(Text(why(turn, cast.names) if turn["why"] is not None else "", QUIET))
    parts: list[RenderableType] = [Text(title, f"bold {GILT}"), people]
    for line, text in zip(_aligned(rows, left=(1, 2, len(rows[0]) - 1)), told, strict=True):
        parts.append(line)
        if text:
            parts.append(Padding(text, (0, 0, 0, _INDENT)))
    legend = "chances after each turn; =: solved; luck: of the card turned up, for its seat"
    return Group(*parts, Text(legend, "italic dim"))


def _cells(turn: dict[str, Any], cast: Cast) -> list[Text]:
    verdict = turn["verdict"] or ""
    mark = "=" if turn["after"]["exact"] else ""
    cost = f" {turn['cost']:.1%}" if turn["cost"] else ""
    return [
        Text(str(turn["turn"])),
        cast.chip(turn["seat"]),
        Text(turn["move"]),
        *(Text(f"{mark}{share:.0%}") for share in turn["after"]["shares"]),
        Text(points_text(turn["luck"]["card"][turn["seat"]]) if turn["luck"] else ""),
        Text.assemble(
            (verdict, _STYLES.get(verdict, "")), " =" if turn["exact"] else "", (cost, QUIET)
        ),
    ]


def _aligned(rows: list[list[Text]], left: Collection[int]) -> Iterator[Text]:
    """Yield rows as lines with columns below each other, most of them aligned to the right."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = width - cell.cell_len
            if number in left:
                cell.pad_right(gap)
            else:
                cell.pad_left(gap)
        line = Text(" ").join(row)
        line.rstrip()
        yield line


def _accounts(analysis: dict[str, Any], cast: Cast) -> Table:
    title = "What made the result" if analysis["finished"] else "What made the chances"
    table = new_table(title, "")
    for seat in range(len(cast.names)):
        table.add_column(cast.chip(seat), justify="right", no_wrap=True)
    accounts = analysis["seats"]
    parts = {
        "even share": [f"{account['fair']:.1%}" for account in accounts],
        "deal": [points_text(account["luck"]["deal"]) for account in accounts],
        "cards": [points_text(account["luck"]["cards"]) for account in accounts],
        "hidden": [points_text(account["luck"]["hidden"]) for account in accounts],
        "own errors": [points_text(account["own"]) for account in accounts],
        "from others": [points_text(sum(account["others"])) for account in accounts],
        "result" if analysis["finished"] else "chance now": [
            f"{account['result']:.1%}" for account in accounts
        ],
    }
    for name, cells in parts.items():
        table.add_row(name, *cells)
    table.add_section()
    adjusted = [f"{account['adjusted']:.1%}".replace("-", "−") for account in accounts]
    intervals = [account["interval"] for account in accounts]
    table.add_row("luck-adjusted", *adjusted)
    table.add_row("", *(f"[dim]± {(high - low) * 50:.1f}[/]" for low, high in intervals))
    table.caption = "in percent of the victory; the columns add up"
    table.caption_justify = "left"
    return table


def _moments(analysis: dict[str, Any], cast: Cast) -> Table:
    title = "What decided the game" if analysis["finished"] else "What moved most so far"
    table = new_table(title, "turn", left=1)
    table.add_column("")
    for seat in range(len(cast.names)):
        table.add_column(cast.chip(seat), justify="right", no_wrap=True)
    for moment in analysis["moments"]:
        number, name = moment["turn"], cast.names[moment["seat"]]
        if moment["kind"] == "error":
            move = analysis["turns"][number - 1]["move"]
            text = f"{name} plays {move}: {analysis['turns'][number - 1]['verdict']}"
        elif moment["kind"] == "card":
            text = f"{analysis['turns'][number - 1]['refill']} is turned up"
        else:
            text = "the deal, and who begins"
        changes = (points_text(change) for change in moment["change"])
        table.add_row(str(number) if number else "", text, *changes)
    return table


def profile_tables(analyses: list[dict[str, Any]]) -> Iterator[Table]:
    """Yield the tables of many games: every player's results, luck and errors."""
    found = profiles(analyses)
    title = f"{many(sum(a['complete'] for a in analyses), 'game')} analysed"
    table = new_table(title, "player", "games", "result", "luck", "luck-adjusted", "own errors")
    for profile in found:
        count = len(profile.games)
        table.add_row(
            profile.name,
            str(count),
            f"{sum(game.result for game in profile.games) / count:.1%}",
            points_text(sum(game.luck for game in profile.games) / count),
            f"{sum(game.adjusted for game in profile.games) / count:.1%}".replace("-", "−"),
            points_text(sum(game.own for game in profile.games) / count),
        )
    table.caption = "means per game, in shares of the victory"
    yield table
    table = new_table("Verdicts", "player", *(verdict.value for verdict in Verdict))
    for profile in found:
        turns = max(1, profile.verdicts.total())
        table.add_row(
            profile.name, *(f"{profile.verdicts[verdict.value] / turns:.0%}" for verdict in Verdict)
        )
    yield table
    table = new_table("Where errors cost most, per game", "player", "", "", "", left=4)
    table.show_header = False
    for profile in found:
        count = len(profile.games)
        for costs in (profile.kinds, profile.phases, profile.cities):
            ranked = sorted(costs.items(), key=lambda item: -item[1])[:4]
            cells = [f"{name} {cost / count:.1%}" for name, cost in ranked]
            table.add_row(profile.name, ", ".join(cells))
    yield table


def points_text(share: float) -> str:
    """Return a change of a share in percentage points, with its sign.

    >>> points_text(0.0234), points_text(0.0)
    ('+2.3', '0')
    """
    if abs(share) < 0.0005:
        return "0"
    return f"{share * 100:+.1f}".replace("-", "−")
