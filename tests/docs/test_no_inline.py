"""Pages of the site keep to the server's content policy."""

from pathlib import Path

import pytest
from no_inline import clean

PAGE = """<html><head><style>b { color: red }</style></head>
<body style="display: none"><script>let x = 1;</script><script src="a.js"></script>
<p class="big" style="opacity: 50%">&lt;p style="x"&gt;</p></body></html>
"""


def make(site: Path, name: str, text: str = PAGE) -> Path:
    page = site / name
    page.parent.mkdir(parents=True, exist_ok=True)
    (site / "_static").mkdir(exist_ok=True)
    page.write_text(text, "utf-8")
    return page


def test_scripts_and_styles_move_into_files(tmp_path: Path) -> None:
    page = make(tmp_path, "deep/down.html")
    make(tmp_path, "index.html")
    clean(tmp_path)
    text = page.read_text("utf-8")
    assert "<style" not in text
    assert "let x" not in text
    assert '<script src="a.js"></script>' in text
    assert '&lt;p style="x"&gt;' in text  # only a text
    (script,) = (tmp_path / "_static").glob("*.js")
    assert script.read_text("utf-8") == "let x = 1;"
    assert f'<script src="../_static/{script.name}"></script>' in text
    sheets = {file.read_text("utf-8") for file in (tmp_path / "_static").glob("*.css")}
    assert "b { color: red }" in sheets
    (rules,) = sheets - {"b { color: red }"}
    for style in ("display: none", "opacity: 50%"):
        (name,) = [line.split()[0][1:] for line in rules.splitlines() if style in line]
        assert name in text
    assert 'class="big s-' in text


def test_cleaning_twice_changes_nothing(tmp_path: Path) -> None:
    page = make(tmp_path, "index.html")
    clean(tmp_path)
    text, files = page.read_text("utf-8"), sorted((tmp_path / "_static").iterdir())
    clean(tmp_path)
    assert page.read_text("utf-8") == text
    assert sorted((tmp_path / "_static").iterdir()) == files


@pytest.mark.parametrize("left", ['<p onclick="x()">', '<script type="module">x()</script>'])
def test_what_cannot_be_moved_is_an_error(tmp_path: Path, left: str) -> None:
    make(tmp_path, "index.html", f"<html><head></head><body>{left}</body></html>")
    with pytest.raises(RuntimeError, match=r"index\.html: a content policy would forbid"):
        clean(tmp_path)
