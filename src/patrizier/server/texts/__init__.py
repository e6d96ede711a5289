"""The server's own texts for people: e-mails and plain pages, one file per language.

The page's texts are in `web/src/texts`; English texts for programs are in `reasons`. Here is no
markup, and nothing about who reads: templates are filled in by `mail` and `http/pages`.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from patrizier.server.language import Language


@cache
def words(language: Language) -> Mapping[str, str]:
    """Return all texts in one language, by names such as `turn.subject`.

    >>> words("nl")["turn.subject"]
    'Patrizier: het is jouw beurt'
    """
    parts = tomllib.loads(files(__package__).joinpath(f"{language}.toml").read_text("utf-8"))
    return MappingProxyType(
        {
            f"{part}.{name}": text.strip()
            for part, texts in parts.items()
            for name, text in texts.items()
        }
    )
