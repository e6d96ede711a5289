"""The container: built, started, played in, killed, started again; nothing is lost."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import build_image
import pytest

from browser.house import ROOT, Client, bots, need_docs, need_page
from deploy.container import Container, Image, opened, what_is_missing

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("PATRIZIER_DEPLOY"), reason="takes minutes: `make test-deploy`"
    ),
    pytest.mark.skipif(bool(what_is_missing()), reason=f"no image without {what_is_missing()}"),
]

MOST_BYTES = 600_000_000  # unpacked, with Debian and Python


FROM_CHECKOUT = os.environ.get("PATRIZIER_DEPLOY") != "wheel"  # as users build it


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where buildah keeps its images."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def image(store: Path) -> Iterator[Image]:
    wheel = None if FROM_CHECKOUT else built_wheel(store)
    archive = ROOT / "artefacts" / "container-base.tar"
    build_image.build("patrizier", builder="buildah", bootstrap=archive, store=store, wheel=wheel)
    with opened(build_image.buildah(store), "patrizier") as image:
        yield image


def built_wheel(folder: Path) -> Path:
    need_page()
    need_docs()
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(folder)], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture
def container(image: Image, tmp_path: Path) -> Iterator[Container]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Container(image, tmp_path / "data", port) as container:
        yield container


@pytest.fixture
def anna(container: Container) -> Iterator[Client]:
    with closing(Client(container.url)) as client:
        yield client


def test_a_game_outlives_its_container(container: Container, anna: Client) -> None:
    message = anna.play(anna.create(bots(2)), turns=5)
    assert container.is_healthy
    container.kill()
    assert not container.is_healthy
    container.start()
    found = anna.look(message["table"])  # as the same person: the secret is in the volume, too
    assert (found["turn"], found["seq"]) == (message["turn"], message["seq"])
    assert found["views"] == message["views"]
    assert anna.play(found)["phase"] == "finished"


def test_the_page_and_the_documentation_are_in_it(anna: Client) -> None:
    for path, words in {
        "/": "Patrizier",
        "/docs/": "Tutorials",
        "/docs/server.html": "SQLite",
    }.items():
        assert words in anna.http.get(path).text


def test_nothing_is_left_to_compile(container: Container) -> None:
    program = "from patrizier.kernels.preparation import Preparation; print(Preparation().is_done)"
    assert container.run("python3", "-c", program).stdout == "True\n"


def test_games_of_bots_compile_nothing(container: Container) -> None:
    words = "--players 3 --rules messengers --games 3 --jobs 1"
    games = f"patrizier arena mcts:20 greedy {words} && patrizier simulate {words}"
    played = container.run("sh", "-c", f"{games} && find /tmp -name '*.nb?'")
    assert played.returncode == 0, played.stderr
    assert "mcts:20" in played.stdout
    assert ".nb" not in played.stdout


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


def new_files() -> set[str]:
    """Return the sources that are not yet committed."""
    command = ["git", "ls-files", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stdout.splitlines())


def test_the_builder_gets_the_sources_and_nothing_that_was_made_here(store: Path) -> None:
    """As buildah itself reads .dockerignore."""
    recipe = store / "Containerfile"
    recipe.write_text("FROM scratch\nCOPY . .\n")
    program = build_image.buildah(store)
    words = ["build", "--isolation", "chroot", "--file", str(recipe), "--tag", "context", str(ROOT)]
    subprocess.run([*program, *words], check=True, capture_output=True)
    with opened(program, "context") as context:
        sent = {
            str(file.relative_to(context.root))
            for file in context.root.rglob("*")
            if file.is_file()
        }
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    tracked = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    assert sent >= tracked
    made = sent - tracked - new_files()
    assert not made
