"""`patrizier print`: the file it writes, and what it says when it cannot."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from patrizier.cli.printing import print_
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


def test_without_more_it_writes_everything_in_english_for_a4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet, "make", lambda *wish: " ".join(wish).encode())
    assert run("--out", tmp_path / "sheet.pdf").exit_code == 0
    assert (tmp_path / "sheet.pdf").read_text() == "a4 en all"


def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet, "make", lambda *wish: b"")
    result = run("--out", tmp_path / "nowhere" / "sheet.pdf")
    assert result.exit_code == 1
    assert "sheet.pdf: No such file or directory" in result.output
    assert run("--out", tmp_path).exit_code == 1


def test_a_missing_page_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*wish: str) -> bytes:
        raise fonts.FontsMissing("The page has not been built: run `make`.")

    monkeypatch.setattr(sheet, "make", missing)
    result = run("--out", tmp_path / "sheet.pdf")
    assert result.exit_code == 1
    assert "make" in result.output
    assert not (tmp_path / "sheet.pdf").exists()


@pytest.mark.parametrize("wish", [("--paper", "a3"), ("--language", "fr"), ("--what", "board"), ()])
def test_wishes_it_does_not_know_are_refused(wish: tuple[str, ...], tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "sheet.pdf")) if wish else ()
    assert run(*wish, *out).exit_code == 2
    assert not (tmp_path / "sheet.pdf").exists()
