"""What the documents name exists: files in the map of the project, and links between pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
    server = ROOT / "src" / "patrizier" / "server" if page.name == "comparison.md" else ROOT
    missing = {
        each for each in named if not any((root / each).exists() for root in (*ROOTS, server))
    }
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    missing = {link for link in LINK.findall(text) if not (page.parent / link).exists()}
    assert not missing


def test_the_map_shows_every_room() -> None:
    package, page = ROOT / "src" / "patrizier", ROOT / "web" / "src"
    rooms = [
        file.parent
        for folder in (package, package / "server")
        for file in folder.glob("*/__init__.py")
    ]
    rooms += [folder for folder in page.iterdir() if folder.is_dir()]
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = set(re.findall(r"[a-z]+", text.partition("## Five core ideas")[0]))
    assert len(rooms) > 40
    assert not {room.name for room in rooms} - named


@pytest.mark.parametrize("page", [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"], ids=name)
def test_modules_named_without_a_path_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    named = set(re.findall(r"`([\w.-]+\.(?:py|ts|svelte|toml|json))`", text))
    sources = {
        file.name
        for folder in ("src", "web", "tests", "scripts")
        for file in (ROOT / folder).rglob("*.*")
    }
    sources |= {file.name for file in ROOT.iterdir()}
    assert named
    assert not named - sources
