"""The report of a tournament as one HTML file."""

from collections.abc import Sequence

from patrizier.arena.executors import Node
from patrizier.arena.ratings import MIDDLE
from patrizier.arena.reports.page import (
    INTERVALS_NOTE,
    Cell,
    Page,
    Section,
    full_scale,
    number_cell,
    share_cell,
)
from patrizier.arena.schedule import Plan
from patrizier.arena.standings import PARTS, PLACES, Standings
from patrizier.rules.deck import Deck

from . import plots

_PART_NAMES = {"tokens": "tokens", "sets": "sets", "chips": "chips", "minus": "−3 chip"}


def render_report(
    plan: Plan, standings: Standings, command: str = "", nodes: Sequence[Node] = ()
) -> str:
    """Return the report of a tournament as HTML; ``nodes`` are the machines of a cluster."""
    many = len(standings.bots) > 1
    sections: list[list[Section]] = [[_standings(plan, standings)]]
    if standings.players > 2 and many:
        sections.append([_tables(standings)])
    if many:
        sections.append([_ratings(standings)])
        sections.append([_pairs(standings), _places(standings)])
    else:
        sections.append([_places(standings, plots.WIDE)])
    sections.append([_points(standings)])
    if any(standings.incidents.values()):
        sections.append([_incidents(standings)])
    if any(node.speed for node in nodes):
        sections.append([_nodes(nodes, standings)])
    page = Page(
        kind="Patrizier · Arena",
        title=_title(standings),
        about=(
            f"{standings.players} players at a table. Every deal was played by every line-up in "
            "all rotations, so each bot held each hand."
        ),
        facts=_facts(plan, standings),
        groups=sections,
        notes=(INTERVALS_NOTE,),
        command=command,
    )
    return page.render()


def _nodes(nodes: Sequence[Node], standings: Standings) -> Section:
    fastest = max(node.speed for node in nodes)
    text = (
        "The speed is measured by random games on one core. Bots with a time budget are only "
        "comparable on machines of equal speed."
    )
    rows = [
        [
            Cell(node.name),
            Cell(str(node.workers)),
            Cell(f"{node.speed / fastest:.0%}", f"{node.speed:,.0f} games per second"),
            Cell(f"{standings.games_by_node.get(node.name, 0):,}"),
        ]
        for node in nodes
    ]
    return Section("Machines", text, head=["node", "workers", "speed", "games"], rows=rows)


def _title(standings: Standings) -> str:
    """Name the best bot, if the difference is significant."""
    best, *others = [bot.name for bot in standings.bots]
    if not others:
        return f"{best} against itself"
    clear = (best, others[0]) in standings.pairs and standings.pairs[best, others[0]].low > 0.5
    if clear:
        return f"{best} is ahead of {_join(others)}"
    return f"{best} and {others[0]} are too close to call"


def _join(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} other bots"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _facts(plan: Plan, standings: Standings) -> list[tuple[str, str]]:
    options = plan.options
    facts = [
        ("games", f"{standings.games:,}"),
        ("deals", f"{standings.deals:,}"),
        ("players", str(standings.players)),
        ("rules", options.rules_text.replace(",", ", ") or "base game"),
    ]
    if options.deck != Deck.classic():
        facts.append(("deck", options.deck.name))
    facts.append(("seed", str(plan.seed)))
    if plan.limit_seconds is not None:
        facts.append(("time limit", f"{plan.limit_seconds:g} s"))
    return facts


def _standings(plan: Plan, standings: Standings) -> Section:
    parts = [part for part in PARTS if "messengers" in plan.options.rules or part in PARTS[:2]]
    head = ["bot", *([standings.rating] if standings.rating else []), "victories", "points"]
    head += [_PART_NAMES[part] for part in parts]
    head.append("time per turn")
    full = full_scale((bot.wins for bot in standings.bots), standings.fair)
    rows = []
    for bot in standings.bots:
        row = [Cell(bot.name)]
        if standings.rating:
            row.append(_rating_cell(standings, bot.name))
        row += [share_cell(bot.wins, standings.fair, full), number_cell(bot.points)]
        row += [Cell(f"{bot.parts[part]:.1f}".replace("-", "−")) for part in parts]
        row.append(Cell(duration(bot.seconds)))
        rows.append(row)
    text = (
        f"Victories are counted for each seat. Among equals a seat wins {standings.fair:.0%}: "
        "the thin line."
    )
    return Section("Standings", text, head=head, rows=rows)


def _rating_cell(standings: Standings, name: str) -> Cell:
    rating = next(bot.rating for bot in standings.bots if bot.name == name)
    return number_cell(rating, 0 if standings.rating == "Elo" else 1) if rating else Cell("–")


def duration(seconds: float) -> str:
    """Return a duration in a readable unit."""
    if seconds < 0.0995:
        return f"{seconds * 1000:.{0 if seconds >= 0.00995 else 1}f} ms"
    return f"{seconds:.2f} s"


def _ratings(standings: Standings) -> Section:
    elo = standings.rating == "Elo"
    rows = [(bot.name, [bot.rating]) for bot in standings.bots]
    text = (
        "Elo ratings by maximum likelihood; their mean is 0, and 100 points more mean 64% of "
        "the victories."
        if elo
        else "Plackett-Luce ratings (openskill) from all places of every game; their mean is 25."
    )
    svg = plots.dots(rows, reference=0 if elo else MIDDLE, text=_plain)
    return Section("Ratings", text, svg)


def _plain(value: float) -> str:
    return f"{value:.10g}".replace("-", "−")


def _pairs(standings: Standings) -> Section:
    names = [bot.name for bot in standings.bots]
    cells = {pair: (share.value, f"{share.value:.1%}") for pair, share in standings.pairs.items()}
    svg = plots.grid(names, names, cells, middle=0.5, reach=0.5, wrap=True)
    return Section("Head to head", "How often the row finishes ahead of the column.", svg)


def _places(standings: Standings, width: float = plots.HALF) -> Section:
    rows = [(f"plays {PLACES[place.place]}", [place.wins]) for place in standings.places]
    svg = plots.dots(rows, reference=standings.fair, width=width)
    text = "Victories by place in turn order, all bots together."
    return Section("Advantage of the place", text, svg)


def _points(standings: Standings) -> Section:
    svg = plots.ridges(standings.points, axis="points in a game")
    return Section("Points", "Distribution of the points, with the median.", svg)


def _tables(standings: Standings) -> Section:
    full = full_scale((table.wins for table in standings.tables), standings.fair)
    rows, last = [], None
    for table in standings.tables:
        names = " · ".join(
            f"{table.lineup.count(name)} {name}" for name in dict.fromkeys(table.lineup)
        )
        first = Cell(names if table.lineup != last else "")
        last = table.lineup
        wins = share_cell(table.wins, standings.fair, full)
        rows.append([first, Cell(table.name), wins, number_cell(table.points)])
    head = ["line-up", "bot", "victories per seat", "points"]
    return Section("Line-ups", "Results of each bot in each line-up.", head=head, rows=rows, left=2)


def _incidents(standings: Standings) -> Section:
    rows = [
        [Cell(name), Cell(kind), Cell(f"{count:,}")]
        for name, kinds in standings.incidents.items()
        for kind, count in kinds.most_common()
    ]
    text = "Answers that were replaced by a legal move."
    return Section("Incidents", text, head=["bot", "what", "how often"], rows=rows, left=2)
