"""Helpers of the browser tests: people who send requests, and people who open pages."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal, NoReturn

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    sync_playwright,
)

from patrizier.server.http.pages.site import DOCS, STATIC
from patrizier.server.loadtest.process import ServerProcess

Json = dict[str, Any]

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
TIMEOUT = 60_000  # ms
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
SETTINGS = {"PATRIZIER_WORKERS": "1"}

WIDE = (1440, 900)
MIDDLE = (1024, 768)
PHONE = (390, 844)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# Resolves when everything is drawn and all animations and transitions have ended. One may start
# another, where a colour is inherited for example, so it checks again after each.
SETTLED = """async () => {
  const draw = async () => {
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
  };
  const ends = (each) =>
    each.playState === 'running' && each.effect.getComputedTiming().iterations !== Infinity;
  const moving = () => document.getAnimations().filter(ends);
  do await draw();
  while (document.querySelector('[aria-busy=true]'));
  for (let all = moving(); all.length; all = moving()) {
    await Promise.allSettled(all.map((each) => each.finished));
    await draw();
  }
}"""

_COMPILED_WITHIN = 900.0  # seconds; where nothing was compiled before, bots are slow at first
_ids = count(1)


def lacking(what: str) -> NoReturn:
    """Skip a test for lack of something; fail in CI, where everything has to be there."""
    if os.environ.get("CI"):
        pytest.fail(f"CI needs {what}")
    pytest.skip(f"no {what}")


def find_chromium() -> str:
    """Return the path of Chromium, or of its headless shell."""
    programs = ("chromium-headless-shell", "chromium", "chromium-browser")
    found = next(filter(None, map(shutil.which, programs)), None)
    return found or lacking("chromium in the path")


def need_page() -> None:
    """Skip the test if the page has not been built."""
    if not (STATIC / "index.html").is_file():
        lacking("built page: `make src/patrizier/server/static/index.html` builds it")


def need_docs() -> None:
    """Skip the test if the documentation has not been built."""
    if not (DOCS / "index.html").is_file():
        lacking("built documentation: `make docs` builds it")


class Client:
    """A person who sends requests to the server."""

    def __init__(self, url: str) -> None:
        self.rng = Random(1)
        self.http = httpx.Client(base_url=url, timeout=TIMEOUT / 1000, trust_env=False)
        self.http.headers["X-Patrizier-Token"] = self.http.get("/api/me").json()["token"]

    def create(self, setup: Json) -> Json:
        """Create a table, take its first seat, and contribute to the deal."""
        body = {"id": _new_id(), "setup": setup, "seat": 0}
        message = self._read(self.http.post("/api/tables", json=body))
        return self.act(message["table"], "contribute", seat=0, contribution="1" * 64)

    def act(self, table: str, kind: str, **fields: Any) -> Json:
        """Carry out a command."""
        body = {"kind": kind, "id": _new_id(), **fields}
        return self._read(self.http.post(f"/api/tables/{table}/commands", json=body))

    def look(self, table: str, **query: Any) -> Json:
        """Return a table."""
        return self._read(self.http.get(f"/api/tables/{table}", params=query))

    def turn(self, message: Json, but: str = "") -> Json:
        """Play a random legal turn; if possible, one whose text does not contain `but`."""
        seat = message["you"]["to_move"]
        assert seat is not None
        (legal,) = [each["view"]["legal"] for each in message["views"] if each["seat"] == seat]
        legal = [turn for turn in legal if but and but not in turn] or legal
        turn = {"seat": seat, "move": self.rng.choice(legal), "at_turn": message["turn"]}
        return self.act(message["table"], "play", **turn)

    def play(self, message: Json, turns: int = 100, but: str = "") -> Json:
        """Play so many turns against bots; return when it is our turn again or the game is over."""
        while message["phase"] == "playing":
            if message["you"]["to_move"] is None:
                message = self.look(message["table"], since=message["seq"], wait=20)
            elif turns:
                message = self.turn(message, but)
                turns -= 1
            else:
                break
        return message

    @staticmethod
    def _read(answer: httpx.Response) -> Json:
        assert answer.is_success, answer.text
        message: Json = answer.json()
        return message

    def give_to(self, context: BrowserContext) -> None:
        """Give a browser this person's cookies."""
        for name, value in self.http.cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": str(self.http.base_url)}])

    def close(self) -> None:
        self.http.close()


def _new_id() -> str:
    return f"t{next(_ids)}"


def bots(players: int, *, messengers: bool = False, **setup: Any) -> Json:
    """Return the setup of a table: one person, the others bots that play at once."""
    return {
        "players": players,
        "seats": ["person", *["apprentice"] * (players - 1)],
        "rules": ["messengers"] if messengers else [],
        "memory_help": True,
        **setup,
    }


def wait_for_bots(server: ServerProcess) -> None:
    """Wait until everything that bots need is compiled."""
    client = Client(server.url)
    message = client.create(bots(2))
    until = time.monotonic() + _COMPILED_WITHIN
    while message["turn"] < 3:
        assert time.monotonic() < until, f"no bot plays: {server.errors}"
        if message["you"]["to_move"] is None:
            message = client.look(message["table"], since=message["seq"], wait=20)
        else:
            message = client.turn(message)
    client.close()


@contextmanager
def running_server() -> Iterator[ServerProcess]:
    """Run a server whose bots are compiled, in a temporary folder."""
    with (
        TemporaryDirectory(prefix="patrizier-page-") as folder,
        ServerProcess(Path(folder), settings=SETTINGS) as server,
    ):
        wait_for_bots(server)
        yield server


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Run Chromium without a window."""
    program = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


class Visits:
    """Opens pages, each in a browser context of its own, and collects their errors."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self._browser = browser
        self._heard: list[str] = []
        self._expected: list[str] = []
        self._contexts: list[BrowserContext] = []

    def open(
        self,
        path: str = "/",
        *,
        size: tuple[int, int] = WIDE,
        pace: str = "instant",
        kept: Json | None = None,
        person: Client | None = None,
        **options: Any,
    ) -> Page:
        """Open an address; `kept` is what earlier visits have stored in the browser."""
        options.setdefault("locale", "en-GB")
        options.setdefault("service_workers", "block")
        options.setdefault("reduced_motion", "reduce")
        context = self._browser.new_context(
            base_url=self.url, viewport={"width": size[0], "height": size[1]}, **options
        )
        self._contexts.append(context)
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(_keep({"settings": {"pace": pace}, **(kept or {})}))
        if person:
            person.give_to(context)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._heard.append(f"uncaught: {error.error}"))
        context.on("request", self._see)
        page = context.new_page()
        page.goto(path)
        return page

    def phone(self, path: str = "/", **options: Any) -> Page:
        """Open an address on a telephone."""
        return self.open(
            path, size=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2, **options
        )

    @property
    def errors(self) -> list[str]:
        """What the pages have reported, without what a test has provoked."""
        return [each for each in self._heard if not any(word in each for word in self._expected)]

    def ignore_errors(self, *words: str) -> None:
        """Expect errors that contain one of these words.

        Also those still to come: a browser may report a refused request after the page shows it.
        """
        self._expected += words

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._heard.append(f"{message.text} ({message.location.get('url', '')})")

    def _see(self, request: Request) -> None:
        if not request.url.startswith((self.url, "blob:", "data:")):
            self._heard.append(f"the page asks elsewhere: {request.url}")

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def _keep(values: Json) -> str:
    """Return a script that stores values where nothing is stored yet."""
    lines = (
        f"localStorage['patrizier.{name}'] ??= {json.dumps(json.dumps(value))};"
        for name, value in values.items()
    )
    return "try {" + "\n".join(lines) + "} catch {}"


def wait_until(page: Page, holds: Callable[[], bool], why: str) -> None:
    """Wait for a condition outside of the page, or one that Playwright cannot express."""
    until = time.monotonic() + TIMEOUT / 1000
    while not holds():
        assert time.monotonic() < until, why
        page.wait_for_timeout(100)
