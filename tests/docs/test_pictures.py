"""The pictures of the documents: used, small, and taken by a script."""

import re

from docs.samples import DOCUMENTS, ROOT

PICTURES = sorted((ROOT / "docs" / "pictures").iterdir())
SCRIPT = (ROOT / "scripts" / "picture_the_docs.py").read_text("utf-8")

ELSEWHERE = {"table.png", "learning.svg"}  # picture_the_game.py, draw_learning.py


def test_every_picture_is_shown_with_words_for_who_cannot_see_it() -> None:
    text = "\n".join(page.read_text("utf-8") for page in DOCUMENTS)
    shown = dict(re.findall(r"!\[([^\]]*)\]\([^)]*pictures/([\w.-]+)\)", text))
    assert set(shown.values()) == {picture.name for picture in PICTURES}
    assert all(len(words) > 10 for words in shown)


def test_all_together_are_small() -> None:
    found = re.search(r"MOST_BYTES = ([\d_]+)", SCRIPT)
    assert found
    most = int(found[1])
    assert sum(picture.stat().st_size for picture in PICTURES) <= most
    page = (ROOT / "docs" / "project" / "documentation.md").read_text("utf-8")
    assert f"{most / 1e6:.1f} MB at most" in page


def test_the_script_takes_every_picture() -> None:
    for picture in PICTURES:
        if picture.name not in ELSEWHERE:
            assert f'"{picture.stem.split("-")[0]}": Studio.' in SCRIPT
