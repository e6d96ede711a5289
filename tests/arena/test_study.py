import json
from dataclasses import replace

import pytest

from patrizier import Game, GameRecord, Options
from patrizier.arena.reports.study_report import render_study
from patrizier.arena.schedule import Plan
from patrizier.arena.series import play_chunk
from patrizier.arena.study import Group, leaders_at_half_time, study
from patrizier.arena.tournament import play_game
from patrizier.ptr import read_games


def games(players: int, count: int, rules: str = "") -> list[GameRecord]:
    options = Options(players=players, rules=[rules] if rules else [])
    return read_games("\n".join(play_chunk(options, 5, 0, count, True).records))


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    return games(3, 40, "messengers")


@pytest.fixture(scope="module")
def group(records: list[GameRecord]) -> Group:
    (only,), left_out = study(records)
    assert left_out == 0
    return only


def test_counts_are_those_of_the_rules(group: Group) -> None:
    """Every game has one of each place, city and card; three tokens of each value."""
    assert (group.players, group.games, len(group.deals)) == (3, 40, 40)
    assert [worth.count for worth in group.worths("place").values()] == [40] * 3
    assert {name: worth.count for name, worth in group.worths("token").items()} == dict.fromkeys(
        ("9", "7", "6", "5", "4", "2"), 120
    )
    assert len(group.worths("card")) == 48
    assert {worth.count for worth in group.worths("card").values()} == {40}
    cities = group.worths("city")
    assert {w.count for name, w in cities.items() if not name.endswith("both")} == {40}
    assert all(w.count <= 40 for w in cities.values())
    assert sum(worth.count for worth in group.worths("sets").values()) == 120


@pytest.mark.parametrize("topic", ["place", "seat", "sets"])
def test_shares_and_points_add_up(group: Group, records: list[GameRecord], topic: str) -> None:
    worths = group.worths(topic).values()
    assert sum(worth.wins.value * worth.count for worth in worths) == pytest.approx(40)
    assert sum(worth.above.value * worth.count for worth in worths) == pytest.approx(0, abs=1e-9)
    total = sum(sum(_points(record)) for record in records)
    assert sum(worth.points.value * worth.count for worth in worths) == pytest.approx(total)


def _points(record: GameRecord) -> tuple[int, ...]:
    outcome = record.game().outcome()
    assert outcome is not None
    return outcome.points


def test_what_was_held_is_what_the_game_counted(records: list[GameRecord]) -> None:
    """In one game: the figures of a token are those of the seats that took it."""
    game = records[0].game()
    outcome = game.outcome()
    assert outcome is not None
    (only,), _ = study(records[:1])
    scored = {r.scored.city: r.scored for r in game.records if r.scored}
    for city, result in scored.items():
        for which, seat in (("taller", result.taller), ("lower", result.lower)):
            worth = only.worths("city")[f"{city} {which}"]
            assert worth.points.value == outcome.points[seat]
            assert worth.wins.value == (seat in outcome.winners) / len(outcome.winners)
        assert (f"{city} both" in only.worths("city")) == (result.taller == result.lower)
    sets = sum(int(n) * worth.count for n, worth in only.worths("sets").items())
    assert 6 * sets == sum(score.sets for score in outcome.scores)
    for record in game.records:
        worth = only.worths("card")[record.move.card]
        assert worth.points.value == outcome.points[record.seat]


@pytest.mark.parametrize(("players", "turns"), [(2, 24), (3, 24), (4, 24), (5, 25)])
def test_half_time_is_after_half_of_the_rounds(players: int, turns: int) -> None:
    for record in games(players, 3, "messengers"):
        half = Game(record.game().options, deal=record.game().deal)
        for move in record.moves[:turns]:
            half.play(move)
        points = [score.total - score.minus for score in half.scores()]
        leaders = [seat for seat in range(players) if points[seat] == max(points)]
        assert leaders_at_half_time(record.game()) == leaders


def test_spread(group: Group, records: list[GameRecord]) -> None:
    points = [_points(record) for record in records]
    spread = group.spread()
    assert spread["mean"] == pytest.approx(sum(map(sum, points)) / 120)
    assert spread["winner"] == pytest.approx(sum(map(max, points)) / 40)
    gaps = [sorted(p)[-1] - sorted(p)[-2] for p in points]
    assert spread["margin"] == pytest.approx(sum(gaps) / 40)
    assert spread["percentile_10"] < spread["median"] < spread["percentile_90"]


def test_unfinished_games_are_left_out(records: list[GameRecord]) -> None:
    cut = replace(records[0], moves=records[0].moves[:30])
    groups, left_out = study([cut, records[1]])
    assert left_out == 1
    assert groups[0].games == 1
    assert study([cut]) == ([], 1)


def test_kinds_of_games_are_kept_apart() -> None:
    groups, _ = study([*games(4, 3), *games(2, 2), *games(2, 1, "messengers")])
    assert [(g.players, g.rules, g.games) for g in groups] == [
        (2, "", 2),
        (2, "messengers", 1),
        (4, "", 3),
    ]


def test_duplicate_deals_are_one_observation() -> None:
    plan = Plan.of(["random"], Options(players=2), games=8, seed=2)
    records = read_games("\n".join(play_game(plan, n).record for n in range(plan.games)))
    (group,), _ = study(records)
    assert (group.games, len(group.deals)) == (8, 4)


def test_figures_for_programs(group: Group) -> None:
    data = json.loads(json.dumps(group.to_json()))
    assert data["players"] == 3
    assert data["rules"] == ["messengers"]
    assert data["worth"]["token"]["9"]["count"] == 120
    assert 0 < data["half_time"]["sole_leader"] <= 1
    assert data["half_time"]["leader_wins"]["count"] == round(data["half_time"]["sole_leader"] * 40)


def test_the_report(group: Group) -> None:
    html = render_study([group], "patrizier study games.ptr")
    for heading in ("Distribution of the points", "Cities", "Tokens", "Nobles", "Cards"):
        assert f"<h2>{heading}</h2>" in html
    assert "Bologna" in html
    assert "Pistoia" not in html
    assert html.count("<svg") == 5
    assert "http" not in html


def test_a_report_of_several_kinds_names_them() -> None:
    groups, _ = study([*games(2, 6), *games(5, 6)])
    html = render_study(groups)
    assert "<h2>2 players, base game: Cities</h2>" in html
    assert "<h2>5 players, base game: Cities</h2>" in html
    assert "Pistoia" in html
