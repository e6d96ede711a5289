import json
from pathlib import Path

from typer.testing import CliRunner

from patrizier import Deck
from patrizier.cli.main import app

runner = CliRunner()


def test_it_shows_the_classic_deck() -> None:
    done = runner.invoke(app, ["deck"])
    assert done.exit_code == 0
    assert "The deck classic" in done.stdout
    assert "Firenze" in done.stdout


def test_a_deck_file_goes_out_and_in_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(runner.invoke(app, ["deck", "--toml"]).stdout, "utf-8")
    assert Deck.load(file) == Deck.classic()
    done = runner.invoke(app, ["deck", str(file), "--json"])
    assert json.loads(done.stdout)["cards"]["BO7"] == "LL"


def test_a_broken_deck_file_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(Deck.classic().to_toml().replace('"KK"', '"XX"', 1), "utf-8")
    done = runner.invoke(app, ["deck", str(file)])
    assert done.exit_code == 1
    assert "MI5: 'XX' is not a card face" in done.stderr


def test_a_missing_file_says_so() -> None:
    done = runner.invoke(app, ["deck", "nowhere.toml"])
    assert done.exit_code == 1
    assert "nowhere.toml: No such file" in done.stderr
