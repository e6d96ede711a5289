"""Which of the network's outputs belong to a decision: told a second time, from its text."""

from patrizier import State
from patrizier.bots.learned.features import taller_of
from patrizier.bots.learned.inputs import ONE_OUTPUT
from patrizier.rules.board import CARDS, CITY_INDEX, MAX_CITIES

_NO_MOVE, _MOVES = 15, 16  # after five ways for each of three cards
_DRAWS = _MOVES + 2 * MAX_CITIES
_NO_MESSENGER, _POSTS = _DRAWS + MAX_CITIES, _DRAWS + MAX_CITIES + 1
_WAYS = {"H": 0, "L": 1, "HH": 2, "HL": 3, "LH": 3, "LL": 4}  # higher or lower tower


def rank_of(state: State, city: int, side: str) -> str:
    """Return whether a site has the higher tower or the lower; equal towers by their owners."""
    left, right = (int(height) for height in state.record.heights[city])
    higher = "LR"[taller_of(state.record, city)] if left == right else "LR"[right > left]
    return "H" if side == higher else "L"


def outputs_by_text(state: State, code: int) -> tuple[int, int]:
    """Return the outputs of a legal decision, for a seat that sees its hand sorted by name."""
    text = state.decision_text(code)
    if text in (">", "@"):
        return (_NO_MOVE if text == ">" else _NO_MESSENGER), ONE_OUTPUT
    if text[0] == ">":
        city = CITY_INDEX[text[1:3]]
        return _MOVES + 2 * city + "HL".index(rank_of(state, city, text[-1])), ONE_OUTPUT
    if text[0] == "+":
        return _DRAWS + CITY_INDEX[text[1:]], ONE_OUTPUT
    if text[0] == "@":
        one, two = (CITY_INDEX[code] for code in text[1:].split("-"))
        return _POSTS + one, _POSTS + two
    card, _, sides = text.partition(":")
    held = [CARDS[held] for held in state.record.hands[int(state.record.seat)] if held >= 0]
    slot = sorted(held, key=CARDS.index).index(card)
    way = "".join(rank_of(state, CITY_INDEX[card[:2]], side) for side in sides)
    return 5 * slot + _WAYS[way], ONE_OUTPUT
