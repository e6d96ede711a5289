"""Measure the pages with Lighthouse, as on a phone: a slow network, a CPU four times slower.

Lighthouse is not a dependency: `npx` fetches it, unless an installed program is named.

python scripts/measure_pages.py
python scripts/measure_pages.py --lighthouse node_modules/.bin/lighthouse --runs 5 --only learn
python scripts/measure_pages.py --desktop --reports artefacts/lighthouse
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.house import Client, bots, find_chromium, running_server
from patrizier.puzzles.collection import shipped
from patrizier.server.loadtest.process import ServerProcess

AIM = 95
CATEGORIES = ("performance", "accessibility", "best-practices")
FIGURES = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest",
    "total-blocking-time": "blocking",
    "cumulative-layout-shift": "shift",
    "total-byte-weight": "bytes",
}
PAGES = (
    *("front", "tables", "new", "rules", "about", "learn", "learn/build", "learn/messenger"),
    *("table", "replay", "puzzles", "puzzle", "analysis", "what-if", "ratings", "you"),
)


@dataclass(frozen=True)
class Result:
    """One report of Lighthouse on a page."""

    scores: dict[str, int]
    figures: dict[str, float]


def main() -> int:
    """Measure and print; fail if a page is below its target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lighthouse", default="npx --yes lighthouse@13", help="the command")
    parser.add_argument("--runs", type=int, default=3, help="of each page; the median counts")
    parser.add_argument("--only", action="append", choices=PAGES, help="can be repeated")
    parser.add_argument("--desktop", action="store_true", help="instead of a phone")
    parser.add_argument("--reports", type=Path, help="keep the reports in this folder")
    arguments = parser.parse_args()
    low = []
    with house() as (server, client):
        addresses = addresses_of(client, set(arguments.only or PAGES))
        print(f"{'page':16} scores{'':{max(0, 4 * arguments.runs - 5)}} {head()}")
        for name, path in addresses.items():
            runs = [
                ask(server.url + path, client, name, run, arguments)
                for run in range(arguments.runs)
            ]
            scores = [each.scores["performance"] for each in runs]
            others = {
                kind: min(each.scores[kind] for each in runs)
                for kind in CATEGORIES
                if min(each.scores[kind] for each in runs) < 100 and kind != "performance"
            }
            print(f"{name:16} {' '.join(f'{each:3}' for each in scores)}  {told(runs)}", end="")
            print(f"  {others}" if others else "", flush=True)
            if statistics.median(scores) < AIM:
                low.append(name)
    if low:
        print(f"below {AIM}: {', '.join(low)}")
    return 1 if low else 0


@contextmanager
def house() -> Iterator[tuple[ServerProcess, Client]]:
    """A server whose bots are ready, and a visitor."""
    with running_server() as server:
        client = Client(server.url)
        yield server, client
        client.close()


def addresses_of(client: Client, wanted: set[str]) -> dict[str, str]:
    """Return the paths of the pages; play the games that they need."""
    paths = {
        name: "/" if name == "front" else f"/{name}"
        for name in PAGES
        if name not in ("table", "replay", "analysis", "what-if", "puzzle")
    }
    paths["puzzle"] = f"/puzzle/{next(iter(shipped()))}"
    if "table" in wanted:
        table = client.play(client.create(bots(4, messengers=True)), turns=4)["table"]
        paths["table"] = f"/t/{table}"
    if wanted & {"replay", "analysis", "what-if"}:
        table = client.play(client.create(bots(3, messengers=True)))["table"]
        paths["replay"] = f"/replay/{table}"
        paths["analysis"] = f"/analysis/{table}"
        paths["what-if"] = f"/what-if?table={table}&at=12"
    if "analysis" in wanted:
        answer = client.http.post("/api/analyses", json={"table": table}).json()
        while answer["state"] in ("waiting", "running"):
            query = f"?after={answer['judged'] + 8}"
            answer = client.http.get(f"/api/analyses/{answer['key']}{query}").json()
    return {name: paths[name] for name in PAGES if name in wanted}


def ask(url: str, client: Client, name: str, run: int, arguments: argparse.Namespace) -> Result:
    """Run Lighthouse once."""
    cookie = "; ".join(f"{name}={value}" for name, value in client.http.cookies.items())
    command = [
        *shlex.split(arguments.lighthouse),
        url,
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(CATEGORIES)}",
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
        f"--extra-headers={json.dumps({'Cookie': cookie})}",
        *(["--preset=desktop"] if arguments.desktop else []),
    ]
    environment = {**os.environ, "CHROME_PATH": find_chromium()}
    answer = subprocess.run(command, check=True, capture_output=True, env=environment)
    report: dict[str, Any] = json.loads(answer.stdout)
    if arguments.reports:
        arguments.reports.mkdir(parents=True, exist_ok=True)
        file = arguments.reports / f"{name.replace('/', '-')}-{run + 1}.json"
        file.write_bytes(answer.stdout)
    return Result(
        {kind: round(100 * report["categories"][kind]["score"]) for kind in CATEGORIES},
        {each: report["audits"][each]["numericValue"] for each in FIGURES},
    )


def head() -> str:
    """Return the names of the figures."""
    return " ".join(f"{each:>11}" for each in FIGURES.values())


def told(runs: list[Result]) -> str:
    """Return the medians."""
    first, largest, blocking, shift, size = (
        statistics.median(each.figures[figure] for each in runs) for figure in FIGURES
    )
    times = f"{first / 1000:9.1f} s {largest / 1000:9.1f} s {blocking:8.0f} ms"
    return f"{times} {shift:11.3f} {size / 1000:8.0f} kB"


if __name__ == "__main__":
    sys.exit(main())
