"""Measure how long the page takes from a click, a tap or a key to the next picture.

Event Timing counts, as in the browser's own "Interaction to Next Paint": from the press to the
first frame that shows the effect, in steps of 8 ms; less than 16 ms is reported as 16.
At a table for five with messengers, and at a puzzle; on a desktop and on a phone, at the full speed
of the CPU and at a quarter of it.

python scripts/measure_clicks.py
python scripts/measure_clicks.py --turns 8 --limit 40
"""

import argparse
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Page

from browser.house import (
    WIDE,
    Client,
    Json,
    Visits,
    bots,
    running_browser,
    running_server,
)
from browser.player import Player
from browser.test_puzzles import plain

LIMIT = 50  # ms, at the full speed of the CPU
SLOWER = (1, 4)  # times
LEAST = 16  # ms; the browser reports nothing shorter
DESKTOP, TOUCH = "desktop", "phone"
ACTIONS = ("card", "site", "end turn", "tower", "sheet", "puzzle")
_FORGET = f"""() => {{
  window.pressed ??= [];
  window.watcher?.disconnect();
  window.pressed.length = 0;
  window.watcher = new PerformanceObserver((list) => {{
    for (const {{ duration, interactionId }} of list.getEntries())
      if (interactionId) window.pressed.push(duration);
  }});
  window.watcher.observe({{ type: 'event', durationThreshold: {LEAST} }});
}}"""
# Entries come a while after their frame. What was shorter than the threshold never comes.
_TELL = """async () => {
  for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame);
  return Math.max(0, ...window.pressed);
}"""

Times = dict[str, list[float]]


def main() -> int:
    """Measure and print; fail if an action takes too long at full speed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=5, help="of each measurement")
    parser.add_argument("--limit", type=float, default=LIMIT, help="ms, of a median at full speed")
    arguments = parser.parse_args()
    late: list[str] = []
    print(f"median and longest of {arguments.turns} or more, in ms")
    print(f"{'':18}" + "".join(f"{each:>13}" for each in ACTIONS))
    with running_server() as server, running_browser() as browser:
        for screen in (DESKTOP, TOUCH):
            for slower in SLOWER:
                visits = Visits(browser, server.url)
                times = measure(visits, screen, slower, arguments.turns)
                visits.close()
                name = f"{screen}{f'-{slower}x-slower' * (slower > 1)}"
                print(f"{name:18}" + "".join(f"{told(times[each]):>13}" for each in ACTIONS))
                if slower == 1:
                    late += [
                        f"{screen}: {action}"
                        for action in ACTIONS
                        if statistics.median(times[action]) > arguments.limit
                    ]
    if late:
        print(f"above {arguments.limit:g} ms: {', '.join(late)}")
    return 1 if late else 0


def told(times: list[float]) -> str:
    """Return median and maximum."""
    return f"{statistics.median(times):.0f} / {max(times):.0f}"


def measure(visits: Visits, screen: str, slower: int, turns: int) -> Times:
    """Measure all actions on a screen."""
    times: Times = defaultdict(list)
    client = Client(visits.url)
    message = client.play(client.create(bots(5, messengers=True)), turns=4)
    with opened(visits, f"/t/{message['table']}", screen, slower, client) as player:
        for _ in range(turns):
            if player.wait() != "turn":
                break
            look_around(player, times)
            play_turn(player, times)
    with opened(visits, f"/puzzle/{plain().id}", screen, slower) as player:
        solve(player, times, turns)
    client.close()
    return times


@contextmanager
def opened(
    visits: Visits, path: str, screen: str, slower: int, client: Client | None = None
) -> Iterator[Player]:
    """Open a page with a CPU that is slower by a factor; yield a player at it."""
    options: Json = {"person": client, "pace": "brisk", "reduced_motion": "no-preference"}
    if screen == TOUCH:
        page = visits.phone(path, **options)
    else:
        page = visits.open(path, size=WIDE, **options)
    player = Player(page, touch=screen == TOUCH)
    player.wait()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield player
    page.context.close()


def timed(page: Page, act: Callable[[], object]) -> float:
    """Perform an action that is one press; return the time until its frame, in ms."""
    page.evaluate(_FORGET)
    act()
    return max(LEAST, float(page.evaluate(_TELL)))


def look_around(player: Player, times: Times) -> None:
    """Open a tower's details and a sheet, and close both."""
    page = player.page
    times["tower"].append(timed(page, lambda: page.keyboard.press("t")))
    page.keyboard.press("Escape")
    if player.touch:
        times["sheet"].append(timed(page, player.button("Chronicle and chat").tap))
        player.button("Close").tap()
    else:
        times["sheet"].append(timed(page, player.button("Settings").click))
        page.keyboard.press("Escape")


def play_turn(player: Player, times: Times) -> None:
    """Play a whole turn; its card, its sites and its end count."""
    page, kinds = player.page, {"card": "card", "site": "site", "end": "end turn"}
    turn = player.look()["turn"]
    while player.wait() == "turn" and player.look()["turn"] == turn:
        choice = player.rng.choice(player.next_choices())
        took = timed(page, partial(player.take, choice))
        if choice.kind in kinds:
            times[kinds[choice.kind]].append(took)


def solve(player: Player, times: Times, turns: int) -> None:
    """Choose cards and sites of a puzzle, and take them back."""
    for _ in range(2 * turns):
        choice = player.rng.choice(player.next_choices())
        times["puzzle"].append(timed(player.page, partial(player.take, choice)))
        if choice.kind != "card":
            for _ in ("site", "card"):
                player.page.keyboard.press("Escape")


if __name__ == "__main__":
    sys.exit(main())
