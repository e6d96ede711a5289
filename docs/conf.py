"""Sphinx configuration of the documentation site (`make docs`)."""

import sys
from importlib.util import find_spec
from pathlib import Path

from patrizier import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "Patrizier"
author = "the contributors to Patrizier"
project_copyright = "the contributors to Patrizier, MIT licence"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "repository",  # pages from outside this folder, and links that leave it
    "generated",  # references of command line, HTTP and views, from the program
    "fields",  # trailing comments document fields
    "no_inline",  # the server's content security policy applies to the site too
]
exclude_patterns = ["extensions", "static"]
default_role = "py:obj"  # docstrings put names in single backticks
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", ".*"),  # not every name in backticks is documented
    ("py:.*", r"(np|npt|numpy|collections|pathlib|typing|types|enum)\..*"),  # of other projects
    ("py:.*", "(Any|Path|Seed|Iterable|Iterator|Sequence|Callable|abc.ABC)"),
    ("py:.*", r"(Env|VectorEnv|AECEnv|Space|Policy|Observation|Opponents)"),
    ("py:.*", r"(gymnasium|pettingzoo|pyspiel|pybind11|patrizier\.bridges)\..*"),
]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

linkcheck_ignore = [r"http://127\.0\.0\.1.*"]  # the reader's own server

# OpenSpiel is large and not available on every system; its bridge is documented without it.
autodoc_mock_imports = [] if find_spec("pyspiel") else ["pyspiel"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "Patrizier"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "../web/public/icon.svg"
html_copy_source = False
html_show_sphinx = False

# The colours of the page, so that game and site match.
_NAMES = (
    "background-primary", "background-secondary", "background-hover", "background-border",
    "foreground-primary", "foreground-secondary", "foreground-muted", "foreground-border",
    "brand-primary", "brand-content", "brand-visited",
    "code-background", "api-background", "highlight-on-target",
)  # fmt: skip
_LIGHT = (
    "#fbf5ea", "#f4eadb", "#efe2cc", "#dccbb0", "#2a2320", "#5d5142", "#675a49", "#85755f",
    "#85590f", "#85590f", "#7a4b2a", "#f4eadb", "#f4eadb", "#f6e3b4",
)  # fmt: skip
_DARK = (
    "#1c1815", "#221d18", "#2c2620", "#40372d", "#f0e6d6", "#cbbda9", "#b9ab97", "#857763",
    "#e6bd6c", "#e6bd6c", "#d8a77c", "#251f1a", "#251f1a", "#4e3f23",
)  # fmt: skip


def _variables(colours: tuple[str, ...]) -> dict[str, str]:
    return {f"color-{name}": colour for name, colour in zip(_NAMES, colours, strict=True)}


html_theme_options = {
    "light_css_variables": {**_variables(_LIGHT), "font-stack": "system-ui, sans-serif"},
    "dark_css_variables": _variables(_DARK),
    "top_of_page_buttons": [],
}
