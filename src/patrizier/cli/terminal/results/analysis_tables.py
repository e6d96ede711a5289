"""An analysis in the terminal: every turn with its verdict, the accounts, the moments."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from patrizier.analysis.profile import profiles
from patrizier.analysis.sentences import why
from patrizier.analysis.verdicts import Verdict
from patrizier.cli.terminal.drawing.cast import QUIET, Cast
from patrizier.cli.terminal.results.tournament_tables import many, new_table
from patrizier.ptr import GameRecord

_STYLES = {"best": "green", "fine": "", "inaccuracy": "yellow", "mistake": "red",
           "blunder": "bold red"}  # fmt: skip


def analysis_tables(
    analysis: dict[str, Any], record: GameRecord, seat: int | None = None
) -> Iterator[Table]:
    """Yield the tables of one game; with a seat, only its turns."""
    cast = Cast.of(record.game().options, record.names)
    yield _turns(analysis, cast, seat)
    if analysis["seats"]:
        yield _accounts(analysis, cast)
        yield _moments(analysis, cast)


def _turns(analysis: dict[str, Any], cast: Cast, seat: int | None) -> Table:
    table = new_table(f"{many(len(analysis['turns']), 'turn')}", "turn", "", "played", left=3)
    for name in cast.names:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("luck", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("cost", justify="right", no_wrap=True)
    table.add_column("better", no_wrap=True)
    table.add_column("why", overflow="fold")
    for turn in analysis["turns"]:
        if seat is not None and turn["seat"] != seat:
            continue
        verdict = turn["verdict"] or ""
        is_error = verdict in ("inaccuracy", "mistake", "blunder")
        mark = "=" if turn["after"]["exact"] else ""
        table.add_row(
            str(turn["turn"]),
            cast.chip(turn["seat"]),
            turn["move"],
            *(f"{mark}{share:.0%}" for share in turn["after"]["shares"]),
            points_text(turn["luck"]["card"][turn["seat"]]) if turn["luck"] else "",
            Text(verdict + (" =" if turn["exact"] else ""), _STYLES.get(verdict, "")),
            f"{turn['cost']:.1%}" if turn["cost"] else "",
            turn["choices"][0]["move"] if is_error else "",
            Text(why(turn, cast.names) if turn["why"] else "", QUIET),
        )
    table.caption = "chances after each turn; = solved; luck: of the card turned up, for its seat"
    return table


def _accounts(analysis: dict[str, Any], cast: Cast) -> Table:
    table = new_table(
        "What made the result", "", "even share", "deal", "cards", "hidden", "own errors",
        "from others", "result", "luck-adjusted",
    )  # fmt: skip
    for seat, account in enumerate(analysis["seats"]):
        luck = account["luck"]
        low, high = account["interval"]
        table.add_row(
            cast.label(seat),
            f"{account['fair']:.1%}",
            points_text(luck["deal"]),
            points_text(luck["cards"]),
            points_text(luck["hidden"]),
            points_text(account["own"]),
            points_text(sum(account["others"])),
            f"{account['result']:.1%}",
            f"{account['adjusted']:.1%} [dim]± {(high - low) * 50:.1f}[/]",
        )
    table.caption = "shares of the victory, in percentage points: the columns add up"
    return table


def _moments(analysis: dict[str, Any], cast: Cast) -> Table:
    table = new_table("What decided the game", "turn", "", left=2)
    for name in cast.names:
        table.add_column(name, justify="right", no_wrap=True)
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
            f"{sum(game.adjusted for game in profile.games) / count:.1%}",
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
