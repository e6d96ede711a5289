"""No byte that a client receives depends on what its seat may not know.

A few games here; `scripts/prove_secrets.py` plays five hundred.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from server.support.secret_games import play_and_compare
from server.support.serving import Serving
from server.support.twin_servers import FixedDealer, equal_servers

GAMES = int(os.environ.get("PATRIZIER_TEST_GAMES", "8"))


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[FixedDealer, list[Serving]]]:
    folder: Path = tmp_path_factory.mktemp("runs")
    with equal_servers(folder, 3) as found:
        yield found


@pytest.mark.parametrize("number", range(GAMES))
def test_what_a_client_receives_does_not_depend_on_secrets(
    servers: tuple[FixedDealer, list[Serving]], number: int
) -> None:
    dealer, (one, *others) = servers
    findings = play_and_compare(dealer, one, others, number, Random(number))
    assert findings.received > 60
    assert findings.other_deals >= 1
