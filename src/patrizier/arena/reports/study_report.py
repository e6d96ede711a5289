"""The study of records as one HTML file."""

from collections.abc import Sequence

from patrizier.arena.reports.page import (
    INTERVALS_NOTE,
    Cell,
    Page,
    Section,
    full_scale,
    number_cell,
    share_cell,
)
from patrizier.arena.standings import PLACES
from patrizier.arena.study import Group, Worth
from patrizier.rules.board import CITIES, CITY_INDEX, cities_in_play

from . import plots

_WHICH = ("taller", "lower", "both")
_SIGNS = {"2": "II", "?": "?", ">": "move"}


def render_study(groups: Sequence[Group], command: str = "") -> str:
    """Return the report as HTML."""
    games = sum(group.games for group in groups)
    deals = len(set().union(*(group.deals for group in groups)))
    several = len(groups) > 1
    sections: list[Sequence[Section]] = [[_spread(groups)]]
    for group in groups:
        prefix = f"{group.title}: " if several else ""
        sections += _sections(group, prefix)
    facts = [("games", f"{games:,}"), ("deals", f"{deals:,}")]
    if not several:
        facts += [
            ("players", str(groups[0].players)),
            ("rules", groups[0].rules.replace(",", ", ") or "base game"),
        ]
    page = Page(
        kind="Patrizier · Study",
        title="What the games say about the game",
        about=(
            "Results of the players who had something: a place in turn order, a token, a set of "
            "portraits, a card. These are correlations: good players also take more tokens."
        ),
        facts=facts,
        groups=sections,
        notes=(INTERVALS_NOTE,),
        command=command,
    )
    return page.render()


def _spread(groups: Sequence[Group]) -> Section:
    head = ["game", "games", "mean", "spread", "middle 80%", "winner", "margin", "leader wins"]
    rows = []
    for group in groups:
        spread = group.spread()
        lead = group.lead
        rows.append(
            [
                Cell(group.title),
                Cell(f"{group.games:,}"),
                Cell(f"{spread['mean']:.1f}"),
                Cell(f"{spread['deviation']:.1f}"),
                Cell(f"{spread['percentile_10']:.0f}–{spread['percentile_90']:.0f}"),
                Cell(f"{spread['winner']:.1f}"),
                Cell(f"{spread['margin']:.1f}"),
                share_cell(lead, 1 / group.players) if lead else Cell("–"),
            ]
        )
    series = {}
    for group in groups:
        label = group.title if len(groups) > 1 else "everyone"
        series[label] = group.points
        series["winners" if len(groups) == 1 else f"{label}: winners"] = group.winning
    text = (
        "Points per game. Margin: points between first and second. Leader: the sole leader at "
        "half-time; the thin line is the fair share."
    )
    return Section("Distribution of the points", text, plots.ridges(series), head, rows)


def _sections(group: Group, prefix: str) -> list[Sequence[Section]]:
    fair = 1 / group.players
    places = [(PLACES[int(n) - 1], [w.wins]) for n, w in group.worths("place").items()]
    sets = [(f"{n} sets" if n != "1" else "1 set", [w.wins]) for n, w in _often(group, "sets")]
    return [
        [
            Section(
                f"{prefix}Place in turn order",
                "Victories by place; the line is the fair share.",
                plots.dots(places, reference=fair, width=plots.HALF),
            ),
            Section(
                f"{prefix}Sets of portraits",
                "Victories by the number of full sets.",
                plots.dots(sets, reference=fair, width=plots.HALF),
            ),
        ],
        [_cities(group, prefix, fair)],
        [
            _table(
                group,
                f"{prefix}Tokens",
                "Results of the players who took a token of this value.",
                "token",
                fair,
            ),
            _table(
                group,
                f"{prefix}Nobles",
                "Results of the players with at least one set.",
                "noble",
                fair,
            ),
        ],
        [_cards(group, prefix)],
    ]


def _often(group: Group, topic: str) -> list[tuple[str, Worth]]:
    """Leave out what is too rare to be significant."""
    least = max(5, group.games * group.players // 500)
    return [item for item in group.worths(topic).items() if item[1].count >= least]


def _cities(group: Group, prefix: str, fair: float) -> Section:
    worths = group.worths("city")
    rows = []
    for city in sorted(cities_in_play(group.players), key=lambda c: -c.capacity):
        held = [worths.get(f"{city.code} {which}") for which in _WHICH]
        rows.append((city.name, [worth.wins if worth else None for worth in held]))
    svg = plots.dots(rows, reference=fair, series=("taller tower", "lower tower", "both"))
    return Section(
        f"{prefix}Cities", "Victories of the players who took the tokens of a city.", svg
    )


def _table(group: Group, title: str, text: str, topic: str, fair: float) -> Section:
    items = group.worths(topic)
    full = full_scale((worth.wins for worth in items.values()), fair)
    rows = [
        [Cell(name), share_cell(worth.wins, fair, full), number_cell(worth.above)]
        for name, worth in items.items()
    ]
    return Section(title, text, head=[topic, "victories", "above the table"], rows=rows)


def _cards(group: Group, prefix: str) -> Section:
    worths = group.worths("card")
    cities = sorted(cities_in_play(group.players), key=lambda c: (-c.capacity, CITY_INDEX[c.code]))
    columns = [str(n + 1) for n in range(max(city.cards for city in cities))]
    cells = {}
    for card, worth in worths.items():
        face = group.deck[card].text
        sign = _SIGNS.get(face[0], face.rstrip("*")) + (" ★" if face.endswith("*") else "")
        value = round(worth.above.value, 1) + 0.0  # no minus zero
        label = f"{sign}  {value:+.1f}".replace("-", "−")
        cells[CITIES[CITY_INDEX[card[:2]]].name, card[2:]] = value, label
    reach = max((abs(value) for value, _ in cells.values()), default=1.0)
    text = (
        "Points above the mean of the game for who played a card. II: two crests, ?: free draw, "
        "L, B, K: portraits of Lady, Banker, Knight, ★: star."
    )
    svg = plots.grid(
        [city.name for city in cities],
        columns,
        cells,
        middle=0.0,
        reach=reach,
        width=plots.WIDE,
        row_height=0.36,
    )
    return Section(f"{prefix}Cards", text, svg)
