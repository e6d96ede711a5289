"""What the rules bar in a turn, worked out from a view independently of the engine."""

from patrizier import View
from patrizier.rules.board import EDGES


def truths(view: View, card: str) -> dict[str, list[str]]:
    """Return everything that bars each step from a turn with this card, as codes; [] if nothing."""
    found = {f"{card}:{sites}": _builds(view, card, sites) for sites in _ways(view, card)}
    for city in view.cities:
        towers = (("L", city.left), ("R", city.right))
        found |= {f">{city.code}.{site}": _moves(view, card, city.code, t) for site, t in towers}
        found[f"+{city.code}"] = _draws(view, card, city.code)
    on_board = [pair for pair in EDGES if set(pair.split("-")) <= {c.code for c in view.cities}]
    return found | {f"@{pair}": _pairs(view, card, pair) for pair in on_board}


def _face(view: View, card: str) -> str:
    return view.options.deck[card].text


def _ways(view: View, card: str) -> tuple[str, ...]:
    return ("LL", "LR", "RR") if "2" in _face(view, card) else ("L", "R")


def _builds(view: View, card: str, sites: str) -> list[str]:
    city = next(each for each in view.cities if each.code == card[:2])
    left, right = len(city.left) + sites.count("L"), len(city.right) + sites.count("R")
    return ["must-fill-site"] * (left + right == city.capacity and 0 in (left, right))


def _moves(view: View, card: str, code: str, tower: tuple[int, ...]) -> list[str]:
    city = next(each for each in view.cities if each.code == code)
    bars = {
        "built-here": code == card[:2],
        "scored": city.winners is not None,
        "no-floor": view.seat not in city.left + city.right,
        "empty-site": not tower,
    }
    return [bar for bar, holds in bars.items() if holds]


def _draws(view: View, card: str, code: str) -> list[str]:
    lying = {city.code for city in view.cities if city.card}
    bars = {
        "no-card": code not in lying,
        "forced-draw": card[:2] in lying and "?" not in _face(view, card),
    }
    return [bar for bar, holds in bars.items() if holds]


def _pairs(view: View, card: str, pair: str) -> list[str]:
    at = {city.code: city.messengers for city in view.cities}
    bars = {
        "messenger-pair": pair in view.messengers,
        "messenger-two": any(at[code] == 2 for code in pair.split("-")),
        "messenger-city-built": card[:2] in pair.split("-")
        and "messenger-at-built-city" not in view.options.rules,
    }
    return [bar for bar, holds in bars.items() if holds]
