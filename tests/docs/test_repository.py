"""Links that are right in the repository are right on the site."""

from pathlib import Path

import pytest
import repository
from repository import DOCS, ROOT, rewrite


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[rules](docs/rules.md)", "[rules](../rules.md)"),
        ("[rules](docs/rules.md#a-turn)", "[rules](../rules.md#a-turn)"),
        ("[map](ARCHITECTURE.md)", "[map](architecture.md)"),
        ("[help](CONTRIBUTING.md)", "[help](../project/contributing.md)"),
        ("![table](docs/pictures/table.png)", "![table](../pictures/table.png)"),
        ("[licence](LICENSE) and [tests](tests/browser)", "licence and tests"),
        ("[gone](docs/never-was.md)", "gone"),
        ("[here](#below)", "[here](#below)"),
        ("[site](https://example.org/)", "[site](https://example.org/)"),
        ("[`code`](docs/rules.md) and `[code](docs/rules.md)`",
         "[`code`](../rules.md) and `[code](docs/rules.md)`"),
        ("```text\n[code](docs/rules.md)\n```", "```text\n[code](docs/rules.md)\n```"),
    ],
)  # fmt: skip
def test_links(text: str, expected: str) -> None:
    page = DOCS / "explanation" / "architecture.md"
    assert rewrite(text, ROOT / "ARCHITECTURE.md", page) == expected


def test_every_page_that_shows_a_file_says_so() -> None:
    for file, page in repository.PAGES.items():
        assert (ROOT / file).is_file()
        text = (DOCS / page).read_text("utf-8")
        if page != "index.md":
            assert text == f"The site shows [{file}](../../{file}) here.\n"
    shown = {DOCS / page for page in repository.PAGES.values()}
    assert all(Path(page).is_file() for page in shown)
