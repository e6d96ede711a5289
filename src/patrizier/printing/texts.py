"""The texts on the sheets, in four languages."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

Language = Literal["en", "de", "nl", "it"]
Texts = Mapping[str, str]

LANGUAGES: tuple[Language, ...] = ("en", "de", "nl", "it")

_BEFORE_UNIT = re.compile(r"(?<=\d) (?=mm\b|g\b|%|×)|(?<=×) (?=\d)")


@cache
def texts(language: Language) -> Texts:
    """Return all texts of a language, by keys such as `turn.step_1`.

    >>> texts("it")["messengers.title"]
    'I messaggeri'
    """
    file = files("patrizier.printing").joinpath("texts", f"{language}.toml")
    parts = tomllib.loads(file.read_text("utf-8"))
    return MappingProxyType(
        {
            f"{part}.{name}": glued(text)
            for part, words in parts.items()
            for name, text in words.items()
        }
    )


def glued(text: str) -> str:
    r"""Put no-break spaces between numbers and units.

    >>> glued("a bar of 50 mm") == "a bar of 50\N{NO-BREAK SPACE}mm"
    True
    """
    return _BEFORE_UNIT.sub("\u00a0", text)


def numbered(words: Texts, start: str) -> list[str]:
    """Return the texts whose keys are a prefix and a number, in order."""
    return [words[name] for name in sorted(words) if name.startswith(f"{start}_")]
