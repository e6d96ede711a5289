"""Measure the frame rate of the page while it animates the turns of four bots.

python scripts/trace_animation.py
python scripts/trace_animation.py --rounds 3 --trace animation.json

Open a trace in the browser's developer tools (Performance, "Load profile").
"""

import argparse
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Browser, Page

from browser.house import WIDE, Client, Visits, bots, running_browser, running_server
from browser.player import Player

_RECORD = """() => {
  window.frames_ = [];
  let last = null;
  const tick = (now) => {
    if (last !== null) window.frames_.push(now - last);
    last = now;
    window.ticking = requestAnimationFrame(tick);
  };
  window.ticking = requestAnimationFrame(tick);
}"""
_STOP = """() => {
  cancelAnimationFrame(window.ticking);
  return window.frames_;
}"""


def main() -> int:
    """Play, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=2, help="rounds of five turns")
    parser.add_argument("--trace", type=Path, help="write the browser's trace to this file")
    arguments = parser.parse_args()
    with running_server() as server, running_browser() as browser:
        visits = Visits(browser, server.url)
        client = Client(server.url)
        message = client.play(client.create(bots(5, messengers=True)), turns=4)
        page = visits.open(
            f"/t/{message['table']}",
            person=client,
            pace="calm",
            size=WIDE,
            reduced_motion="no-preference",
        )
        frames = measure(browser, page, arguments.rounds, arguments.trace)
        client.close()
        visits.close()
    tell(frames)
    return 0


def measure(browser: Browser, page: Page, rounds: int, trace: Path | None) -> list[float]:
    """Return the frame times in milliseconds while bots' turns were shown."""
    player = Player(page)
    frames: list[float] = []
    for _ in range(rounds):
        if player.wait() != "turn":
            break
        player.draft()
        if trace:
            browser.start_tracing(page=page, path=trace)
        page.evaluate(_RECORD)
        player.play_turn()
        player.wait()
        frames += page.evaluate(_STOP)
        if trace:
            browser.stop_tracing()
    return frames


def tell(frames: list[float]) -> None:
    """Print the statistics."""
    ordered = sorted(frames)
    median = statistics.median(ordered)
    slow = ordered[int(0.95 * (len(ordered) - 1))]
    late = sum(1 for each in ordered if each > 1.5 * 1000 / 60)
    print(f"{len(frames)} frames in {sum(frames) / 1000:.1f} s: {1000 / median:.0f} per second")
    print(f"median {median:.1f} ms, 95 % within {slow:.1f} ms, longest {ordered[-1]:.1f} ms")
    print(f"{late} frames ({late / len(ordered):.1%}) missed their 60th of a second")


if __name__ == "__main__":
    sys.exit(main())
