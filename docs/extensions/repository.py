"""Pages from outside `docs`, and links that leave it.

Documents are read in two places: in the repository, where links lead to files, and on the site,
where they lead to pages. Authors write for the first; this rewrites links for the second.
"""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent

# Where files of the repository are on the site; the page itself names its file.
PAGES = {
    "ARCHITECTURE.md": "explanation/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
    "README.md": "index.md",
    "training/README.md": "explanation/learning.md",
}
_FILES = {page: file for file, page in PAGES.items() if page != "index.md"}
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_LAST_LINE = re.compile(r"\n+(?=\n```$)", re.MULTILINE)  # doctest wants one, readers do not
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_COLLECTION = DOCS / "decisions"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    page = DOCS / f"{docname}.md"
    file = ROOT / _FILES.get(f"{docname}.md", f"docs/{docname}.md")
    text = source[0] if file == page else file.read_text("utf-8")
    if file != page:
        app.env.note_dependency(str(file))
    source[0] = rewrite(_LAST_LINE.sub("", text), file, page)
    if page == _COLLECTION / "README.md":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n[0-9]*\n```\n"


def rewrite(text: str, file: Path, page: Path) -> str:
    """Return the text of a file with its links rewritten for a page of the site."""

    def link(found: re.Match[str]) -> str:
        picture, label, target, anchor = found.groups(default="")
        place = _place(Path(os.path.normpath(file.parent / target)))
        if place is None:
            return label
        relative = os.path.relpath(place, page.parent)
        return f"{picture}[{label}]({Path(relative).as_posix()}{anchor})"

    parts = _CODE.split(text)  # code stands at odd places
    # A label may contain code, so links are matched with all other code taken out.
    kept = [part for index, part in enumerate(parts) if index % 2]
    masked = "".join(f"\0{index // 2}\0" if index % 2 else part for index, part in enumerate(parts))
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], _LINK.sub(link, masked))


def _place(target: Path) -> Path | None:
    """Return where a file of the repository is on the site, or None if it is not."""
    name = Path(os.path.relpath(target, ROOT)).as_posix()
    if name in PAGES:
        return DOCS / PAGES[name]
    return target if target.is_relative_to(DOCS) and target.exists() else None
