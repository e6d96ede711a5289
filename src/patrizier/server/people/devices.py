"""Browser and system from the User-Agent, so that people recognise their devices."""

import re

_BROWSERS = (  # the first match counts; most also claim to be later ones
    ("Edge", re.compile(r"\bEdg(e|A|iOS)?/")),
    ("Opera", re.compile(r"\b(OPR|OPiOS|Opera)/")),
    ("Samsung Internet", re.compile(r"\bSamsungBrowser/")),
    ("Vivaldi", re.compile(r"\bVivaldi/")),
    ("Firefox", re.compile(r"\b(Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"\b(Chrome|CriOS|Chromium|HeadlessChrome)/")),
    ("Safari", re.compile(r"\bSafari/")),
    ("curl", re.compile(r"\bcurl/")),
    ("Python", re.compile(r"\bpython", re.IGNORECASE)),
)
_SYSTEMS = (
    ("iPhone", re.compile(r"\biPhone\b")),
    ("iPad", re.compile(r"\biPad\b")),
    ("Android", re.compile(r"\bAndroid\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("ChromeOS", re.compile(r"\bCrOS\b")),
    ("macOS", re.compile(r"\bMac OS X\b|\bMacintosh\b")),
    ("Linux", re.compile(r"\bLinux\b|\bX11\b")),
)
_LONGEST = 400  # characters read


def device_of(user_agent: str) -> str:
    """Return browser and system, as far as known; nothing else is kept.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox · Linux'
    >>> device_of("something else")
    ''
    """
    text = user_agent[:_LONGEST]
    found = (
        next((name for name, pattern in kinds if pattern.search(text)), "")
        for kinds in (_BROWSERS, _SYSTEMS)
    )
    return " · ".join(filter(None, found))
