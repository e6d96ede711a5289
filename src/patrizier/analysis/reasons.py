"""Why a turn was good or bad: facts of the rules, read off the board before and after it.

Nothing here is estimated. A reason is a kind with values; the page and the terminal put it into
words (`sentences`). Only what the seat knew is used: the board, piles, its own hand, and cards that
others took in the open.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from patrizier.analysis.display import display_facts, most_points
from patrizier.analysis.facts import Fact, fact
from patrizier.prospects import Held, answers_in, bare, known_cards
from patrizier.rules.board import CITIES, CITY_INDEX
from patrizier.rules.score import CHIP_POINTS
from patrizier.state import State
from patrizier.sums import Portraits
from patrizier.view import CityView, View

# Every kind of reason, with its values and an English sentence.
SENTENCES = {
    "scores": "completes {city}: +{points}",
    "gives": "completes {city} and gives {seat} {points}",
    "lead": "takes the lead in the {tower} tower of {city}, worth {worth}",
    "lead-from": "takes the lead in the {tower} tower of {city} from {seat}, worth {worth}",
    "ahead": "is {floors} floors ahead in the {tower} tower of {city}, worth {worth}",
    "nears": "is one floor behind {seat} in the {tower} tower of {city}, worth {worth}",
    "unseats": "takes the lead in the {tower} tower of {city} away from {seat}, worth {worth}",
    "drops": "gives up the lead in the {tower} tower of {city}, worth {worth}",
    "taller": "makes the tower one leads in {city} the taller one, worth {points}",
    "taller-other": "makes the tower of {seat} in {city} the taller one, worth {points}",
    "set": "brings portrait {heads} of the {noble}: +{points}",
    "portraits": "brings portrait {heads} of the {noble}: one more makes a set",
    "draws-set": "takes {card}, whose {noble} makes a set: +{points}",
    "draws-portraits": "takes {card}: one more {noble} makes a set",
    "draws-finish": "takes {card}, which can complete {city}: +{points}",
    "draws-crests": "takes {card}: two floors for {city}",
    "draws-action": "takes {card}: a floor may be moved",
    "draws-free": "takes {card}: a free choice among the cards",
    "keeps-away": "takes {card}, with which {seat} could have completed {city} for {points}",
    "keeps-set": "takes {card}, whose {noble} could have made a set for {seat}: +{points}",
    "messenger": "lays a messenger, {pair}, for {towers} of the towers one leads: +{points}",
    "messenger-other": "lays a messenger, {pair}, for {towers} of the towers of {seat}: {points}",
    "leaves": "leaves {seat} {city}: with {card} they complete it for {points}",
    "exposes": "{seat} can take the lead in a tower of {city} with {card}",
    "denies": "leaves {seat} {points} less for completing {city} with {card}",
    "leaves-display": "leaves {card} for {seat}, who could complete {city} with it for {points}",
    "leaves-set": "leaves {card} for {seat}, for whom its {noble} makes a set: +{points}",
    "wins": "wins (solved)",
    "shares": "shares the victory (solved)",
    "loses": "does not win (solved)",
}

DENIALS = frozenset({"denies", "keeps-away"})  # kinds that cost others points for a city

_MOST = 2  # reasons for one turn
_KEEPS = ("keeps-away", "keeps-set")
_LEFT = ("leaves-display", "leaves-set")
_SLIGHT = 0.5  # what a card weighs that may be good for something


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact about the turn played, or about the better one."""

    kind: str  # a key of SENTENCES
    of: str  # played or better
    values: tuple[tuple[str, str | int], ...]  # by name; seats are counted from 0

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"kind": self.kind, "of": self.of, **dict(self.values)}


def reasons(
    view: View, played: State, better: State | None, must: Container[str] = ()
) -> tuple[Reason, ...]:
    """Return why a turn was good, or why another one would have been better.

    ``played`` and ``better`` are positions after these turns, in any world consistent with the
    view; cards that they turn up are ignored. If there are reasons of a kind in ``must``, one of
    them is always among those returned.
    """
    own = list(facts(view, played))
    if better is None:
        found = [("played", each) for each in own if each.weight > 0]
    else:
        other = list(facts(view, better))
        found = [("played", each) for each in _without(own, other) if each.weight < 0]
        found += [("better", each) for each in _without(other, own) if each.weight > 0]
    ranked = sorted(found, key=lambda each: -abs(each[1].weight))
    told = [each for each in ranked if not _is_taken(each[1], found)][:_MOST]
    if not any(each.kind in must for _, each in told):
        demanded = [each for each in ranked if each[1].kind in must][:1]
        told = [*told[: _MOST - len(demanded)], *demanded]
    return tuple(Reason(each.kind, of, each.values) for of, each in told)


def _is_taken(left: Fact, found: list[tuple[str, Fact]]) -> bool:
    """Whether a fact says that a card was left which, by another fact, the better turn takes."""
    taken = {dict(other.values)["card"] for _, other in found if other.kind in _KEEPS}
    return left.kind in _LEFT and dict(left.values)["card"] in taken


def _without(some: list[Fact], others: list[Fact]) -> list[Fact]:
    """Return the facts that do not hold for the other turn."""
    said = {(each.kind, each.values) for each in others}
    return [each for each in some if (each.kind, each.values) not in said]


def facts(view: View, after: State) -> Iterator[Fact]:
    """Yield every fact about a turn of the viewer."""
    assert view.viewer is not None
    yield from _scored(view, after)
    yield from _leads(view, after)
    yield from _portraits(view, after)
    yield from _drawn(view, after)
    yield from _messengers(view, after)
    yield from _answers(view, after)
    yield from display_facts(view, after)


def _cities(state: State, seat: int) -> dict[str, CityView]:
    return {city.code: city for city in state.view(seat).cities}


def _scored(view: View, after: State) -> Iterator[Fact]:
    """Yield who takes points for a city that is complete now."""
    before = {city.code: city for city in view.cities}
    assert view.viewer is not None
    for code, city in _cities(after, view.viewer).items():
        if city.winners is not None and before[code].winners is None:
            for seat in sorted(set(city.winners)):
                points = sum(
                    token + CHIP_POINTS * city.messengers
                    for winner, token in zip(city.winners, city.tokens, strict=True)
                    if winner == seat
                )
                if seat == view.viewer:
                    yield fact("scores", points, city=code, points=points)
                else:
                    yield fact("gives", -points, city=code, seat=seat, points=points)


def _leads(view: View, after: State) -> Iterator[Fact]:
    """Yield what has changed in the race for the towers of cities that are not complete."""
    before = {city.code: city for city in view.cities}
    assert view.viewer is not None
    for code, city in _cities(after, view.viewer).items():
        if city.winners is None:
            for site in "LR":
                yield from _race(view.viewer, site, before[code], city)
            yield from _heights(view.viewer, before[code], city)


def _race(viewer: int, site: str, before: CityView, city: CityView) -> Iterator[Fact]:
    """Yield what has changed in the race for one tower."""
    place = "LR".index(site)
    was, floors = (before.left, before.right)[place], (city.left, city.right)[place]
    old, new = before.leaders[place], city.leaders[place]
    tower, points = _worth(city, site)
    here: dict[str, str | int] = {"tower": tower, "city": city.code, "points": points}
    weight = points * _weight(city)
    if new == viewer:
        margin = _margin(floors, viewer)
        if old is None:
            yield fact("lead", weight / 2, **here)
        elif old != viewer:
            yield fact("lead-from", weight, seat=old, **here)
        elif margin > max(1, _margin(was, viewer)):
            yield fact("ahead", weight / 4, floors=margin, **here)
    elif new is not None:
        if old == viewer:
            yield fact("drops", -weight, **here)
        elif old not in (None, new):
            yield fact("unseats", weight / 4, seat=old, **here)
        elif floors.count(viewer) > was.count(viewer) and _margin(floors, viewer) == -1:
            yield fact("nears", weight / 4, seat=new, **here)


def _heights(viewer: int, before: CityView, city: CityView) -> Iterator[Fact]:
    """Yield whose tower is the taller one now and was not before."""
    if city.taller is None or city.taller == before.taller:
        return
    place = "LR".index(city.taller)
    leader, other = city.leaders[place], city.leaders[1 - place]
    if leader is None or leader != before.leaders[place] or leader == other:
        return  # nobody's, told with the lead, or the same to both
    more = (city.tokens[0] - city.tokens[1]) * _weight(city)
    _, points = _worth(city, city.taller)
    if leader == viewer:
        yield fact("taller", more, city=city.code, points=points)
    else:
        yield fact("taller-other", -more, city=city.code, seat=leader, points=points)


def _worth(city: CityView, site: str) -> tuple[str, int]:
    """Return the name of a tower and its points, with the lower token if both are equally tall."""
    name = {"L": "left", "R": "right"}[site]
    if city.taller is not None:
        name = "taller" if site == city.taller else "lower"
    return name, city.tokens[0 if name == "taller" else 1] + CHIP_POINTS * city.messengers


def _weight(city: CityView) -> float:
    """Return the weight of a tower: more in a city almost built."""
    return 1 - _missing(city) / city.capacity


def _margin(floors: tuple[int, ...], seat: int) -> int:
    """Return how many floors a seat is ahead of all others, or behind the best of them."""
    others = {owner for owner in floors if owner != seat}
    return floors.count(seat) - max((floors.count(owner) for owner in others), default=0)


def _missing(city: CityView) -> int:
    return city.capacity - len(city.left) - len(city.right)


def _portraits(view: View, after: State) -> Iterator[Fact]:
    """Yield what the portraits of the card played add to."""
    assert view.viewer is not None
    before, later = view.seats[view.viewer], after.view(view.viewer).seats[view.viewer]
    for noble, heads in later.heads.items():
        if heads > before.heads[noble]:
            one, two = Portraits.of(noble, before.heads[noble]), Portraits.of(noble, heads)
            if two.points > one.points:
                points = two.points - one.points
                yield fact("set", points, noble=noble, heads=heads, points=points)
            elif two.missing == 1:
                yield fact("portraits", 1, noble=noble, heads=heads)


def _drawn(view: View, after: State) -> Iterator[Fact]:
    """Yield what the card taken is good for."""
    assert view.viewer is not None
    before, later = view.seats[view.viewer], after.view(view.viewer).seats[view.viewer]
    deck = view.options.deck
    for card in sorted(set(later.hand) - set(before.hand)):
        face = deck[card]
        finished = most_points(after, view.viewer, card)
        if face.noble is not None:
            held = [c for c in later.hand if c != card and deck[c].noble == face.noble]
            heads = later.heads[face.noble] + sum(deck[c].heads for c in held)
            then = Portraits.of(face.noble, heads + face.heads)
            if more := then.points - Portraits.of(face.noble, heads).points:
                yield fact("draws-set", more / 2, card=card, noble=face.noble, points=more)
            elif then.missing == 1:
                yield fact("draws-portraits", _SLIGHT, card=card, noble=face.noble)
        elif face.special_action:
            yield fact("draws-action", _SLIGHT, card=card)
        elif face.free_draw and view.pile_left + len(_shown(after, view.viewer)) > 0:
            yield fact("draws-free", _SLIGHT, card=card)
        if finished:
            yield fact("draws-finish", finished / 3, card=card, city=card[:2], points=finished)
        elif face.crests == 2 and not after.record["winners"][CITY_INDEX[card[:2]], 0] >= 0:
            yield fact("draws-crests", 1, card=card, city=card[:2])


def _shown(state: State, seat: int) -> list[str]:
    """Return the cards on display."""
    return [city.card for city in state.view(seat).cities if city.card is not None]


def _messengers(view: View, after: State) -> Iterator[Fact]:
    """Yield whose towers a new messenger counts for."""
    assert view.viewer is not None
    later = after.view(view.viewer)
    cities = {city.code: city for city in later.cities}
    for pair in set(later.messengers) - set(view.messengers):
        leaders = [
            leader
            for code in pair.split("-")
            if cities[code].winners is None
            for leader in cities[code].leaders
        ]
        for seat in sorted({leader for leader in leaders if leader is not None}):
            towers = leaders.count(seat)
            points = CHIP_POINTS * towers
            if seat == view.viewer:
                yield fact("messenger", points, pair=pair, towers=towers, points=points)
            else:
                yield fact(
                    "messenger-other", -points / 2, pair=pair, seat=seat, towers=towers,
                    points=points,
                )  # fmt: skip


def _answers(view: View, after: State) -> Iterator[Fact]:
    """Yield what others can do with cards they were seen to take, and what they no longer can.

    Only the seat that plays next is looked at: before the others play, the board changes again.
    """
    assert view.viewer is not None
    following = (view.viewer + 1) % view.options.players
    known = [held for held in known_cards(view) if held[0] == following]
    before, after = bare(view.sample(0)), bare(after)
    for city in view.cities:
        if city.winners is None:
            yield from _answers_in(view.viewer, before, after, city.code, known)


def _answers_in(
    viewer: int, before: State, after: State, code: str, known: list[Held]
) -> Iterator[Fact]:
    city = CITY_INDEX[code]
    then = {a.card: a for a in answers_in(before, city, viewer, known)}
    now = {}
    if after.record["winners"][city, 0] < 0:
        now = {a.card: a for a in answers_in(after, city, viewer, known)}
    for seat, card in known:
        was = then[card].points if card in then else 0
        is_now = now[card].points if card in now else 0
        if is_now:
            yield fact("leaves", -is_now, seat=seat, city=code, card=card, points=is_now)
        if was > is_now:  # by a special action: nobody else has a card for this city
            less = was - is_now
            yield fact("denies", less, seat=seat, city=code, card=card, points=less)
        if card in now and now[card].sites and not is_now:
            weight = CITIES[city].tokens[1] / 2
            yield fact("exposes", -weight, seat=seat, city=code, card=card)
