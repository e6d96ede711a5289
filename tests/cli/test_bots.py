import json

from typer.testing import CliRunner

from patrizier.bots.registry import bot_names
from patrizier.cli.main import app

runner = CliRunner()


def test_it_lists_every_bot_with_a_sentence() -> None:
    text = runner.invoke(app, ["bots"]).stdout
    assert all(name in text for name in bot_names())


def test_the_list_for_programs() -> None:
    rows = json.loads(runner.invoke(app, ["bots", "--json"]).stdout)
    assert [row["name"] for row in rows] == list(bot_names())
    assert all(row["about"].endswith(".") for row in rows)


def test_arena_and_study_are_there() -> None:
    for command in ("arena", "study"):
        done = runner.invoke(app, [command, "--help"])
        assert done.exit_code == 0
        assert f"patrizier {command}" in done.stdout
