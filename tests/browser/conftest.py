"""One browser and one server for all tests of a worker, a fresh visit for each test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser.house import (
    SETTINGS,
    TIMEOUT,
    Client,
    Visits,
    need_page,
    running_browser,
    running_server,
)
from patrizier.server.loadtest.process import ServerProcess


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    expect.set_options(timeout=TIMEOUT)
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="package")
def server() -> Iterator[ServerProcess]:
    """A server whose bots are compiled and answer at once."""
    need_page()
    with running_server() as server:
        yield server
    assert server.errors == []


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that a test may stop and start again."""
    need_page()
    with ServerProcess(tmp_path_factory.mktemp("own"), settings=SETTINGS) as server:
        yield server


@pytest.fixture
def visits(browser: Browser, server: ServerProcess) -> Iterator[Visits]:
    """Pages of the server; none may have reported an error."""
    visits = Visits(browser, server.url)
    yield visits
    visits.close()
    assert visits.errors == []


@pytest.fixture
def client(server: ServerProcess) -> Iterator[Client]:
    """A person who sends requests without a page."""
    client = Client(server.url)
    yield client
    client.close()


@pytest.fixture
def friend(server: ServerProcess) -> Iterator[Client]:
    """Another person who sends requests without a page."""
    friend = Client(server.url)
    yield friend
    friend.close()
