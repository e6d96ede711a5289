"""Photograph every state that players meet, and lay the pictures out on one page to look at.

Newcomers play their first game on a telephone and at a desk, with and without a coach; there is a
game of five with messengers, the quick start, an ending, a replay, an analysis and its follow-ups,
puzzles, all dialogs and menus, errors, and the pages around them. Each state is taken in every
requested size, theme and language. Layout faults are listed below the picture, and make the command
fail.

python scripts/contact_sheet.py
python scripts/contact_sheet.py --brief
python scripts/contact_sheet.py --size 360x640 --scheme dark --language de --only five
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image
from playwright.sync_api import Page

from browser.house import (
    ROOT,
    SETTLED,
    Client,
    Json,
    Visits,
    bots,
    running_browser,
    running_server,
)
from browser.player import Player
from browser.test_company import ask, begin, play
from browser.test_learn import SCENES, texts_of
from browser.test_puzzles import lay, plain

Size = tuple[int, int]
Scheme = Literal["light", "dark"]

TOUCHED = ((360, 640), (390, 664), (390, 844), (844, 390), (820, 1180))
POINTED = ((1024, 768), (1366, 768), (1440, 900), (1920, 1080), (2560, 1440))
USUAL = ((390, 664), (1440, 900))
LOCALES = {"en": "en-GB", "de": "de-DE", "nl": "nl-NL", "it": "it-IT"}
CLOCK = {"kind": "realtime", "base": 3000, "increment": 10}
LAYOUT = (ROOT / "tests" / "browser" / "layout.js").read_text("utf-8")
_QUALITY = 80
_TURNS = 60  # more than any game has


@dataclass(frozen=True)
class Picture:
    """One state in one size, theme and language."""

    journey: str
    state: str
    file: str
    size: Size
    problems: tuple[str, ...]


@dataclass
class Camera:
    """Takes pictures of a page in all sizes and themes that are asked for."""

    folder: Path
    language: str
    sizes: tuple[Size, ...]
    schemes: tuple[Scheme, ...]
    brief: bool
    pictures: list[Picture] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)  # that were taken already
    journey: str = ""

    def shoot(
        self,
        page: Page,
        kind: str,
        *,
        checked: bool = True,
        still: bool = True,
        again: Callable[[Page], None] = lambda page: None,
    ) -> None:
        """Take a state; with ``--brief`` only the first one of its kind in a journey.

        `again` restores a state that resizing the window has ended.
        """
        if self.brief and f"{self.journey} {kind}" in self.kinds:
            return
        self.kinds.add(f"{self.journey} {kind}")
        for size in self.sizes:
            if page.viewport_size != {"width": size[0], "height": size[1]}:
                page.set_viewport_size({"width": size[0], "height": size[1]})
            again(page)
            for scheme in self.schemes:
                page.emulate_media(color_scheme=scheme)
                if still:
                    page.evaluate(SETTLED)
                self._keep(page, kind, size, scheme, checked=checked)

    def _keep(self, page: Page, kind: str, size: Size, scheme: Scheme, *, checked: bool) -> None:
        number = len(self.pictures) + 1
        width, height = size
        name = f"{number:04}-{self.journey}-{kind}-{width}x{height}-{scheme}-{self.language}.webp"
        shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
        shot.save(self.folder / name, quality=_QUALITY, method=3)
        problems = tuple(page.evaluate(LAYOUT)) if checked else ()
        for each in problems:
            print(f"{name}: {each}", file=sys.stderr)
        self.pictures.append(Picture(self.journey, kind, name, size, problems))


class Journeys:
    """User journeys, each from beginning to end."""

    def __init__(self, visits: Visits, camera: Camera, *, touch: bool) -> None:
        self.visits = visits
        self.camera = camera
        self.touch = touch
        self.texts = texts_of(camera.language)
        self.options: dict[str, Any] = {
            "size": camera.sizes[0],
            "locale": LOCALES[camera.language],
            **({"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if touch else {}),
        }

    def open(self, path: str, client: Client | None = None, pace: str = "instant") -> Page:
        """Open an address as somebody with this screen and language does."""
        return self.visits.open(path, pace=pace, person=client, **self.options)

    def table(self, message: Json, client: Client, pace: str = "instant") -> Player:
        """Return a page at a table where it is its player's turn."""
        page = self.open(f"/t/{message['table']}", client, pace)
        player = Player(page, touch=self.touch)
        player.wait()
        return player

    @contextmanager
    def person(self) -> Iterator[Client]:
        """Yield a page of a new visitor."""
        client = Client(self.visits.url)
        yield client
        client.close()

    # -- the journeys, each under its name

    def first(self) -> None:
        """A newcomer's first game, from the front page on: every step of every turn."""
        page = self.open("/", pace="brisk")
        page.get_by_role("heading", level=1).wait_for()
        self.camera.shoot(page, "front", checked=False)
        page.get_by_role("button", name=self.texts["front.now.go"]).click()
        page.locator(".board").wait_for()
        self._play(Player(page, touch=self.touch), turns=4 if self.camera.brief else _TURNS)

    def five(self) -> None:
        """A game of five with messengers and clocks: every step of every turn."""
        with self.person() as client:
            setup = bots(5, messengers=True, pace=CLOCK)
            message = client.play(client.create(setup), turns=4 if self.camera.brief else 0)
            player = self.table(message, client, pace="brisk")
            self._play(player, turns=3 if self.camera.brief else _TURNS)

    def _play(self, player: Player, turns: int) -> None:
        page, camera = player.page, self.camera
        for _ in range(turns):
            if player.wait() == "over":
                break
            while True:
                kinds = {each.kind for each in player.next_choices()} - {"skip"}
                camera.shoot(page, "+".join(sorted(kinds)))
                kind = player.pick().kind
                if kind == "skip" and {each.kind for each in player.choices()} & {"draw", "end"}:
                    continue  # a special action: the turn goes on
                if kind in ("end", "messenger", "skip") and self._is_told(page):
                    break
        if player.wait() == "over":
            camera.shoot(page, "over", checked=False)

    def _is_told(self, page: Page) -> bool:
        """Photograph the others' turns, unless it is still our turn."""
        page.wait_for_function(
            "() => document.querySelector('.told, [data-choice=messenger], dialog[open]')"
        )
        if page.locator("[data-choice=messenger]").count():
            return False
        if page.locator(".told").count():
            self.camera.shoot(page, "told", checked=False, still=False)
        return True

    def panels(self) -> None:
        """All dialogs and menus at a table."""
        with self.person() as client:
            message = client.play(client.create(bots(4, messengers=True, pace=CLOCK)), turns=6)
            player = self.table(message, client)
            page, shoot = player.page, self.camera.shoot
            fields = page.locator(".players > li > button")
            for number in range(fields.count()):
                fields.nth(number).click()
                shoot(page, f"player-{number + 1}")
                fields.nth(number).click()
            shoot(page, "tower", again=_ask_a_tower)
            page.keyboard.press("Escape")
            page.keyboard.press("?")
            page.locator("dialog li").first.wait_for()
            shoot(page, "legend", checked=False)
            page.keyboard.press("Escape")
            page.locator("[data-heads] button").first.click()
            shoot(page, "own-pile", checked=False)
            page.keyboard.press("Escape")
            page.keyboard.press("h")
            page.get_by_label(self.texts["hint.title"]).first.wait_for()
            shoot(page, "hint", checked=False)
            page.keyboard.press("Escape")
            if self.touch:
                page.get_by_role("button", name=self.texts["table.log"]).click()
                shoot(page, "chronicle", checked=False)
            page.locator("#tab-chat").click()
            shoot(page, "chat", checked=False)
            if self.touch:
                page.locator("#tab-more").click()
                shoot(page, "more", checked=False)
            page.get_by_role("button", name=self.texts["table.settings"], exact=True).click()
            page.locator("dialog fieldset").first.wait_for()
            shoot(page, "settings", checked=False)

    def coached(self) -> None:
        """A first game with a coach, from the end of the quick start on."""
        page = self.visits.open(
            "/learn",
            pace="brisk",
            kept={"learn": list(SCENES), "settings": {"pace": "brisk"}},
            **self.options,
        )
        page.get_by_role("heading", level=1).wait_for()
        self.camera.shoot(page, "finale", checked=False)
        page.get_by_role("button", name=self.texts["coach.play"]).click()
        page.locator(".board").wait_for()
        self._play(Player(page, touch=self.touch), turns=2 if self.camera.brief else 5)

    def around(self) -> None:
        """The pages around the tables, as a first-time visitor sees them."""
        for path in ("/tables", "/new", "/rules", "/replay", "/about", "/you", "/missing"):
            page = self.open(path)
            self._at_rest(page)
            self.camera.shoot(page, path.strip("/"), checked=False)
            page.context.close()

    def people(self) -> None:
        """Friends, invitations, profile, leaderboards, games to watch; tables that wait."""
        with self.person() as anna, self.person() as ben, self.person() as cleo:
            company = [anna, ben, cleo]
            for client, name in zip(company, ("Anna", "Ben", "Wilhelmina van Delft"), strict=True):
                ask(client, "PUT", "/api/me/name", name=name)
            ask(anna, "PUT", "/api/me/profile", avatar="L")
            ask(ben, "PUT", "/api/me/profile", avatar="SI")
            for _ in range(1 if self.camera.brief else 3):
                play(company, rated=True)
            code = ask(anna, "POST", "/api/my/friend-link")["code"]
            ask(ben, "POST", f"/api/friend-links/{code}")
            begin([anna, ben], public=True, rated=True, watch="everyone")
            waiting = anna.create({"players": 3, "rules": ["messengers"]})["table"]
            friend = ask(anna, "GET", "/api/friends")["friends"][0]["id"]
            ask(anna, "POST", f"/api/tables/{waiting}/invitations", friend=friend)
            for path, client, kind in (
                ("/you", anna, "profile"),
                ("/ratings/3", ben, "leaderboard"),
                ("/friends", anna, "friends"),
                (f"/friend/{code}", cleo, "friend-link"),
                ("/tables", anna, "my-tables"),
                ("/tables", None, "games-to-watch"),
                ("/", ben, "invited"),
                (f"/t/{waiting}", None, "invitation"),
                (f"/t/{waiting}", anna, "waiting"),
            ):
                page = self.open(path, client)
                self._at_rest(page)
                self.camera.shoot(page, kind, checked=False)
                if kind == "profile":
                    page.mouse.wheel(0, 5000)
                    self.camera.shoot(page, "profile-below", checked=False)
                if kind == "waiting":
                    page.get_by_role("button", name=self.texts["gather.qr"]).click()
                    page.locator("dialog svg[role=img]").wait_for()
                    self.camera.shoot(page, "qr", checked=False)
                page.context.close()

    @staticmethod
    def _at_rest(page: Page) -> None:
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_load_state("networkidle")

    def again(self) -> None:
        """A rematch of two people: its waiting room, and the score so far."""
        with self.person() as anna, self.person() as ben:
            ask(anna, "PUT", "/api/me/name", name="Anna")
            ask(ben, "PUT", "/api/me/name", name="Ben")
            table = play([anna, ben])
            page = self.open(f"/t/{table}", anna)
            page.locator("dialog[data-over=true]").wait_for()
            page.get_by_role("button", name=self.texts["result.again"], exact=True).click()
            page.get_by_role("status").filter(has_text=self.texts["result.again-wanted"]).wait_for()
            self.camera.shoot(page, "wanted", checked=False)
            following = ben.act(table, "offer-rematch")["rematch"]
            page = self.open(f"/t/{following}", ben)
            page.get_by_role("heading", level=1).wait_for()
            self.camera.shoot(page, "gathering", checked=False)

    def screen(self) -> None:
        """Two people at one screen, with a curtain between their turns."""
        with self.person() as client:
            setup = {"players": 2, "seats": ["person", "person"], "rules": []}
            message = client.create(setup)
            who = {"hot_seat": True, "name": "Ben"}
            message = client.act(message["table"], "join", seat=1, contribution="2" * 64, **who)
            page = self.open(f"/t/{message['table']}", client)
            player = Player(page, touch=self.touch)
            for _ in range(2):
                if player.wait() == "curtain":
                    self.camera.shoot(page, "curtain", checked=False)
                    player.uncover()
                player.wait()
                self.camera.shoot(page, "uncovered")
                player.play_turn()

    def learn(self) -> None:
        """The quick start, scene by scene."""
        for scene in SCENES[:: 4 if self.camera.brief else 1]:
            page = self.open(f"/learn/{scene}")
            page.locator("[data-card]").first.wait_for(state="attached")
            self.camera.shoot(page, f"{scene}-told", checked=False)
            if (begin := page.get_by_role("button", name=self.texts["learn.begin"])).is_visible():
                begin.click()
            player = Player(page, touch=self.touch)
            for number in range(1, 12):
                if page.locator(".outcome").count():
                    break
                self.camera.shoot(page, f"{scene}-{number}")
                player.pick()
                page.wait_for_function(
                    "() => document.querySelector('[data-choice], .outcome') "
                    "&& !document.querySelector('[aria-busy=true]')"
                )
            self.camera.shoot(page, f"{scene}-outcome", checked=False)
            page.context.close()

    def ending(self) -> None:
        """The end of a game of five: its count, its table of points, the board afterwards."""
        with self.person() as client:
            message = client.play(client.create(bots(5, messengers=True)))
            page = self.visits.open(
                f"/t/{message['table']}",
                person=client,
                pace="calm",
                **self.options,
                reduced_motion="no-preference",
            )
            for number in (1, 8, 15, 20):
                page.locator("dialog [data-turned=true]").nth(number - 1).wait_for()
                self.camera.shoot(page, f"count-{number}", checked=False, still=False)
            page.keyboard.press("Enter")
            page.locator("dialog[data-over=true]").wait_for()
            self.camera.shoot(page, "result", checked=False)
            self.camera.shoot(page, "result-below", checked=False, again=_scroll("dialog .scroll"))
            page.get_by_role("button", name=self.texts["share.title"]).click()
            page.locator("dialog img").evaluate("(each) => each.decode()")
            self.camera.shoot(page, "share", checked=False)
            page.keyboard.press("Escape")
            page.get_by_role("button", name=self.texts["result.check"]).click()
            page.locator(".verdict").wait_for()
            self.camera.shoot(page, "check", checked=False)
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")
            self.camera.shoot(page, "board")

    def replay(self) -> None:
        """A finished game again."""
        with self.person() as client:
            message = client.play(client.create(bots(5, messengers=True)))
            page = self.open(f"/replay/{message['table']}?turn=0", client)
            slider = page.get_by_role("slider")
            for turn in (0, 12, 30, 47):
                slider.fill(str(turn))
                self.camera.shoot(page, f"turn-{turn}")

    def puzzles(self) -> None:
        """Puzzles: the list, a question, a wrong answer, a hint, the right answer."""
        page = self.open("/puzzles")
        self._at_rest(page)
        self.camera.shoot(page, "list", checked=False)
        page.context.close()
        puzzle = plain()
        page = self.open(f"/puzzle/{puzzle.id}")
        page.locator("[data-card]").first.wait_for()
        self.camera.shoot(page, "asked")
        lay(page, next(m.text for m in puzzle.view.legal if m.text not in puzzle.accepted))
        page.locator(".said .wrong").wait_for()
        self.camera.shoot(page, "wrong", checked=False)
        page.get_by_role("button", name=self.texts["puzzles.hint"]).click()
        self.camera.shoot(page, "hint", checked=False)
        lay(page, puzzle.solution.text)
        page.locator(".said .right").wait_for()
        self.camera.shoot(page, "solved", checked=False)

    def analysis(self) -> None:
        """An analysis: errors, moments, the account; practice; a what-if line."""
        with self.person() as client:
            table = client.play(client.create(bots(3, messengers=True)))["table"]
            analysis = _analysed(client, table)
            page = self.open(f"/t/{table}", client)
            page.locator("dialog[data-over=true] .turning").wait_for()
            self.camera.shoot(page, "decided", checked=False)
            page.goto(f"/analysis/{table}")
            chart = page.locator("[role=slider]")
            chart.wait_for()
            self.camera.shoot(page, "start", checked=False)
            for number in range(2):
                page.keyboard.press("Shift+ArrowRight")
                self.camera.shoot(page, f"error-{number + 1}", checked=False)
            page.keyboard.press("End")
            self.camera.shoot(page, "end", checked=False)
            self.camera.shoot(page, "account", checked=False, again=_scroll("aside"))
            self._practise(page, analysis)
            page.goto(f"/what-if?table={table}&at={len(analysis['turns']) // 2}")
            self._try_lines(page)

    def _practise(self, page: Page, analysis: Json) -> None:
        page.get_by_role("button", name=self.texts["practice.begin"]).click()
        page.locator("[data-card]").first.wait_for()
        self.camera.shoot(page, "mistake", checked=False)
        page.get_by_role("button", name=self.texts["practice.hint"]).click()
        self.camera.shoot(page, "mistake-hint", checked=False)
        page.get_by_role("button", name=self.texts["practice.solve"]).click()
        page.get_by_text(self.texts["practice.shown"]).first.wait_for()
        self.camera.shoot(page, "mistake-shown", checked=False)

    def _try_lines(self, page: Page) -> None:
        bot = page.get_by_role("button", name=self.texts["whatif.bot"])
        bot.wait_for()
        self.camera.shoot(page, "what-if", checked=False)
        heading = page.locator("#place-title")
        for _ in range(2):
            before = heading.inner_text()
            bot.click()
            page.wait_for_function(
                "(before) => document.querySelector('#place-title').innerText !== before",
                arg=before,
            )
        page.get_by_role("switch", name=self.texts["whatif.value"]).check()
        page.locator(".bars li").first.wait_for()
        self.camera.shoot(page, "what-if-line", checked=False)

    def troubles(self) -> None:
        """Errors: a lost connection, a refused turn, dead links."""
        with self.person() as client:
            message = client.play(client.create(bots(3, messengers=True)), turns=2)
            page = self.open("/about")
            page.route_web_socket("**", lambda socket: socket.close())
            page.route("**/api/tables/**", lambda route: route.abort())
            client.give_to(page.context)
            page.goto(f"/t/{message['table']}")
            page.wait_for_load_state("networkidle")
            self.camera.shoot(page, "unreachable", checked=False)
            page.context.close()
            player = self.table(message, client)
            page = player.page
            page.context.set_offline(True)
            page.get_by_text(self.texts["table.reconnecting"]).first.wait_for()
            self.camera.shoot(page, "lost")
            page.context.close()
            player = self.table(message, client)
            page = player.page
            player.draft()
            client.turn(client.look(message["table"]))  # elsewhere, in the meantime
            player.wait()
            self.camera.shoot(page, "overtaken")
            page.context.close()
            for path, kind in (
                (f"/t/{'x' * 22}", "no-table"),
                (f"/replay/{'x' * 22}", "no-replay"),
                (f"/analysis/{'x' * 22}", "no-analysis"),
                ("/puzzle/00000000", "no-puzzle"),
                ("/what-if#1.nonsense", "broken-link"),
                (f"/friend/{'x' * 22}", "no-friend"),
            ):
                page = self.open(path)
                page.wait_for_load_state("networkidle")
                self.camera.shoot(page, kind, checked=False)
                page.context.close()


def _analysed(client: Client, table: str) -> Json:
    """Have a game analysed; return its analysis."""
    answer = ask(client, "POST", "/api/analyses", table=table)
    while answer["state"] in ("waiting", "running"):
        after = answer["judged"] + 8
        answer = ask(client, "GET", f"/api/analyses/{answer['key']}?after={after}")
    analysis: Json = answer["analysis"]
    return analysis


def _scroll(place: str) -> Callable[[Page], None]:
    """Return a function that scrolls a container to its end."""
    return lambda page: page.locator(place).evaluate("(each) => each.scrollTo(0, 1e6)")


def _ask_a_tower(page: Page) -> None:
    """Press t until the tooltip of a tower with floors opens."""
    page.keyboard.press("Escape")
    while not page.locator("[role=tooltip] li").count():
        page.keyboard.press("t")


JOURNEYS = {
    "first": Journeys.first,
    "five": Journeys.five,
    "coached": Journeys.coached,
    "panels": Journeys.panels,
    "screen": Journeys.screen,
    "learn": Journeys.learn,
    "ending": Journeys.ending,
    "again": Journeys.again,
    "replay": Journeys.replay,
    "analysis": Journeys.analysis,
    "puzzles": Journeys.puzzles,
    "around": Journeys.around,
    "people": Journeys.people,
    "troubles": Journeys.troubles,
}


def main() -> int:
    """Run all requested journeys; fail if a layout fault is found."""
    arguments = _parse()
    folder: Path = arguments.out
    folder.mkdir(parents=True, exist_ok=True)
    sizes = tuple(arguments.size or ((*TOUCHED, *POINTED) if arguments.all else USUAL))
    languages = arguments.language or (list(LOCALES) if arguments.all else ["en"])
    schemes = tuple(arguments.scheme or (("light", "dark") if arguments.all else ("light",)))
    pictures: list[Picture] = []
    with ExitStack() as stack:
        url = arguments.url or stack.enter_context(running_server()).url
        browser = stack.enter_context(running_browser())
        for touch, group in ((True, TOUCHED), (False, POINTED)):
            chosen = tuple(  # the largest one last: a journey goes on in it
                size
                for size in sorted(sizes)
                if (size in group) or (not touch and size not in TOUCHED)
            )
            for language in languages if chosen else []:
                camera = Camera(folder, language, chosen, schemes, arguments.brief, pictures)
                for name in arguments.only or JOURNEYS:
                    visits = Visits(browser, url)
                    camera.journey = f"{name}-{'touched' if touch else 'pointed'}"
                    JOURNEYS[name](Journeys(visits, camera, touch=touch))
                    visits.close()
    (folder / "index.html").write_text(_sheet(pictures), "utf-8")
    states = {(each.journey, each.file.rsplit("-", 3)[0]) for each in pictures}
    wrong = sum(bool(each.problems) for each in pictures)
    print(f"{folder / 'index.html'}: {len(pictures)} pictures of {len(states)} states")
    print(f"{wrong} of them have layout faults" if wrong else "none has layout faults")
    return 1 if wrong else 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=Path("artefacts/contact-sheet"))
    parser.add_argument("--url", help="of a running server")
    parser.add_argument(
        "--size", action="append", type=_size, help="such as 390x664; can be repeated"
    )
    parser.add_argument("--scheme", action="append", choices=["light", "dark"])
    parser.add_argument("--language", action="append", choices=list(LOCALES))
    parser.add_argument("--only", action="append", choices=list(JOURNEYS), help="can be repeated")
    parser.add_argument("--all", action="store_true", help="every size, theme and language")
    parser.add_argument("--brief", action="store_true", help="one state of each kind, for CI")
    return parser.parse_args()


def _size(text: str) -> Size:
    width, _, height = text.partition("x")
    return int(width), int(height)


_STYLE = """
body { margin: 2rem; background: #f4eadb; color: #2a2320; font: 15px system-ui, sans-serif; }
section { display: flex; flex-wrap: wrap; gap: 14px; align-items: flex-start; }
figure { margin: 0; width: min-content; }
img { display: block; height: 260px; border: 1px solid #dccbb0; }
figcaption { padding: 4px 0; font-size: 12px; }
.wrong { color: #a03325; }
"""


def _sheet(pictures: list[Picture]) -> str:
    """Return the page of all pictures, journey by journey."""
    parts = [
        f"<!doctype html><meta charset=utf-8><title>Contact sheet</title><style>{_STYLE}</style>"
    ]
    journey = ""
    for each in pictures:
        if each.journey != journey:
            journey = each.journey
            parts.append(
                f"{'</section>' if len(parts) > 1 else ''}<h2>{escape(journey)}</h2><section>"
            )
        wrong = "".join(f"<br><span class=wrong>{escape(line)}</span>" for line in each.problems)
        name = escape(each.file)
        parts.append(
            f'<figure><a href="{name}"><img loading=lazy src="{name}" alt=""></a>'
            f"<figcaption>{escape(each.state)} {each.size[0]}×{each.size[1]}{wrong}"
            "</figcaption></figure>"
        )
    return "\n".join(parts) + "</section>\n"


if __name__ == "__main__":
    raise SystemExit(main())
