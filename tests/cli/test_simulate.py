import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from patrizier import Deck, load_games
from patrizier.cli.main import app

runner = CliRunner()


def simulate(*arguments: str) -> str:
    done = runner.invoke(app, ["simulate", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_table_for_people() -> None:
    text = simulate("--players", "3", "--games", "50", "--seed", "7", "--rules", "messengers")
    assert "50 random games of 3 (messengers)" in text
    assert "games a second" in text


def test_the_figures_for_programs() -> None:
    report = json.loads(simulate("--players", "2", "--games", "2000", "--json"))
    assert report["games"] == 2000
    assert sum(seat["win_share"] for seat in report["seats"]) == pytest.approx(1)
    assert sum(place["win_share"] for place in report["places"]) == pytest.approx(1)
    assert sum(seat["tokens"] for seat in report["seats"]) == pytest.approx(99)
    totals = sum(seat["total"] for seat in report["seats"])
    assert totals == pytest.approx(sum(place["total"] for place in report["places"]))


def test_records_are_the_games_of_the_figures(tmp_path: Path) -> None:
    out = tmp_path / "games.ptr"
    arguments = ("--players", "4", "--games", "30", "--seed", "5", "--rules")
    rules = "messengers,messenger-at-built-city"
    report = json.loads(simulate(*arguments, rules, "--out", str(out), "--json"))
    games = [record.game() for record in load_games(out)]
    assert len(games) == 30
    totals = [0, 0, 0, 0]
    for game in games:
        outcome = game.outcome()
        assert outcome is not None
        totals = [a + b for a, b in zip(totals, outcome.points, strict=True)]
    assert [seat["total"] * 30 for seat in report["seats"]] == pytest.approx(totals)


def test_processes_make_no_difference(tmp_path: Path) -> None:
    files = [tmp_path / "one.ptr", tmp_path / "two.ptr"]
    for jobs, file in enumerate(files, 1):
        simulate("--games", "40", "--seed", "3", "--jobs", str(jobs), "--out", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_deck_file_is_played(tmp_path: Path) -> None:
    cards = {card: face.text for card, face in Deck.classic().faces}
    deck = Deck.of("many moves", {**cards, "BO3": ">", "RO3": ">"})
    file, out = tmp_path / "deck.toml", tmp_path / "games.ptr"
    file.write_text(deck.to_toml(), "utf-8")
    simulate("--players", "3", "--games", "5", "--deck", str(file), "--out", str(out))
    assert all(record.game().options.deck == deck for record in load_games(out))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "chess"], "unknown rule 'chess'"),
        (["--rules", "messenger-at-built-city"], "only together with messengers"),
        (["--deck", "/nowhere/deck.toml"], "No such file"),
        (["--out", "/nowhere/games.ptr"], "No such file"),
        (["--seed", str(2**64)], "a seed is a whole number"),
    ],
)
def test_mistakes_end_with_one_clear_message(arguments: list[str], message: str) -> None:
    done = runner.invoke(app, ["simulate", "--games", "10", *arguments])
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_a_full_disk_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "games.ptr"
    out.write_text("old")
    monkeypatch.setattr("os.fsync", _disk_full)
    done = runner.invoke(app, ["simulate", "--games", "10", "--out", str(out)])
    assert done.exit_code == 1
    assert "No space left" in done.stderr
    assert out.read_text() == "old"


def _disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")
