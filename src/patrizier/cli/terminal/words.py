"""Cards, cities and points in words, short and long."""

from patrizier.rules.board import CITIES, CITY_INDEX
from patrizier.rules.deck import NOBLES, Deck, Face
from patrizier.rules.score import SET_SIZE
from patrizier.sums import Sums

_PLURALS = {"L": "Ladies", "B": "Bankers", "K": "Knights"}
_POWERS = {"2": "2 floors", "?": "free draw", ">": "move"}
_LONG_POWERS = {"2": "two floors", "?": "free draw", ">": "move a floor"}
_ACTIONS = {
    "2": "build two floors",
    "?": "take any card",
    ">": "move a floor",
}


def city_name(code: str) -> str:
    """Return the name of a city, or of the city of a card."""
    return CITIES[CITY_INDEX[code[:2]]].name


def face_short(face: Face) -> str:
    """Return what a card shows, in at most eleven letters: ``2 Ladies``, ``Banker ★``."""
    text = _POWERS.get(face.text[0]) or _heads(face, "2")
    return text + (" ★" if face.star else "")


def face_long(face: Face) -> str:
    """Return what a card shows as part of a sentence: ``two Ladies``, ``a Banker and a star``."""
    text = _LONG_POWERS.get(face.text[0]) or _heads(face, "two", "a ")
    return text + (" and a star" if face.star else "")


def face_action(face: Face) -> tuple[str, str]:
    """Return a card's symbol and what it does: ``>`` and ``move a floor``."""
    symbol = face.text.rstrip("*")
    return symbol, _ACTIONS.get(symbol) or _heads(face, "two", "a ")


def card_text(card: str, deck: Deck) -> str:
    """Return a card as its city and what it shows: ``Bologna, 2 Ladies``."""
    return f"{city_name(card)}, {face_short(deck[card])}"


def portraits_text(heads: dict[str, int]) -> str:
    """Return the portraits on a pile: ``2 Ladies, 1 Knight``."""
    parts = [f"{count} {noble_text(noble, count)}" for noble, count in heads.items() if count]
    return ", ".join(parts) or "no portraits"


def noble_text(noble: str, count: int) -> str:
    """Return a noble, or several: ``Lady``, ``Ladies``."""
    return NOBLES[noble] if count == 1 else _PLURALS[noble]


def _heads(face: Face, two: str, one: str = "") -> str:
    assert face.noble is not None
    return f"{two} {_PLURALS[face.noble]}" if face.heads == 2 else one + NOBLES[face.noble]


def count(number: int, noun: str) -> str:
    """Return a number and its noun: ``1 card``, ``2 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def join(parts: list[str]) -> str:
    """Return parts as people list them: ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def sums_text(sums: Sums) -> str:
    """Return the points so far, and the portraits: ``9 points · 2 Ladies, 1 short``."""
    parts = [count(sums.total, "point")]
    for each in sums.portraits:
        if each.heads:
            worth = f": {each.points}" if each.points else ""
            short = f", {each.missing} short" if each.missing < SET_SIZE else ""
            parts.append(f"{each.heads} {noble_text(each.noble, each.heads)}{worth}{short}")
    return " · ".join(parts)
