import json

from typer.testing import CliRunner

from patrizier.cli.main import app


def test_it_measures_every_number_of_players() -> None:
    done = CliRunner().invoke(app, ["bench", "--seconds", "0.01", "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    rows = {(row["players"], row["messengers"]) for row in report["results"]}
    assert rows == {(players, with_) for players in (2, 3, 4, 5) for with_ in (False, True)}
    assert all(row["games_per_second"] > 0 for row in report["results"])
    assert all(row["decisions_per_second"] > row["games_per_second"] for row in report["results"])
    assert {row["cores"] for row in report["results"]} >= {1}
    assert report["api"]["decisions_per_second"] > 0
    assert report["state"]["bytes"] <= 1024
    start = report["start_up"]
    assert start["compile_cold_seconds"] > start["compile_cached_seconds"]
