"""Facts about the cards on display: the use to others of the card taken, and of those left.

What others know and hold is not guessed: a card is left to the next seat only if it was seen to
take another one that lets it draw this card.
"""

from collections.abc import Iterator

from patrizier.analysis.facts import Fact, fact
from patrizier.prospects import answers_in, bare
from patrizier.rules.board import CITY_INDEX
from patrizier.rules.state import NONE
from patrizier.state import State
from patrizier.sums import Portraits
from patrizier.view import CityView, SeatView, View

_FAR = 1 / 4  # what points weigh that need two more turns


def display_facts(view: View, after: State) -> Iterator[Fact]:
    """Yield what others could do with cards on display; cards turned up are ignored."""
    assert view.viewer is not None
    later = after.view(view.viewer)
    taken = set(later.seats[view.viewer].hand) - set(view.seats[view.viewer].hand)
    for card in sorted(taken):
        yield from _kept(view, after, card)
    for before, city in zip(view.cities, later.cities, strict=True):
        if city.card is not None and city.card == before.card:
            yield from _left(view, after, city)


def most_points(after: State, seat: int, card: str) -> int:
    """Return the most points that a seat could take with a card by completing its city."""
    city = CITY_INDEX[card[:2]]
    if after.record["winners"][city, 0] >= 0:
        return 0
    found = answers_in(bare(after), city, NONE - 1, [(seat, card)])
    return max((answer.points for answer in found), default=0)


def _kept(view: View, after: State, card: str) -> Iterator[Fact]:
    """Yield what the card taken keeps from others: to complete its city, and to complete a set."""
    assert view.viewer is not None
    others = [
        (view.viewer + ahead) % view.options.players for ahead in range(1, view.options.players)
    ]
    others = [seat for seat in others if view.seats[seat].hand or view.seats[seat].unknown]
    points = {seat: _completing(view, after, seat, card) for seat in others}
    seat = max(others, key=lambda each: points[each], default=None)
    if seat is not None and points[seat]:
        brings = points[seat]
        yield fact("keeps-away", brings * _FAR, card=card, city=card[:2], seat=seat, points=brings)
    noble = view.options.deck[card].noble
    if noble is None:
        return
    for seat in others:
        if brings := _set_points(view, card, noble, view.seats[seat].heads):
            yield fact("keeps-set", brings * _FAR, card=card, noble=noble, seat=seat, points=brings)
            return


def _left(view: View, after: State, city: CityView) -> Iterator[Fact]:
    """Yield what the next seat could do with a card that it certainly can take."""
    assert view.viewer is not None
    assert city.card is not None
    seat, card = (view.viewer + 1) % view.options.players, city.card
    following = view.seats[seat]
    ways = [held for held in following.hand if _draws_at(view, held, city.code)]
    if not ways:
        return
    if brings := _completing(view, after, seat, card):
        yield fact(
            "leaves-display", -brings * _FAR, card=card, city=card[:2], seat=seat, points=brings
        )
    if (noble := view.options.deck[card].noble) is not None:
        sets = [_set_points(view, card, noble, _with(view, following, held)) for held in ways]
        if brings := max(sets):
            yield fact(
                "leaves-set", -brings * _FAR, card=card, noble=noble, seat=seat, points=brings
            )


def _draws_at(view: View, held: str, city: str) -> bool:
    """Whether a card played lets its player draw the card on display at a city."""
    return held[:2] == city or view.options.deck[held].free_draw


def _completing(view: View, after: State, seat: int, card: str) -> int:
    """Return what a seat could take with a card, if it is the last one of its city."""
    place = CITY_INDEX[card[:2]]
    if int(after.record["missing"][place]) != view.options.deck[card].crests:
        return 0
    return most_points(after, seat, card)


def _with(view: View, seat: SeatView, held: str) -> dict[str, int]:
    """Return the portraits on a pile after another card is played."""
    face = view.options.deck[held]
    return {
        noble: heads + face.heads * (noble == face.noble) for noble, heads in seat.heads.items()
    }


def _set_points(view: View, card: str, noble: str, heads: dict[str, int]) -> int:
    """Return the points for sets that a card completes on a pile with these portraits."""
    before, more = heads[noble], view.options.deck[card].heads
    return Portraits.of(noble, before + more).points - Portraits.of(noble, before).points
