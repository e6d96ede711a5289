"""Moves inline scripts and styles of the pages into files.

The server's `Content-Security-Policy` allows neither inline, and the theme writes both. An external
script runs at the same place in the same order, so nothing else changes.
"""

import re
from hashlib import sha256
from pathlib import Path

from sphinx.application import Sphinx

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_STYLED = re.compile(r'(<\w[^<>]*?)\sstyle="([^"]*)"([^<>]*>)')
_CLASS = re.compile(r'\sclass="([^"]*)"')
_FORBIDDEN = re.compile(r"""<script(?![^>]*\ssrc=)|<style|<[^<>]*\s(?:style|on\w+)=["']""")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", _clean)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _clean(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        clean(Path(app.outdir))


def clean(site: Path) -> None:
    """Clean all pages of a site; RuntimeError names a page with something left."""
    for page in sorted(site.rglob("*.html")):
        text = page.read_text("utf-8")
        up = "../" * (len(page.relative_to(site).parts) - 1)

        def script(found: re.Match[str], up: str = up) -> str:
            return f'<script src="{up}{_file(site, found[1], "js")}"></script>'

        def style(found: re.Match[str], up: str = up) -> str:
            return f'<link rel="stylesheet" href="{up}{_file(site, found[1], "css")}">'

        text, rules = _move_styles(_STYLE.sub(style, _SCRIPT.sub(script, text)))
        if rules:
            sheet = _file(site, "".join(sorted(rules)), "css")
            link = f'<link rel="stylesheet" href="{up}{sheet}">\n</head>'
            text = text.replace("</head>", link, 1)
        if left := _FORBIDDEN.search(text):
            raise RuntimeError(f"{page}: a content policy would forbid {left[0]!r}")
        page.write_text(text, "utf-8")


def _file(site: Path, text: str, ending: str) -> str:
    """Write a text into a file named by its hash; return its URL within the site."""
    name = f"_static/{_name(text)}.{ending}"
    (site / name).write_text(text, "utf-8")
    return name


def _move_styles(text: str) -> tuple[str, set[str]]:
    """Return a page with classes instead of styles, and the rules of these classes."""
    rules = set()

    def move(found: re.Match[str]) -> str:
        before, style, after = found.groups()
        name = f"s-{_name(style)}"
        rules.add(f".{name} {{ {style} }}\n")
        if _CLASS.search(before + after):
            return _CLASS.sub(lambda it: f' class="{it[1]} {name}"', before + after, count=1)
        return f'{before} class="{name}"{after}'

    return _STYLED.sub(move, text), rules


def _name(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
