"""Take the screenshot for the README: a game of four, in the middle of a turn.

python scripts/picture_the_game.py
python scripts/picture_the_game.py --out docs/pictures/table.png --turns 7
"""

import argparse
import sys
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image

from browser.house import SETTLED, Client, Visits, bots, running_browser, running_server
from browser.player import Player

SIZE = (1280, 800)
MOST_BYTES = 300_000
_COLOURS = 128  # palette size: enough for flat drawings


def main() -> int:
    """Play, take the screenshot, reduce its colours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures/table.png"))
    parser.add_argument("--turns", type=int, default=7, help="own turns to play first")
    arguments = parser.parse_args()
    with running_server() as server, running_browser() as browser:
        client = Client(server.url)
        setup = bots(4, messengers=True, seats=["person", "merchant", "banker", "merchant"])
        message = client.play(client.create(setup), turns=arguments.turns)
        visits = Visits(browser, server.url)
        page = visits.open(f"/t/{message['table']}", size=SIZE, person=client)
        player = Player(page)
        player.wait()
        player.pick()
        page.evaluate(SETTLED)
        shot = page.screenshot()
        visits.close()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    image = Image.open(BytesIO(shot)).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    image.save(arguments.out, optimize=True)
    size = arguments.out.stat().st_size
    print(f"{arguments.out}: {size / 1000:.0f} kB")
    return 0 if size <= MOST_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
