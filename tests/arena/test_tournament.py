import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from patrizier import Deck, Options
from patrizier.arena.executors import Processes, Worker, on_this_machine
from patrizier.arena.journal import JournalError
from patrizier.arena.match import MatchResult, Observer
from patrizier.arena.schedule import Plan, make_lineups
from patrizier.arena.standings import standings
from patrizier.arena.tournament import DealJob, play_game, run
from patrizier.bots.greedy import GreedyBot

PLAN = Plan.of(["random", "greedy"], Options(players=2), games=6, seed=3)


class Listener(Observer):
    """Remembers all results; may interrupt."""

    def __init__(self, interrupt_after: int | None = None) -> None:
        self.results: list[MatchResult] = []
        self.interrupt_after = interrupt_after

    def on_end(self, result: MatchResult) -> None:
        self.results.append(result)
        if len(self.results) == self.interrupt_after:
            raise KeyboardInterrupt


def table(plan: Plan, results: list[MatchResult]) -> dict[str, Any]:
    """Return the tables without the time that was used, which no two runs share."""
    figures = standings(plan.entrants, results).to_json()
    for bot in figures["bots"]:
        del bot["seconds_per_turn"]
    return figures


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """An uninterrupted run: its journal and its table."""
    file = tmp_path_factory.mktemp("arena") / "whole.jsonl"
    return file, table(PLAN, run(PLAN, journal=file))


# -- who meets


@pytest.mark.parametrize(
    ("entrants", "players", "mode", "tables"),
    [
        ("AB", 2, "auto", "AB"),
        ("ABCD", 2, "auto", "AB AC AD BC BD CD"),
        ("ABCD", 3, "auto", "ABC ABD ACD BCD"),
        ("ABCD", 4, "auto", "ABCD"),
        ("AB", 4, "auto", "ABBB AAAB"),
        ("AB", 4, "all", "AABB"),
        ("AB", 5, "all", "AAABB AABBB"),
        ("ABC", 4, "all", "AABC ABBC ABCC"),
        ("ABC", 3, "one-among", "ABB ACC AAB BCC AAC BBC"),
        ("AB", 2, "one-among", "AB"),
        ("AB", 4, "first-among", "ABBB"),
        ("CAB", 3, "first-among", "CAA CBB"),
        ("ABC", 2, "first-among", "AB AC"),
        ("A", 3, "auto", "AAA"),
        ("A", 3, "one-among", "AAA"),
        ("A", 3, "first-among", "AAA"),
    ],
)
def test_line_ups(entrants: str, players: int, mode: str, tables: str) -> None:
    found = ["".join(lineup) for lineup in make_lineups(entrants, players, mode)]
    assert found == tables.split()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_bot_of_a_line_up_gets_every_seat_of_every_deal(players: int) -> None:
    plan = Plan.of("ABCDE", Options(players=players), games=3 * players, seed=8)
    slots = [plan.slot(number) for number in range(plan.games)]
    assert plan.deals == 3
    held = Counter(
        (slot.deal, slot.lineup, seat, name)
        for slot in slots
        for seat, name in enumerate(slot.names)
    )
    assert set(held.values()) == {1}
    assert len(held) == 3 * len(plan.lineups) * players * players
    for slot in slots:
        assert sorted(slot.names) == sorted(plan.lineups[slot.lineup])


def test_the_first_alone_plays_the_games_it_has_among_all() -> None:
    """`first-among` plays the games that `one-among` plays with its first line-up."""
    among = [
        Plan.of("AB", Options(players=4), games=8, seed=3, mode=mode)
        for mode in ("one-among", "first-among")
    ]
    first, alone = (
        [(slot.deal, slot.names) for n in range(plan.games) if (slot := plan.slot(n)).lineup == 0]
        for plan in among
    )
    assert first == alone
    assert among[0].deal(1) == among[1].deal(1)


def test_deals_and_neighbours_change() -> None:
    plan = Plan.of("ABC", Options(players=3), games=60, seed=8)
    assert len({str(plan.deal(n)) for n in range(20)}) == 20
    assert plan.deal(4) == plan.deal(4)
    after_a = set()
    for number in range(plan.games):
        names = plan.slot(number).names
        after_a.add(names[(names.index("A") + 1) % 3])
    assert after_a == {"B", "C"}


def test_a_longer_plan_begins_like_a_shorter_one() -> None:
    longer = replace(PLAN, deals=30)
    assert [longer.slot(n) for n in range(PLAN.games)] == [PLAN.slot(n) for n in range(PLAN.games)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entrants": ()}, "at least one bot"),
        ({"entrants": ("greedy", "greedy")}, "greedy is entered twice"),
        ({"deals": 0}, "at least one deal"),
        ({"mode": "some"}, "there is no mode 'some'"),
        ({"seed": -1}, "a seed is a whole number"),
    ],
)
def test_plans_that_make_no_sense(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(PLAN, **change)


# -- playing


def test_results_follow_the_plan(whole: tuple[Path, dict[str, Any]]) -> None:
    lines = [json.loads(line) for line in whole[0].read_text("utf-8").splitlines()]
    assert lines[0] == json.loads(json.dumps(PLAN.header()))
    for number, line in enumerate(lines[1:]):
        result, slot = MatchResult.from_json(line), PLAN.slot(number)
        assert (result.names, result.deal) == (slot.names, slot.deal)
        assert result.start == PLAN.deal(slot.deal).start
        assert f'[Deal "{PLAN.deal(slot.deal)}"]' in result.record
    assert len(lines) == 1 + PLAN.games == 7


def test_processes_make_no_difference(whole: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    listener = Listener()
    results = run(PLAN, executor=Processes(2), observers=[listener])
    assert table(PLAN, results) == whole[1]
    records = [json.loads(line)["record"] for line in whole[0].read_text().splitlines()[1:]]
    assert [result.record for result in listener.results] == records


@pytest.mark.parametrize("kept", [0.0, 0.01, 0.3, 0.7, 0.999, 1.0])
def test_an_interrupted_run_goes_on_to_the_same_table(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path, kept: float
) -> None:
    """The journal may be cut anywhere, also in the middle of a line."""
    data = whole[0].read_bytes()
    file = tmp_path / "cut.jsonl"
    file.write_bytes(data[: round(kept * len(data))])
    listener = Listener()
    results = run(PLAN, journal=file, observers=[listener])
    assert table(PLAN, results) == whole[1]
    assert len(listener.results) == PLAN.games
    assert all(result.record for result in listener.results)
    old, new = (_without_time(path) for path in (whole[0], file))
    assert old == new


def _without_time(file: Path) -> list[dict[str, Any]]:
    return [{**json.loads(line), "seconds": 0} for line in file.read_text("utf-8").splitlines()]


def test_what_the_journal_knows_is_not_played_again(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    before = whole[0].read_bytes()
    results = run(PLAN, journal=whole[0], make=_nobody)
    assert table(PLAN, results) == whole[1]
    assert whole[0].read_bytes() == before


def _nobody(name: str) -> Any:
    raise AssertionError(f"{name} is asked to play")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_leaves_a_journal_that_goes_on(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path, jobs: int
) -> None:
    file = tmp_path / "journal.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(
            PLAN,
            executor=on_this_machine(jobs),
            journal=file,
            observers=[Listener(interrupt_after=2)],
        )
    assert len(file.read_text().splitlines()) == 3
    assert table(PLAN, run(PLAN, journal=file)) == whole[1]


def test_a_run_can_be_lengthened_and_looked_at_shorter(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "journal.jsonl"
    shorter = replace(PLAN, deals=1)
    few = run(shorter, journal=file)
    assert table(PLAN, run(PLAN, journal=file)) == whole[1]
    before = file.read_bytes()
    assert table(shorter, run(shorter, journal=file)) == table(shorter, few)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (replace(PLAN, seed=4), "seed 3, not 4"),
        (replace(PLAN, entrants=("greedy", "random")), "bots"),
        (replace(PLAN, options=Options(players=2, rules={"messengers"})), "rules"),
        (replace(PLAN, options=Options(players=3)), "players 2, not 3"),
        (replace(PLAN, limit_seconds=1.0), "limit None, not 1.0"),
        (
            replace(
                PLAN,
                options=Options(
                    players=2,
                    deck=Deck.of(
                        "other", {c: f.text for c, f in Deck.classic().faces} | {"BO3": ">"}
                    ),
                ),
            ),
            "deck",
        ),
    ],
)
def test_a_journal_of_another_tournament_is_refused(
    whole: tuple[Path, dict[str, Any]], other: Plan, message: str
) -> None:
    before = whole[0].read_bytes()
    with pytest.raises(JournalError, match=f"another tournament: .*{message}"):
        run(other, journal=whole[0])
    assert whole[0].read_bytes() == before


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (0, "[Game]", "line 1: not a tournament journal"),
        (0, '{"players": 2}', "not a tournament journal"),
        (2, "]", "line 3: not a tournament journal"),
        (2, '{"game": 7}', "line 3: this game is not in the plan"),
    ],
)
def test_a_file_that_is_no_journal_is_left_alone(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path, line: int, text: str, message: str
) -> None:
    lines = whole[0].read_text("utf-8").splitlines()
    lines[line] = text
    file = tmp_path / "journal.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    before = file.read_bytes()
    with pytest.raises(JournalError, match=message):
        run(PLAN, journal=file)
    assert file.read_bytes() == before


def test_a_game_out_of_order_is_refused(whole: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    lines = whole[0].read_text("utf-8").splitlines()
    file = tmp_path / "journal.jsonl"
    file.write_text("\n".join([lines[0], lines[2], lines[1]]) + "\n", "utf-8")
    with pytest.raises(JournalError, match="line 2: this game is not in the plan"):
        run(PLAN, journal=file)


def test_a_bot_forgets_between_games() -> None:
    made: list[str] = []

    def make(name: str) -> Any:
        from patrizier.bots.registry import make_bot

        made.append(name)
        return make_bot(name)

    play_game(PLAN, 0, make)
    play_game(PLAN, 1, make)
    assert len(made) == 4


def test_the_time_limit_holds_in_a_tournament() -> None:
    """Nobody answers within a nanosecond."""
    result = play_game(replace(PLAN, limit_seconds=1e-9), 0)
    assert {incident.kind for incident in result.incidents} == {"overtime"}
    assert [incident.turn for incident in result.incidents] == list(range(1, 49))


def test_nothing_of_a_broken_line_stays(whole: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    file.write_bytes(whole[0].read_bytes() + b"x" * 20_000)
    run(PLAN, journal=file)
    assert _without_time(file) == _without_time(whole[0])


# -- unequal machines


class Stretched(GreedyBot):
    """Notes by how much its time was scaled."""

    factors: ClassVar[list[float]] = []

    def scale_time(self, factor: float) -> None:
        self.factors.append(factor)


@pytest.mark.parametrize(("scale_time", "factor"), [(True, 2.5), (False, 1.0)])
def test_bots_on_a_slower_machine_get_more_time_if_asked_for(
    scale_time: bool, factor: float
) -> None:
    Stretched.factors.clear()
    job = DealJob(PLAN, lambda name: Stretched(), scale_time)
    results = list(job.run(range(2), Worker("slow", slowness=2.5)))
    assert [result.node for result in results] == ["slow", "slow"]
    assert Stretched.factors == [factor] * 4


def test_a_slower_machine_has_a_longer_limit_per_answer() -> None:
    result = play_game(replace(PLAN, limit_seconds=1e-9), 0, slowness=2.5)
    assert all("allowed are 2.5e-09 s" in incident.message for incident in result.incidents)
    assert result.incidents
