"""No byte that a client receives depends on what its seat may not know.

A few games here; `scripts/prove_secrets.py` plays five hundred.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from server.secret_games import play_and_compare
from server.serving import Serving
from server.worlds import Fate, equal_servers

GAMES = int(os.environ.get("PATRIZIER_TEST_GAMES", "8"))


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Fate, list[Serving]]]:
    folder: Path = tmp_path_factory.mktemp("worlds")
    with equal_servers(folder, 3) as found:
        yield found


@pytest.mark.parametrize("number", range(GAMES))
def test_what_a_client_receives_does_not_depend_on_secrets(
    servers: tuple[Fate, list[Serving]], number: int
) -> None:
    fate, (one, *others) = servers
    findings = play_and_compare(fate, one, others, number, Random(number))
    assert findings.received > 60
    assert findings.other_worlds >= 1
