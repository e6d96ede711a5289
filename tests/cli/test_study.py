import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from patrizier import Game, Options
from patrizier.arena.series import play_chunk
from patrizier.cli.study import study

app = typer.Typer()
app.command()(study)
runner = CliRunner()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "games.ptr"
    chunk = play_chunk(Options(players=4), 3, 0, 20, True)
    path.write_text("\n".join(chunk.records), "utf-8")
    return path


def test_the_tables_for_people(file: Path) -> None:
    done = runner.invoke(app, [str(file)])
    assert done.exit_code == 0, done.output
    assert "20 games on 20 deals (4 players, base game)" in done.stdout
    for title in (
        "a sole leader at half-time wins",
        "Place in turn order",
        "Winners of a token of",
        "Winners of a city's towers",
        "Players by number of portrait sets",
        "the best and the worst cards",
    ):
        assert title in done.stdout


def test_the_figures_for_programs(file: Path) -> None:
    done = runner.invoke(app, [str(file), str(file), "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    (group,) = data["groups"]
    assert (group["games"], group["deals"], data["unfinished"]) == (40, 20, 0)
    assert group["worth"]["card"]["BO1"]["count"] == 40


def test_the_report_is_written(file: Path, tmp_path: Path) -> None:
    report = tmp_path / "study.html"
    done = runner.invoke(app, [str(file), "--report", str(report)])
    assert done.exit_code == 0, done.output
    assert f"patrizier study {file}" in report.read_text("utf-8")


def test_unfinished_games_are_mentioned(file: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.ptr"
    cut.write_text(str(Game(Options(players=2), seed=1).record()), "utf-8")
    done = runner.invoke(app, [str(cut), str(file)])
    assert "Left out: 1 unfinished game." in done.stdout
    done = runner.invoke(app, [str(cut)])
    assert done.exit_code == 1
    assert "no finished game in these records" in done.stderr


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("missing.ptr", [], "No such file"),
        ("bad.ptr", [], "line 1"),
        ("bad.ptr", ["--report", "/nowhere/r.html"], "/nowhere/r.html: No such file"),
    ],
)
def test_mistakes_end_with_one_clear_message(
    tmp_path: Path, name: str, options: list[str], message: str
) -> None:
    (tmp_path / "bad.ptr").write_text("not a record")
    done = runner.invoke(app, [str(tmp_path / name), *options])
    assert done.exit_code == 1
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.output
