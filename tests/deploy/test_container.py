"""The container: built, started, played in, killed, started again; nothing is lost."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import build_image
import pytest

from browser.house import ROOT, Client, bots
from deploy.container import Container, Image, opened, what_is_missing

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("PATRIZIER_DEPLOY"), reason="takes minutes: `make test-deploy`"
    ),
    pytest.mark.skipif(bool(what_is_missing()), reason=f"no image without {what_is_missing()}"),
]

MOST_BYTES = 600_000_000  # unpacked, with Debian and Python


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    store = tmp_path_factory.mktemp("store")
    archive = ROOT / "artefacts" / "container-base.tar"
    build_image.build("patrizier", builder="buildah", bootstrap=archive, store=store)
    with opened(build_image.buildah(store), "patrizier") as image:
        yield image


@pytest.fixture
def container(image: Image, tmp_path: Path) -> Iterator[Container]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Container(image, tmp_path / "data", port) as container:
        yield container


def test_a_game_outlives_its_container(container: Container) -> None:
    anna = Client(container.url)
    message = anna.play(anna.create(bots(2)), turns=5)
    assert container.is_healthy
    container.kill()
    assert not container.is_healthy
    container.start()
    found = anna.look(message["table"])  # as the same person: the secret is in the volume, too
    assert (found["turn"], found["seq"]) == (message["turn"], message["seq"])
    assert found["views"] == message["views"]
    assert anna.play(found)["phase"] == "finished"


def test_the_page_and_the_documentation_are_in_it(container: Container) -> None:
    anna = Client(container.url)
    for path, words in {
        "/": "Patrizier",
        "/docs/": "Tutorials",
        "/docs/server.html": "SQLite",
    }.items():
        assert words in anna.http.get(path).text


def test_nothing_can_be_written_but_data(container: Container) -> None:
    assert container.run("id", "-u").stdout.strip() == "10001"
    for folder in ("/", "/opt/patrizier", "/etc", "/usr/local"):
        assert container.run("touch", f"{folder}/x").returncode != 0
    assert container.run("touch", "/data/x", "/tmp/x").returncode == 0
    setuid = container.run("find", "/opt", "/data", "-perm", "-4000").stdout
    assert setuid == ""


def test_it_is_small(image: Image) -> None:
    assert image.size < MOST_BYTES
    assert not (image.root / "source").exists()
    assert not list(image.root.glob("opt/patrizier/lib/*/site-packages/pip"))


def test_it_says_what_it_needs(image: Image) -> None:
    assert list(image.config["ExposedPorts"]) == ["8321/tcp"]
    assert list(image.config["Volumes"]) == ["/data"]
    assert image.config["User"] not in ("", "0", "root")
