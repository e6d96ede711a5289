"""Measure the frame rate of the page while it animates the turns of four bots.

On a desktop and on a phone, at the full speed of the CPU and at a quarter of it. At full speed too
many late frames, or one that takes too long, make the command fail.

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

from browser.house import WIDE, Client, Json, Visits, bots, running_browser, running_server
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
_FRAME = 1000 / 60  # ms
MOST_LATE = 0.05  # of all frames
LONGEST = 100.0  # ms


def main() -> int:
    """Play, measure, print; fail where the animation is not smooth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=2, help="rounds of five turns")
    parser.add_argument(
        "--trace", type=Path, help="write the browser's traces to files called like this"
    )
    parser.add_argument("--most-late", type=float, default=MOST_LATE, help="share of late frames")
    parser.add_argument("--longest", type=float, default=LONGEST, help="ms that a frame may take")
    arguments = parser.parse_args()
    rough = []
    with running_server() as server, running_browser() as browser:
        for phone in (False, True):
            for slower in (1, 4):
                visits, client = Visits(browser, server.url), Client(server.url)
                page = table(visits, client, phone=phone)
                session = page.context.new_cdp_session(page)
                session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
                name = f"{'phone' if phone else 'desktop'}{f'-{slower}x-slower' * (slower > 1)}"
                trace: Path | None = arguments.trace
                kept = trace.with_stem(f"{trace.stem}-{name}") if trace else None
                frames = measure(browser, page, arguments.rounds, kept)
                client.close()
                visits.close()
                print(name)
                tell(frames)
                late = late_in(frames) / len(frames)
                if slower == 1 and (late > arguments.most_late or max(frames) > arguments.longest):
                    rough.append(name)
    if rough:
        print(f"not smooth: {', '.join(rough)}")
    return 1 if rough else 0


def table(visits: Visits, client: Client, *, phone: bool) -> Page:
    """Open a table for five in the middle of a game, with full animations."""
    message = client.play(client.create(bots(5, messengers=True)), turns=4)
    path = f"/t/{message['table']}"
    options: Json = {"person": client, "pace": "calm", "reduced_motion": "no-preference"}
    return visits.phone(path, **options) if phone else visits.open(path, size=WIDE, **options)


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


def late_in(frames: list[float]) -> int:
    """Return how many frames missed their 60th of a second."""
    return sum(1 for each in frames if each > 1.5 * _FRAME)


def tell(frames: list[float]) -> None:
    """Print the statistics."""
    ordered = sorted(frames)
    median = statistics.median(ordered)
    slow = ordered[int(0.95 * (len(ordered) - 1))]
    late = late_in(frames)
    print(f"  {len(frames)} frames in {sum(frames) / 1000:.1f} s: {1000 / median:.0f} per second")
    print(f"  median {median:.1f} ms, 95 % within {slow:.1f} ms, longest {ordered[-1]:.1f} ms")
    print(f"  {late} frames ({late / len(ordered):.1%}) missed their 60th of a second")


if __name__ == "__main__":
    sys.exit(main())
