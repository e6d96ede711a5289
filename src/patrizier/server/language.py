"""The reader's language: as chosen on the page, else as the browser prefers.

The page keeps the choice in a cookie. The server stores everybody's last language
(`Person.language`), because e-mails are written without a request.
"""

from patrizier.printing.texts import LANGUAGES
from patrizier.printing.texts import Language as Language

COOKIE = "patrizier-language"
DEFAULT: Language = "en"
_MOST_RANGES = 20  # of the header that are read


def known(text: str) -> Language | None:
    """Return the supported language of a code with or without country; None for others.

    >>> known("de-AT"), known("fr")
    ('de', None)
    """
    code = text.strip()[:2].lower()
    separate = text.strip()[2:3] in ("", "-", "_")
    return code if code in LANGUAGES and separate else None


def preferred(chosen: str, accepted: str) -> Language | None:
    """Return the language of the cookie, or the best of an Accept-Language header; None if neither.

    >>> preferred("", "fr, en;q=0.3, it-CH;q=0.8")
    'it'
    """
    if found := known(chosen):
        return found
    ranges = (each.partition(";") for each in accepted.split(",")[:_MOST_RANGES])
    wanted = [(_quality(rest), known(name)) for name, _, rest in ranges]
    best = max((quality for quality, language in wanted if language), default=0.0)
    return next(
        (language for quality, language in wanted if language and quality == best > 0), None
    )


def _quality(parameters: str) -> float:
    """Return the quality value of a language: 1 by default, 0 if malformed."""
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(1.0, max(0.0, float(value)))
    except ValueError:
        return 0.0
