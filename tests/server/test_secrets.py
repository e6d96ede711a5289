"""No byte that a client receives depends on what its seat may not know.

A few games here; `scripts/prove_secrets.py` plays five hundred.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from server.support.secret_games import a_scenario, play_and_compare
from server.support.twin_servers import Run, Twins, compare, equal_servers, play_scenario

GAMES = int(os.environ.get("PATRIZIER_TEST_GAMES", "8"))


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    folder: Path = tmp_path_factory.mktemp("runs")
    with equal_servers(folder, 3) as found:
        yield found


@pytest.mark.parametrize("number", range(GAMES))
def test_what_a_client_receives_does_not_depend_on_secrets(twins: Twins, number: int) -> None:
    findings = play_and_compare(twins, number, Random(number))
    assert findings.received > 60
    assert findings.other_deals >= 1


def test_a_difference_counts_as_a_leak_if_it_comes_again(twins: Twins) -> None:
    rng = Random(100)
    scenario = a_scenario(100, rng)
    with Run(twins.one, twins.dealer, scenario, scenario.deal, rng) as run:
        play_scenario(run, scenario, rng)
    changed = [*run.notes[:5], ["something else"], *run.notes[6:]]
    with pytest.raises(AssertionError, match=r"step 5: .*\n.*something else"):
        compare(twins, twins.others[0], scenario, changed, 8, rng)
    assert compare(twins, twins.others[1], scenario, Passing(run.notes, changed), 8, rng)


class Passing(list[list[str]]):
    """A recording that differs when it is read for the first time."""

    def __init__(self, notes: list[list[str]], first: list[list[str]]) -> None:
        super().__init__(notes)
        self._first = [first]

    def __iter__(self) -> Iterator[list[str]]:
        return iter(self._first.pop()) if self._first else super().__iter__()
