"""The gate between rounds: decided by a sequential test, and resumed where it was stopped."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from patrizier.arena.executors import InProcess
from patrizier.arena.sequential import Verdict
from patrizier.bots.learned.value import load_weights

gate: Any = importlib.import_module("gate")


class Idle(InProcess):
    """Computes nothing."""

    def run(self, *_: Any) -> Any:
        yield pytest.fail("something was played")


def decided(journal: Path, executor: InProcess | None = None, **given: Any) -> Any:
    weights = load_weights(2)
    asked = gate.Gate(iterations=4, **given)
    return gate.decide(asked, 2, weights, weights, seed=3, journal=journal, executor=executor)


def test_a_gate_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole = decided(tmp_path / "whole.jsonl", deals=6)
    assert whole.verdict is None
    assert whole.deals == 6
    decided(tmp_path / "parts.jsonl", deals=2)
    parts = decided(tmp_path / "parts.jsonl", deals=6)
    assert parts.to_json() == whole.to_json()
    texts = [(tmp_path / name).read_text() for name in ("whole.jsonl", "parts.jsonl")]
    assert texts[0] == texts[1]


def test_equal_weights_do_not_pass(tmp_path: Path) -> None:
    """Every deal is played from both seats, so two equal sets of weights share every deal."""
    test = decided(tmp_path / "journal.jsonl", elo0=0, elo1=400, deals=50)
    assert test.verdict == Verdict.NOT_STRONGER


def test_what_the_journal_decides_is_not_played(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text("1.0\n" * 40)
    assert decided(journal, Idle(), elo0=0, elo1=100).verdict == Verdict.STRONGER
