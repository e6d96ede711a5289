"""Why a move is not allowed, in one sentence."""

from patrizier.move import Move
from patrizier.rules.board import (
    CARD_INDEX,
    CITIES,
    CITY_INDEX,
    EDGE_INDEX,
    PISTOIA,
    SITES,
)
from patrizier.rules.codes import SITE_TEXTS
from patrizier.rules.deck import FREE_DRAW, SPECIAL_ACTION, STAR
from patrizier.rules.state import AT_BUILT_CITY, NONE, WITH_MESSENGERS, Cells
from patrizier.state import crests_of


def why_illegal(cells: Cells, move: Move) -> str:
    """Return the first rule that a move breaks at the start of a turn."""
    return (
        _why_not_build(cells, move)
        or _why_not_move(cells, move)
        or _why_not_draw(cells, move)
        or _why_not_post(cells, move)
        or "this turn is not possible here"
    )


def _city(code: str) -> tuple[int, str]:
    index = CITY_INDEX[code]
    return index, CITIES[index].name


def _why_not_build(cells: Cells, move: Move) -> str | None:
    state, card = cells[0], CARD_INDEX[move.card]
    hand = state.hands[int(state.seat)].tolist()
    if card not in hand:
        return f"{move.card} is not in the hand of seat {int(state.seat) + 1}"
    crests = crests_of(cells, card)
    if len(move.sites) != crests:
        ways = SITE_TEXTS[crests - 1]
        floors = "two floors" if crests == 2 else "one floor"
        return f"{move.card} builds {floors}: write {', '.join(ways[:-1])} or {ways[-1]}"
    city, name = _city(move.card[:2])
    if int(state.missing[city]) == crests:
        for site in range(2):
            if state.heights[city, site] == 0 and SITES[site] not in move.sites:
                side = ("left", "right")[site]
                return f"each tower needs a floor: the last one in {name} goes to the {side} site"
    return None


def _why_not_move(cells: Cells, move: Move) -> str | None:
    if move.moved is None:
        return None
    state, (city, name) = cells[0], _city(move.moved[:2])
    seat = int(state.seat)
    if not int(state.faces[CARD_INDEX[move.card]]) & SPECIAL_ACTION:
        return f"{move.card} does not show the special action"
    if city == CITY_INDEX[move.card[:2]]:
        return f"the special action may not touch {name}, the city just built in"
    if state.winners[city, 0] != NONE:
        return f"{name} has already been scored"
    if state.counts[city, :, seat].sum() == 0:
        return f"you own no floor in {name}"
    if state.heights[city, SITES.index(move.moved[3])] == 0:
        return f"there is no floor to move on that site of {name}"
    return None


def _why_not_draw(cells: Cells, move: Move) -> str | None:
    state, card = cells[0], CARD_INDEX[move.card]
    city, name = _city(move.card[:2])
    lying = (state.display != NONE).any()
    shows_free = bool(int(state.faces[card]) & FREE_DRAW)
    free = shows_free or state.display[city] == NONE
    if move.draw is None:
        if free and lying:
            reason = f"{move.card} shows ?" if shows_free else f"no card lies at {name}"
            return f"{reason}: name the city to draw from, like +{_first_lying(cells)}"
        return None
    if not lying:
        return "no card lies face up, so none is drawn"
    if not free:
        return f"the draw is not free: the card at {name} is taken without writing it"
    if state.display[CITY_INDEX[move.draw]] == NONE:
        return f"no card lies at {_city(move.draw)[1]}"
    return None


def _first_lying(cells: Cells) -> str:
    return next(c.code for c, card in zip(CITIES, cells[0].display, strict=True) if card != NONE)


def _why_not_post(cells: Cells, move: Move) -> str | None:
    if move.messenger is None:
        return None
    state = cells[0]
    if not int(state.rules) & WITH_MESSENGERS:
        return "this game is played without messengers"
    if not int(state.faces[CARD_INDEX[move.card]]) & STAR:
        return f"{move.card} has no star, and only star cards send a messenger"
    if state.messengers_left[int(state.seat)] == 0:
        return "you have no messenger left"
    ends = [_city(code) for code in move.messenger.split("-")]
    if move.messenger not in EDGE_INDEX:
        return f"{ends[0][1]} and {ends[1][1]} are not neighbours"
    if state.messengers[EDGE_INDEX[move.messenger]]:
        return f"a messenger already lies between {ends[0][1]} and {ends[1][1]}"
    for city, name in ends:
        if city == PISTOIA and int(state.players) < 5:
            return "Pistoia is in play with five players only"
        if city == CITY_INDEX[move.card[:2]] and not int(state.rules) & AT_BUILT_CITY:
            return f"a messenger may not lie at {name}, the city just built in"
        if state.messengers_at[city] >= 2:
            return f"{name} already has two messengers"
    return None
