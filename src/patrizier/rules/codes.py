"""Decisions as small integers: one fixed numbering for every game.

=========  ===============================================  =======================
code       decision                                         as text
=========  ===============================================  =======================
0-164      build: card * 3 + floors on the right site       ``BO4:L`` ``BO1:LR``
165        no special action                                ``>``
166-185    special action: top floor of a city's tower      ``>MI.R``
186-195    free draw: the card of a city                    ``+FI``
196        no messenger                                     ``@``
197-208    messenger between two neighbours                 ``@MI-PA``
=========  ===============================================  =======================
"""

from patrizier.rules.board import CARD_INDEX, CARDS, CITIES, CITY_INDEX, CODES, EDGE_INDEX, EDGES

STEPS = ("build", "move", "draw", "messenger")  # the phases of a turn with a decision
WAYS = 3  # to lay the floors of a card: none, one or two of them on the right site
SITE_TEXTS = (("L", "R"), ("LL", "LR", "RR"))  # by crests - 1, then by way

BUILD = 0
NO_MOVE = BUILD + WAYS * len(CARDS)
MOVE = NO_MOVE + 1
DRAW = MOVE + 2 * len(CITIES)
NO_MESSENGER = DRAW + len(CITIES)
MESSENGER = NO_MESSENGER + 1
DECISIONS = MESSENGER + len(EDGES)  # size of the decision space
MOST_DECISIONS = 22  # at most 21 are legal at once, plus one spare


def step_of(code: int) -> str:
    """Return the phase in which a decision is taken.

    >>> step_of(0), step_of(NO_MOVE), step_of(DRAW), step_of(MESSENGER)
    ('build', 'move', 'draw', 'messenger')
    """
    return STEPS[(code >= NO_MOVE) + (code >= DRAW) + (code >= NO_MESSENGER)]


def decision_text(code: int, crests: int = 1) -> str:
    """Return a decision as text; ``crests`` of the card for a build.

    >>> decision_text(0, crests=2), decision_text(165), decision_text(DRAW + 2)
    ('BO1:LL', '>', '+FI')
    """
    if not 0 <= code < DECISIONS:
        raise ValueError(f"{code} is not a decision: they run from 0 to {DECISIONS - 1}")
    if code < NO_MOVE:
        return f"{CARDS[code // WAYS]}:{SITE_TEXTS[crests - 1][code % WAYS]}"
    if code < DRAW:
        return ">" if code == NO_MOVE else f">{tower_text(code - MOVE)}"
    if code < NO_MESSENGER:
        return f"+{CODES[code - DRAW]}"
    return "@" if code == NO_MESSENGER else f"@{EDGES[code - MESSENGER]}"


def decision_code(text: str) -> int:
    """Return the code of a decision's text; ValueError if it has none.

    >>> decision_code("BO1:LL"), decision_code(">MI.R"), decision_code("@")
    (0, 175, 196)
    """
    try:
        if text in (">", "@"):
            return NO_MOVE if text == ">" else NO_MESSENGER
        if text[0] == ">":
            return MOVE + tower_index(text[1:])
        if text[0] == "+":
            return DRAW + CITY_INDEX[text[1:]]
        if text[0] == "@":
            return MESSENGER + EDGE_INDEX[text[1:]]
        card, sites = text.split(":")
        return build_code(card, sites)
    except (KeyError, IndexError, ValueError):
        raise ValueError(f"{text!r} is not a decision") from None


def build_code(card: str, sites: str) -> int:
    """Return the code of a build."""
    way = SITE_TEXTS[len(sites) - 1].index(sites)
    return BUILD + WAYS * CARD_INDEX[card] + way


def tower_text(tower: int) -> str:
    """Return a tower (city * 2 + site) as text: ``MI.R``."""
    return f"{CODES[tower // 2]}.{'LR'[tower % 2]}"


def tower_index(text: str) -> int:
    """Return a tower's number: city * 2 + site."""
    city, site = text.split(".")
    return 2 * CITY_INDEX[city] + "LR".index(site)
