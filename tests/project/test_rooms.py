"""Rooms stay small and their modules nouns, and the comparison with other projects counts right."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE, PAGE = ROOT / "src" / "patrizier", ROOT / "web" / "src"
DECISION = ROOT / "docs" / "decisions" / "09-rooms.md"
COMPARISON = ROOT / "docs" / "explanation" / "comparison.md"
LARGEST = 15  # modules in a room, but for the exceptions of the decision
MODULES = {".py", ".ts", ".svelte"}
NOUNS = {
    "decoding",
    "drawing",
    "encoding",
    "ending",
    "evening",
    "heading",
    "missing",  # the page that does not exist
    "opening",
    "printing",
    "ranking",
    "rating",
    "scoring",
    "sitting",
    "standing",
}


def modules(room: Path) -> list[str]:
    """Return the names of the modules that lie in a room itself."""
    return [
        file.name.partition(".")[0]
        for file in room.iterdir()
        if file.suffix in MODULES and file.name != "__init__.py" and not file.name.endswith(".d.ts")
    ]


def rooms() -> dict[str, list[str]]:
    """Return all rooms of the package and the page with their modules."""
    folders = [file.parent for file in PACKAGE.rglob("__init__.py")]
    folders += [PAGE, *(folder for folder in PAGE.rglob("*") if folder.is_dir())]
    return {f"{folder.relative_to(ROOT)}/": modules(folder) for folder in folders}


def screens() -> list[str]:
    """Return the rooms that hold screens and pages, from the page's import contracts."""
    text = (ROOT / "web" / "eslint.config.js").read_text("utf-8")
    block = re.search(r"^const SCREENS = \{\n(.*?)^\};", text, re.MULTILINE | re.DOTALL)
    assert block
    return re.findall(r"^  '?([\w/]+)'?:", block[1], re.MULTILINE)


def gerunds(names: list[str]) -> list[str]:
    """Return the modules named by what is done in them, not by what they are about."""
    last_words = {name: re.findall(r"[A-Z]?[a-z]+", name)[-1].lower() for name in names}
    return [name for name, word in last_words.items() if word.endswith("ing") and word not in NOUNS]


def test_large_rooms_are_those_that_the_decision_explains() -> None:
    table = DECISION.read_text("utf-8").partition("| room | why |\n|---|---|\n")[2]
    cells = [line.split("|")[1] for line in table.partition("\n\n")[0].splitlines()]
    explained = set(re.findall(r"`([\w/]+/)`", " ".join(cells)))
    large = {room for room, names in rooms().items() if len(names) > LARGEST}
    assert large == explained


@pytest.mark.parametrize(
    ("name", "found"),
    [("stepping", True), ("turn_handling", True), ("GameTurning", True), ("puzzle_sitting", False)],
)
def test_gerunds_are_found(name: str, found: bool) -> None:
    assert bool(gerunds([name])) is found


def test_modules_are_named_by_nouns() -> None:
    found = {room: gerunds(names) for room, names in rooms().items() if gerunds(names)}
    assert not found


def row(name: str, occurrence: int = 0) -> list[str]:
    """Return the cells of a row of the comparison."""
    rows = [
        line.strip("| ").split(" | ")
        for line in COMPARISON.read_text("utf-8").splitlines()
        if line.startswith(f"| {name} |")
    ]
    return rows[occurrence][1:]


def files(text: str) -> list[str]:
    """Return the files that a text names, in order."""
    return re.findall(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|ts|svelte))`", text)


def test_the_comparison_counts_the_page_right() -> None:
    largest = max(len(rooms()[f"web/src/{screen}/"]) for screen in screens())
    assert row("largest room of a screen")[-1] == str(largest)
    named = [name for room, names in rooms().items() if room.startswith("web/") for name in names]
    assert row("modules named by gerunds")[-1] == str(len(gerunds(named)))


def test_the_comparison_counts_files_right() -> None:
    ways_in, ways_out = (files(row(f"files on the way {way}")[-1]) for way in ("in", "out"))
    folders = [file.partition("/")[0] for file in (*ways_in, *ways_out)]
    rules, store = folders.count("rules"), folders.count("store")
    told = f"{len(ways_in)} and {len(ways_out)}: {rules} of them are the rules, {store} the store"
    assert row("files, in and out")[-1] == told
    walk_in, walk_out = (files(part) for part in row("the walk")[-1].split("out by"))
    longest = max(
        len((PACKAGE / file).read_text("utf-8").splitlines()) for file in (*walk_in, *walk_out)
    )
    told = rf"{len(walk_in)} in, {len(walk_out)} out; none over (\d+) lines"
    count = re.fullmatch(told, row("files")[-1])
    assert count
    assert longest <= int(count[1])


def test_the_comparison_counts_a_click_right() -> None:
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    text = COMPARISON.read_text("utf-8").partition("A click passes")[2].partition("What comes")[0]
    assert f"same {words[len(files(text)) - 1]} files" in text
