"""What the documents name exists: files in the map of the project, and links between pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("training/*.md")])
ROOTS = (ROOT, ROOT / "src" / "patrizier", ROOT / "docs", ROOT / "web")
NAMED = re.compile(r"`((?:[\w.-]+/)+(?:[\w.-]+\.(?:py|ts|md|toml|json|svelte|c))?)`")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
ELSEWHERE = {  # made by a run of the tests, or files of other projects, named in comparisons
    "artefacts/durations.json",
    "server/transport/socketio.ts",
    "master/master.ts",
    "core/reducer.ts",
    "core/flow.ts",
    "master/filter-player-view.ts",
    "src/main/scala/",
    "chess/",
    "open_spiel/",
    "pgx/",
    "_src/games/NAME.py",
}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_named_files_are_there(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    named = {found for found in NAMED.findall(text) if found not in ELSEWHERE}
    server = ROOT / "src" / "patrizier" / "server" if page.name == "09-rooms.md" else ROOT
    missing = {
        each for each in named if not any((root / each).exists() for root in (*ROOTS, server))
    }
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    missing = {link for link in LINK.findall(text) if not (page.parent / link).exists()}
    assert not missing
