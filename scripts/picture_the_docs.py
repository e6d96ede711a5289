"""Take the screenshots for the documentation, of the real page, played by bots and this script.

python scripts/picture_the_docs.py
python scripts/picture_the_docs.py --only phone --only rules
"""

import argparse
import re
import sys
from base64 import b64decode
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image
from playwright.sync_api import Page

from browser.house import (
    SETTLED,
    Client,
    Json,
    Visits,
    bots,
    running_browser,
    running_server,
)
from browser.player import Player

OUT = Path("docs/pictures")
MOST_BYTES = 1_400_000  # all pictures of the documentation together
WIDE = (1280, 800)
TURN = (1024, 720)
_QUALITY = 72
_FILM_WIDTH = 768  # pixels
_FILM_QUALITY = 55
_FILM_STEP = 80  # ms; changes within this time share a frame
_GLANCE = 900  # ms between choices
_TURN_MOVES = 2500  # ms until a turn's pieces have moved
_FILM_END = 2500  # ms that the last frame stays
_HINT = re.compile("^(What would you do\\?|Hint)")  # short where there is little room


class Camera:
    """Films a page: every frame that the browser draws, with its time."""

    def __init__(self, page: Page) -> None:
        self.frames: list[tuple[float, bytes]] = []  # ms, PNG
        self._session = page.context.new_cdp_session(page)
        self._session.on("Page.screencastFrame", self._keep)
        self._session.send("Page.startScreencast", {"format": "png"})

    def _keep(self, frame: dict[str, Any]) -> None:
        self.frames.append((1000 * frame["metadata"]["timestamp"], b64decode(frame["data"])))
        self._session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def stop(self) -> "Film":
        """Stop filming; return the film."""
        self._session.send("Page.stopScreencast")
        kept = self.frames[:1]
        for time, shot in self.frames[1:]:
            if time - kept[-1][0] >= _FILM_STEP:
                kept.append((time, shot))
        kept.append((kept[-1][0] + _FILM_STEP, self.frames[-1][1]))
        steps = [round(after - before) for (before, _), (after, _) in pairwise(kept)]
        return Film([shot for _, shot in kept], [*steps, _FILM_END])


class Film:
    """Pictures, and how long each is shown."""

    def __init__(self, shots: list[bytes], milliseconds: list[int]) -> None:
        self.shots = shots
        self.milliseconds = milliseconds


class Studio:
    """A server, a browser, and a visitor with some games played."""

    def __init__(self, visits: Visits, client: Client) -> None:
        self.visits = visits
        self.client = client

    def table(self, size: tuple[int, int] = WIDE, turns: int = 5) -> Player:
        """Return a player to move at a table of three, in the middle of the game."""
        page = self.visits.open(f"/t/{self.game(turns)['table']}", size=size, person=self.client)
        return _ready(Player(page))

    def game(self, turns: int) -> Json:
        """Return a game of three after this many own turns."""
        setup = bots(3, messengers=True, seats=["person", "merchant", "banker"])
        setup["watch"] = "everyone"
        return self.client.play(self.client.create(setup), turns=turns)

    # -- the pictures, each under its name

    def learn(self) -> bytes:
        """Take a scene of the quick start."""
        page = self.visits.open("/learn/complete", size=WIDE)
        page.locator("[data-card]").first.wait_for()
        return _shot(page)

    def turn(self) -> list[bytes]:
        """Take a turn in three steps: nothing chosen, a card, a site."""
        player = self.table(TURN)
        shots = [_shot(player.page)]
        player.pick()
        shots.append(_shot(player.page))
        player.draft()
        shots.append(_shot(player.page))
        return shots

    def film(self) -> Film:
        """Film a turn as it moves: a card, a site, the end of the turn, and the card drawn."""
        table = self.game(5)["table"]
        how: Json = {"pace": "calm", "reduced_motion": "no-preference"}
        page = self.visits.open(f"/t/{table}", size=TURN, person=self.client, **how)
        player = _ready(Player(page))
        page.evaluate(SETTLED)
        camera = Camera(page)
        page.wait_for_timeout(_GLANCE)
        while player.pick().kind != "end":
            page.wait_for_timeout(_GLANCE)
        page.wait_for_timeout(_TURN_MOVES)
        return camera.stop()

    def phone(self) -> bytes:
        """Take the table on a phone, with a card chosen."""
        page = self.visits.phone(f"/t/{self.game(5)['table']}", person=self.client)
        player = _ready(Player(page, touch=True))
        player.pick()
        return _shot(page)

    def hint(self) -> bytes:
        """Take a hint of the best bot."""
        player = self.table(WIDE, turns=8)
        player.page.get_by_role("button", name=_HINT).click()
        player.page.get_by_text("wins").first.wait_for()
        return _shot(player.page)

    def replay(self) -> bytes:
        """Take the replay of a finished game, in the middle."""
        table = self.game(100)["table"]
        page = self.visits.open(f"/replay/{table}", size=WIDE, person=self.client)
        slider = page.get_by_role("slider", name="Turn")
        slider.fill("26")
        page.get_by_role("checkbox", name="Show all hands").check()
        return _shot(page)

    def waiting(self) -> bytes:
        """Take a table whose other seats are free, with the link for friends."""
        table = self.client.create({"players": 3, "rules": ["messengers"]})["table"]
        page = self.visits.open(f"/t/{table}", size=TURN, person=self.client)
        page.get_by_role("heading", level=1).wait_for()
        return _shot(page)

    def end(self) -> list[bytes]:
        """Take the end of a game while it is counted: the first city, the last one, the winner."""
        path = f"/t/{self.game(100)['table']}"
        how: Json = {"pace": "calm", "reduced_motion": "no-preference"}
        page = self.visits.open(path, size=TURN, person=self.client, **how)
        page.locator("dialog [data-turned]").first.wait_for(state="attached")
        shots = []
        for number in (2, page.locator("dialog [data-turned]").count()):
            page.locator("dialog [data-turned=true]").nth(number - 1).wait_for()
            shots.append(page.screenshot())
        page.locator("dialog[data-over=true]").wait_for()
        return [*shots, _shot(page)]

    def analysis(self) -> bytes:
        """Take the analysis of a finished game, at its sixth error, when towers stand there."""
        table = self.game(100)["table"]
        self._analyse(table)
        page = self.visits.open(f"/analysis/{table}", size=WIDE, person=self.client)
        page.get_by_role("slider").wait_for()
        for _ in range(6):
            page.keyboard.press("Shift+ArrowRight")
        return _shot(page)

    def _analyse(self, table: str) -> None:
        """Wait until the server has analysed a finished game."""
        http = self.client.http
        answer = http.post("/api/analyses", json={"table": table}).json()
        while answer["state"] in ("waiting", "running"):
            after = {"after": answer["judged"] + 8}
            answer = http.get(f"/api/analyses/{answer['key']}", params=after).json()

    def rules(self) -> bytes:
        """Take the rules page."""
        page = self.visits.open("/rules", size=WIDE)
        page.get_by_role("heading", level=1).wait_for()
        return _shot(page)


def _ready(player: Player) -> Player:
    player.wait()
    return player


def _shot(page: Page) -> bytes:
    page.evaluate(SETTLED)
    return page.screenshot()


def _save(name: str, shot: bytes) -> int:
    """Write a picture; return its size."""
    file = OUT / f"{name}.webp"
    Image.open(BytesIO(shot)).convert("RGB").save(file, quality=_QUALITY, method=6)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")
    return file.stat().st_size


def _save_film(name: str, film: Film) -> None:
    """Write an animated picture."""
    file = OUT / f"{name}.webp"
    images = [Image.open(BytesIO(shot)).convert("RGB") for shot in film.shots]
    size = (_FILM_WIDTH, round(images[0].height * _FILM_WIDTH / images[0].width))
    first, *others = (image.resize(size, Image.Resampling.LANCZOS) for image in images)
    first.save(
        file,
        save_all=True,
        append_images=others,
        duration=film.milliseconds,
        loop=0,
        quality=_FILM_QUALITY,
        method=6,
    )
    seconds = sum(film.milliseconds) / 1000
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB, {len(images)} frames, {seconds:.1f} s")


PICTURES: dict[str, Callable[[Studio], bytes | list[bytes] | Film]] = {
    "learn": Studio.learn,
    "turn": Studio.turn,
    "film": Studio.film,
    "phone": Studio.phone,
    "hint": Studio.hint,
    "replay": Studio.replay,
    "waiting": Studio.waiting,
    "end": Studio.end,
    "analysis": Studio.analysis,
    "rules": Studio.rules,
}


def main() -> int:
    """Take the requested pictures; fail if all together are too large."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", action="append", choices=list(PICTURES), help="can be repeated")
    wanted = parser.parse_args().only or list(PICTURES)
    with running_server() as server, running_browser() as browser:
        client = Client(server.url)
        client.http.put("/api/me/name", json={"name": "Anna"})
        visits = Visits(browser, server.url)
        for name in wanted:
            taken = PICTURES[name](Studio(visits, client))
            if isinstance(taken, Film):
                _save_film(name, taken)
            elif isinstance(taken, bytes):
                _save(name, taken)
            else:
                for number, shot in enumerate(taken, start=1):
                    _save(f"{name}-{number}", shot)
        visits.close()
    total = sum(file.stat().st_size for file in OUT.iterdir())
    print(f"all: {total / 1000:.0f} kB")
    return 0 if total <= MOST_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
