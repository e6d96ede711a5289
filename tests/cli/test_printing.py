"""`patrizier print`: the file it writes, and what it says when it cannot."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from patrizier.cli.printing import print_, write_sheet
from patrizier.printing import fonts, sheet

app = typer.Typer()
app.command("print")(print_)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_it_writes_the_wanted_sheet(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    out.write_text("an older file")
    wish = ("--paper", "letter", "--language", "nl", "--what", "messengers")
    result = run(*wish, "--out", out)
    assert result.exit_code == 0, result.output
    assert "100 %" in result.output
    assert out.read_bytes() == sheet.make("letter", "nl", "messengers")


def test_without_more_it_writes_everything_in_english_for_a4(tmp_path: Path) -> None:
    assert run("--out", tmp_path / "sheet.pdf").exit_code == 0
    assert (tmp_path / "sheet.pdf").read_bytes() == sheet.make("a4", "en", "all")


@pytest.mark.parametrize("place", ["nowhere/sheet.pdf", "."])
def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    with pytest.raises(typer.Exit) as ended:
        write_sheet(tmp_path / place, lambda: b"")
    assert ended.value.exit_code == 1
    assert f"Error: {tmp_path / place}: " in capsys.readouterr().err


def test_a_missing_page_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def missing() -> bytes:
        raise fonts.FontsMissing("The page has not been built: run `make`.")

    with pytest.raises(typer.Exit) as ended:
        write_sheet(tmp_path / "sheet.pdf", missing)
    assert ended.value.exit_code == 1
    assert "The page has not been built: run `make`." in capsys.readouterr().err
    assert not (tmp_path / "sheet.pdf").exists()


@pytest.mark.parametrize("wish", [("--paper", "a3"), ("--language", "fr"), ("--what", "board"), ()])
def test_wishes_it_does_not_know_are_refused(wish: tuple[str, ...], tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "sheet.pdf")) if wish else ()
    assert run(*wish, *out).exit_code == 2
    assert not (tmp_path / "sheet.pdf").exists()
