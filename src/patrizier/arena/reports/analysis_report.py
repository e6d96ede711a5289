"""The analysis of one game, or a profile of many, as one HTML file."""

from collections.abc import Sequence
from typing import Any

from patrizier.analysis.annotation import distinct_names
from patrizier.analysis.profile import Profile, profiles
from patrizier.analysis.sentences import why
from patrizier.analysis.verdicts import Verdict
from patrizier.arena.reports.page import Cell, Page, Section

from . import plots

_NOTES = (
    "Chances are estimates, calibrated on games of bots; = marks those that are solved.",
    "Errors are judged by what the seat knew. Luck of all seats adds up to zero at every event.",
)


def render_analyses(analyses: Sequence[dict[str, Any]], command: str = "") -> str:
    """Return the report as HTML: of one game, or of many."""
    page = _game(analyses[0], command) if len(analyses) == 1 else _profile(analyses, command)
    return page.render()


def _game(analysis: dict[str, Any], command: str) -> Page:
    names = distinct_names(analysis)
    groups = [[_curve(analysis, names)]]
    if analysis["seats"]:
        groups += [[_accounts(analysis, names)], [_moments(analysis, names)]]
    groups.append([_turns(analysis, names)])
    facts = [("players", str(analysis["players"])), ("turns", str(len(analysis["turns"])))]
    if analysis["points"]:
        facts.append(("points", " : ".join(map(str, analysis["points"]))))
    return Page(
        kind="Patrizier · Analysis",
        title=" – ".join(names),
        about="What was luck, what was skill, and what would have been better.",
        facts=facts,
        groups=groups,
        notes=_NOTES,
        command=command,
    )


def _curve(analysis: dict[str, Any], names: Sequence[str]) -> Section:
    curve = [analysis["deal"]["shares"], *(t["after"]["shares"] for t in analysis["turns"])]
    marks = [
        (turn["turn"], turn["after"]["shares"][turn["seat"]])
        for turn in analysis["turns"]
        if turn["verdict"] in ("mistake", "blunder")
    ]
    series = dict(zip(names, zip(*curve, strict=True), strict=True))
    svg = plots.curves(series, marks, axis="turns; a ring marks a mistake or blunder")
    return Section("Chances of victory", svg=svg)


def _accounts(analysis: dict[str, Any], names: Sequence[str]) -> Section:
    result = "result" if analysis["finished"] else "chance now"
    head = ("", "even share", "deal", "cards", "hidden", "own errors", "from others", result,
            "luck-adjusted")  # fmt: skip
    rows = []
    for name, account in zip(names, analysis["seats"], strict=True):
        luck, (low, high) = account["luck"], account["interval"]
        changes = (luck["deal"], luck["cards"], luck["hidden"], account["own"],
                   sum(account["others"]))  # fmt: skip
        rows.append([
            Cell(name),
            Cell(f"{account['fair']:.1%}"),
            *(Cell(_change(change)) for change in changes),
            Cell(f"{account['result']:.1%}"),
            Cell(f"{account['adjusted']:.1%}".replace("-", "−"), f"± {(high - low) * 50:.1f}"),
        ])  # fmt: skip
    return Section("What made the result", "The columns add up.", head=head, rows=rows)


def _moments(analysis: dict[str, Any], names: Sequence[str]) -> Section:
    rows = []
    for moment in analysis["moments"]:
        turn = analysis["turns"][moment["turn"] - 1] if moment["turn"] else None
        text = "the deal, and who begins"
        if turn is not None and moment["kind"] == "card":
            text = f"{turn['refill']} is turned up"
        elif turn is not None:
            text = f"{names[moment['seat']]} plays {turn['move']}: {turn['verdict']}"
        changes = (Cell(_change(change)) for change in moment["change"])
        rows.append([Cell(str(moment["turn"] or "")), Cell(text), *changes])
    title = "What decided the game" if analysis["finished"] else "What moved most so far"
    return Section(title, head=("turn", "", *names), rows=rows, left=2)


def _turns(analysis: dict[str, Any], names: Sequence[str]) -> Section:
    rows = []
    for turn in analysis["turns"]:
        shares = " / ".join(f"{share * 100:.0f}" for share in turn["after"]["shares"])
        verdict = turn["verdict"] or ""
        rows.append([
            Cell(str(turn["turn"])),
            Cell(names[turn["seat"]]),
            Cell(turn["move"]),
            Cell(verdict + (" =" if turn["exact"] else "")),
            Cell(why(turn, names) if turn["why"] is not None else "", wraps=True),
            Cell(_change(-turn["cost"]) if turn["cost"] else ""),
            Cell(shares),
        ])  # fmt: skip
    head = ("turn", "", "played", "verdict", "why", "cost", "chances")
    return Section("Every turn", head=head, rows=rows, left=5)


def _profile(analyses: Sequence[dict[str, Any]], command: str) -> Page:
    found = profiles(analyses)
    sections = [[_results(found)], [_luck(found)], [_verdicts(found)], [_costs(found)]]
    return Page(
        kind="Patrizier · Analysis",
        title=f"{len(analyses)} games",
        about="Results, luck and errors of every player.",
        groups=sections,
        notes=_NOTES,
        command=command,
    )


def _results(found: Sequence[Profile]) -> Section:
    rows = []
    for profile in found:
        games, count = profile.games, len(profile.games)
        rows.append([
            Cell(profile.name),
            Cell(str(count)),
            Cell(f"{sum(game.result for game in games) / count:.1%}"),
            Cell(_change(sum(game.luck for game in games) / count)),
            Cell(f"{sum(game.adjusted for game in games) / count:.1%}".replace("-", "−")),
            Cell(_change(sum(game.own for game in games) / count)),
        ])  # fmt: skip
    head = ("player", "games", "result", "luck", "luck-adjusted", "own errors")
    return Section("Results", "Means per game.", head=head, rows=rows)


def _luck(found: Sequence[Profile]) -> Section:
    series = {}
    for profile in found:
        total, path = 0.0, [0.0]
        for game in profile.games:
            total += game.luck
            path.append(total)
        series[profile.name] = path
    return Section("Luck over time", svg=plots.curves(series, (), axis="games"))


def _verdicts(found: Sequence[Profile]) -> Section:
    rows = []
    for profile in found:
        turns = max(1, profile.verdicts.total())
        shares = (Cell(f"{profile.verdicts[verdict.value] / turns:.0%}") for verdict in Verdict)
        rows.append([Cell(profile.name), *shares])
    return Section("Verdicts", head=("player", *(v.value for v in Verdict)), rows=rows)


def _costs(found: Sequence[Profile]) -> Section:
    rows = []
    for profile in found:
        cells = [Cell(profile.name)]
        for costs in (profile.kinds, profile.phases, profile.cities):
            ranked = sorted(costs.items(), key=lambda item: -item[1])[:4]
            each = (f"{name} {100 * cost / len(profile.games):.1f}" for name, cost in ranked)
            cells.append(Cell(", ".join(each), wraps=True))
        rows.append(cells)
    head = ("player", "by decision", "by phase", "by city")
    return Section("Where errors cost most, per game", head=head, rows=rows, left=4)


def _change(share: float) -> str:
    return "0" if abs(share) < 0.0005 else f"{share * 100:+.1f}".replace("-", "−")
