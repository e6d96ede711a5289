import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arena.executors.interrupted import Interrupted
from patrizier import Deck, load_games
from patrizier.arena.executors import InProcess
from patrizier.arena.series import Chunk, RandomJob
from patrizier.cli.main import app

runner = CliRunner()

COLOURS = ("black", "white", "red")
TABLE = ("--players", "3", "--bots", "greedy,ismcts:20,random", "--seed", "1")

FAILING = """
from patrizier.bots.base import Bot

class Failing(Bot):
    name = "failing"
    about = "Has no idea in its second turn, and cannot write in its third."

    def __init__(self):
        self.turns = 0

    def choose(self, view, rng):
        self.turns += 1
        if self.turns == 2:
            raise RuntimeError("no idea")
        return "a good move" if self.turns == 3 else view.legal[0]
"""


def simulate(*arguments: str) -> str:
    done = runner.invoke(app, ["simulate", *arguments], env={"COLUMNS": "100"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_table_for_people() -> None:
    text = simulate("--players", "3", "--games", "50", "--seed", "7", "--rules", "messengers")
    assert "50 random games of 3 (messengers)" in text
    assert "games per second" in text
    rows = [line.split() for line in text.splitlines()]
    assert [row[:3] for row in rows if row and row[0].isdigit() and row[1] in COLOURS] == [
        ["1", "black", "random"],
        ["2", "white", "random"],
        ["3", "red", "random"],
    ]


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
        (["--rules", "messenger-at-built-city"], "requires messengers"),
        (["--deck", "/nowhere/deck.toml"], "No such file"),
        (["--out", "/nowhere/games.ptr"], "No such file"),
        (["--seed", str(2**64)], "a seed is a whole number"),
        (["--bots", "chess"], "there is no bot 'chess'"),
        (["--bots", ""], "there is no bot ''"),
        (["--bots", "greedy:100ms"], "the bot greedy takes no budget"),
        (["--bots", "greedy,random"], "2 bots for 4 players: name one for each seat, or one for"),
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
    assert list(tmp_path.iterdir()) == [out]


def _disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")


# -- bots


def figures(*arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(simulate(*arguments, "--json"))
    return {name: value for name, value in data.items() if "second" not in name}


def test_bots_keep_their_seats_and_the_rest_changes(tmp_path: Path) -> None:
    out = tmp_path / "games.ptr"
    data = figures(*TABLE, "--games", "12", "--out", str(out))
    names = ["greedy", "ismcts:20", "random"]
    assert [seat["bot"] for seat in data["seats"]] == names
    assert [seat["incidents"] for seat in data["seats"]] == [{}, {}, {}]
    records = load_games(out)
    assert {record.names for record in records} == {tuple(names)}
    assert len({record.tags["Deal"] for record in records}) == len(records) == 12
    assert {record.tags["Start"] for record in records} == {"1", "2", "3"}
    assert [record.tags["Seed"] for record in records] == [f"1 {n}" for n in range(12)]


def test_figures_are_those_of_the_games(tmp_path: Path) -> None:
    out = tmp_path / "games.ptr"
    data = figures(*TABLE, "--games", "5", "--rules", "messengers", "--out", str(out))
    parts, wins, by_place = Counter[tuple[int, str]](), Counter[int](), Counter[int]()
    for record in load_games(out):
        game = record.game()
        outcome = game.outcome()
        assert outcome is not None
        for seat, score in enumerate(outcome.scores):
            parts.update({(seat, part): value for part, value in score.to_json().items()})
            wins[seat] += 6 * (seat in outcome.winners) // len(outcome.winners)
            by_place[(seat - game.deal.start) % 3] += score.total
    assert data["games"] == 5
    assert any(value for (_, part), value in parts.items() if part == "chips")
    for seat, row in enumerate(data["seats"]):
        for part in ("tokens", "sets", "chips", "minus", "total", "floors"):
            assert row[part] * 5 == pytest.approx(parts[seat, part])
        assert row["win_share"] * 30 == pytest.approx(wins[seat])
        assert data["places"][seat]["total"] * 5 == pytest.approx(by_place[seat])
    assert data["seats"][0]["total"] > data["seats"][2]["total"]


def test_processes_make_no_difference_to_bots(tmp_path: Path) -> None:
    files = [tmp_path / "one.ptr", tmp_path / "two.ptr"]
    data = [
        figures(*TABLE, "--games", "5", "--jobs", str(jobs), "--out", str(file))
        for jobs, file in enumerate(files, 1)
    ]
    assert data[0] == data[1]
    assert files[0].read_bytes() == files[1].read_bytes()
    other = figures(*TABLE[:-1], "2", "--games", "5")
    assert other["seats"] != data[0]["seats"]


def test_the_table_names_the_bots() -> None:
    text = simulate(*TABLE, "--games", "1")
    assert "1 game of 3 (base game)" in text
    rows = [line.split() for line in text.splitlines()]
    seats = [row[1:3] for row in rows if len(row) > 3 and row[1] in COLOURS]
    assert seats == [["black", "greedy"], ["white", "ismcts:20"], ["red", "random"]]
    assert "Incidents" not in text


def test_one_bot_may_take_all_seats() -> None:
    data = figures("--players", "2", "--bots", "greedy", "--games", "2")
    assert [seat["bot"] for seat in data["seats"]] == ["greedy", "greedy"]


class Curious(InProcess):
    """Remembers what it was asked to compute."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[object] = []

    def run(self, job: Any, units: Any) -> Any:
        self.jobs.append(job)
        return super().run(job, units)


@pytest.mark.parametrize("bots", ["random", "random, random ,random,random"])
def test_random_bots_are_not_even_asked(bots: str) -> None:
    curious = Curious()
    done = runner.invoke(app, ["simulate", "--bots", bots, "--games", "50"], obj=curious)
    assert done.exit_code == 0, done.output
    assert [type(job) for job in curious.jobs] == [RandomJob]


def test_incidents_are_counted_by_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_bot.py").write_text(FAILING, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    bots = ("--players", "3", "--bots", "random,failing_bot.Failing,greedy", "--games", "3")
    seats = figures(*bots)["seats"]
    assert [seat["incidents"] for seat in seats] == [{}, {"error": 3, "no move": 3}, {}]
    rows = [line.split() for line in simulate(*bots).splitlines()]
    assert ["2", "failing_bot.Failing", "error", "3"] in rows
    assert ["2", "failing_bot.Failing", "no", "move", "3"] in rows


# -- Ctrl-C


def interrupted(executor: InProcess, *arguments: str) -> Result:
    done = runner.invoke(app, ["simulate", *arguments], obj=executor)
    assert done.exit_code == 130
    return done


def test_ctrl_c_shows_the_games_of_bots_so_far(tmp_path: Path) -> None:
    out = tmp_path / "games.ptr"
    done = interrupted(Interrupted(after=2), *TABLE, "--games", "9", "--out", str(out))
    assert "2 games of 3 (base game)" in done.stdout
    assert "Stopped after 2 of 9 games." in done.stderr
    assert len(load_games(out)) == 2


def test_ctrl_c_shows_random_games_so_far() -> None:
    done = interrupted(Interrupted(after=2), "--games", "100000", "--json")
    assert "Stopped after 40,000 of 100,000 games." in done.stderr
    assert json.loads(done.stdout)["games"] == 40_000


class Uncountable(Chunk):
    """Ctrl-C comes while it is added."""

    def __radd__(self, other: Chunk) -> Chunk:
        raise KeyboardInterrupt


class LateInterrupted(InProcess):
    """Ctrl-C comes when the third chunk was written, but not counted."""

    def run(self, job: Any, units: Any) -> Any:
        for number, (unit, chunks) in enumerate(super().run(job, units)):
            yield unit, [Uncountable(**vars(each)) if number == 2 else each for each in chunks]


def test_ctrl_c_between_writing_and_counting_leaves_both_the_same(tmp_path: Path) -> None:
    out = tmp_path / "games.ptr"
    done = interrupted(LateInterrupted(), "--games", "300", "--out", str(out))
    assert "Stopped after 200 of 300 games." in done.stderr
    assert len(load_games(out)) == 200


def test_ctrl_c_before_the_first_game_leaves_old_records_alone(tmp_path: Path) -> None:
    out = tmp_path / "games.ptr"
    out.write_text("old")
    done = interrupted(Interrupted(after=0), "--out", str(out))
    assert done.stdout == ""
    assert "Stopped after 0 of 1,000 games." in done.stderr
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.skipif(os.name != "posix", reason="sends the signal of Ctrl-C to all processes")
@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_ctrl_c_reaches_all_processes(bots: str, tmp_path: Path) -> None:
    out, part = tmp_path / "games.ptr", tmp_path / "games.ptr.part"
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{listen}; from patrizier.cli.main import app; app()"  # a job behind may not listen
    command = [sys.executable, "-c", program, "simulate"]
    command += ["--bots", bots, "--games", "1000000", "--jobs", "2", "--out", str(out)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that the signal stays in there
    )
    while process.poll() is None and not (part.exists() and part.stat().st_size > 100_000):
        time.sleep(0.05)  # by then all of them play
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    stopped = re.search(r"Stopped after ([0-9,]+) of 1,000,000 games", stderr)
    assert stopped is not None
    assert len(load_games(out)) == int(stopped[1].replace(",", "")) > 0
    assert "plays first" in stdout
