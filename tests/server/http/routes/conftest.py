"""One server for all tests that do not change it."""

from collections.abc import Callable, Iterator

import pytest

from server.support.serving import Guest, Serving, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def guest(server: Serving) -> Iterator[Callable[..., Guest]]:
    """Makes guests."""
    guests: list[Guest] = []

    def make(name: str = "") -> Guest:
        guests.append(Guest(server, name))
        return guests[-1]

    yield make
    for each in guests:
        each.close()
