"""Trials of a network: fair, decided by a sequential test, resumed where they were stopped."""

import importlib
import time
from pathlib import Path
from typing import Any

import pytest

from bots.learned.random_network import random_arrays, write_network
from patrizier.arena.executors import InProcess, Processes
from patrizier.arena.sequential import Verdict
from patrizier.bots.learned.network import load_network, read_network

trial: Any = importlib.import_module("trial")


class Idle(InProcess):
    """Computes nothing."""

    def run(self, *_: Any) -> Any:
        yield pytest.fail("something was played")


def asked(players: int = 2, **given: Any) -> Any:
    return trial.Trial(players, **{"against": "zero:3", "iterations": 3, **given})


def carried_out(one: Any, journal: Path, **given: Any) -> Any:
    given = {"executor": InProcess(), "network": load_network(), **given}
    return trial.carry_out(one, journal=journal, seed=3, **given)


def test_a_trial_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    one = asked(rules=("messengers",))
    whole = carried_out(one._replace(deals=5), tmp_path / "whole.jsonl")
    assert whole.deals == 5
    carried_out(one._replace(deals=2), tmp_path / "parts.jsonl")
    other = carried_out(asked(deals=1), tmp_path / "parts.jsonl")
    assert other.deals == 1  # another trial in the same journal
    parts = carried_out(one._replace(deals=5), tmp_path / "parts.jsonl", executor=Processes(2))
    assert parts.to_json() == whole.to_json()


def test_the_network_plays_and_not_the_one_in_the_package(tmp_path: Path) -> None:
    """A network of random numbers loses where the one in the package plays itself."""
    journal, random = tmp_path / "trials.jsonl", write_network(random_arrays(2), tmp_path / "r.npz")
    one = asked(iterations=20, against="zero:20", elo0=-200.0, elo1=200.0, deals=40)
    test = carried_out(one, journal, network=read_network(random))
    assert test.verdict == Verdict.NOT_STRONGER
    words = trial.in_words(one, test)
    assert words.startswith("2 zero:20 zero:20: ")
    assert words.endswith("fair share 50 %, not stronger (-200 against 200 Elo)")


def test_nothing_is_played_when_it_is_decided_or_late(tmp_path: Path) -> None:
    journal, one = tmp_path / "trials.jsonl", asked(players=4, elo1=100.0)
    late = carried_out(one, journal, executor=Idle(), end=time.monotonic())
    assert (late.deals, late.verdict) == (0, None)
    assert trial.in_words(one, late) == "4 zero:3 zero:3: not played"
    journal.write_text(f'{{"trial": "{one.name}", "share": 0.75}}\n' * 60)
    assert carried_out(one, journal, executor=Idle()).verdict == Verdict.STRONGER


def test_a_seat_among_others_is_told_from_them(tmp_path: Path) -> None:
    """Three seats of greedy share what the network's seat does not win."""
    test = carried_out(asked(3, against="greedy", deals=3), tmp_path / "trials.jsonl")
    assert test.deals == 3
    assert 0 <= test.share().value <= 1
