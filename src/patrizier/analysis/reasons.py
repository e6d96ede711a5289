"""Why a turn was good or bad: facts of the rules, read off the board before and after it.

Nothing here is estimated. A reason is a kind with values; the page and the terminal put it into
words (`sentences`). Only what the seat knew is used: the board, piles, its own hand, and cards that
others took in the open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
    "lead": "takes the lead in the {tower} tower of {city}, worth {points}",
    "lead-from": "takes the lead in the {tower} tower of {city} from {seat}, worth {points}",
    "set": "portrait {heads} of the {noble}: +{points}",
    "portraits": "portrait {heads} of the {noble}: one more makes a set",
    "draws-set": "takes {card}, whose {noble} makes a set: +{points}",
    "draws-crests": "takes {card}: two floors for {city}",
    "messenger": "the messenger {pair} counts for {towers} of the towers one leads: +{points}",
    "messenger-other": "the messenger {pair} counts for {towers} of the towers of {seat}: {points}",
    "leaves": "leaves {seat} {city}: with {card} they complete it for {points}",
    "exposes": "{seat} can take a tower of {city} back with {card}",
    "denies": "leaves {seat} {points} less for completing {city} with {card}",
    "wins": "solved: it wins",
    "shares": "solved: a shared victory",
    "loses": "solved: it does not win",
}

_MOST = 2  # reasons for one turn


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact about the turn played, or about the better one."""

    kind: str  # a key of SENTENCES
    of: str  # played or better
    values: tuple[tuple[str, str | int], ...]  # by name; seats are counted from 0

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"kind": self.kind, "of": self.of, **dict(self.values)}


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a turn, and what it weighs in points."""

    kind: str
    weight: float  # positive: good for its player
    values: tuple[tuple[str, str | int], ...]


def reasons(view: View, played: State, better: State | None) -> tuple[Reason, ...]:
    """Return why a turn was good, or why another one would have been better.

    ``played`` and ``better`` are positions after these turns, in any world consistent with the
    view; a card turned up is not looked at.
    """
    own = list(facts(view, played))
    if better is None:
        found = [("played", fact) for fact in own if fact.weight > 0]
    else:
        other = list(facts(view, better))
        found = [("played", fact) for fact in own if fact not in other and fact.weight < 0]
        found += [("better", fact) for fact in other if fact not in own and fact.weight > 0]
    ranked = sorted(found, key=lambda each: -abs(each[1].weight))
    return tuple(Reason(fact.kind, of, fact.values) for of, fact in ranked[:_MOST])


def facts(view: View, after: State) -> Iterator[Fact]:
    """Yield every fact about a turn of the viewer."""
    assert view.viewer is not None
    yield from _scored(view, after)
    yield from _leads(view, after)
    yield from _portraits(view, after)
    yield from _drawn(view, after)
    yield from _messengers(view, after)
    yield from _answers(view, after)


def _fact(kind: str, weight: float, **values: str | int) -> Fact:
    return Fact(kind, weight, tuple(values.items()))


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
                    yield _fact("scores", points, city=code, points=points)
                else:
                    yield _fact("gives", -points, city=code, seat=seat, points=points)


def _leads(view: View, after: State) -> Iterator[Fact]:
    """Yield the towers that the viewer leads now and did not lead before."""
    before = {city.code: city for city in view.cities}
    assert view.viewer is not None
    for code, city in _cities(after, view.viewer).items():
        if city.winners is not None or city.taller is None:
            continue
        for site, new, old in zip("LR", city.leaders, before[code].leaders, strict=True):
            if new != view.viewer or old == view.viewer:
                continue
            is_taller = site == city.taller
            tower = "taller" if is_taller else "lower"
            points = city.tokens[0 if is_taller else 1] + CHIP_POINTS * city.messengers
            likely = 1 - _missing(city) / city.capacity  # a lead means more in a city almost built
            if old is None:
                yield _fact("lead", points * likely / 2, tower=tower, city=code, points=points)
            else:
                yield _fact(
                    "lead-from", points * likely, tower=tower, city=code, seat=old, points=points
                )


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
                yield _fact("set", points, noble=noble, heads=heads, points=points)
            elif two.missing == 1:
                yield _fact("portraits", 1, noble=noble, heads=heads)


def _drawn(view: View, after: State) -> Iterator[Fact]:
    """Yield what the card taken is good for."""
    assert view.viewer is not None
    before, later = view.seats[view.viewer], after.view(view.viewer).seats[view.viewer]
    deck = view.options.deck
    for card in sorted(set(later.hand) - set(before.hand)):
        face = deck[card]
        if face.noble is not None:
            held = [c for c in later.hand if c != card and deck[c].noble == face.noble]
            heads = later.heads[face.noble] + sum(deck[c].heads for c in held)
            more = Portraits.of(face.noble, heads + face.heads).points
            more -= Portraits.of(face.noble, heads).points
            if more:
                yield _fact("draws-set", more / 2, card=card, noble=face.noble, points=more)
        elif face.crests == 2 and not after.record["winners"][CITY_INDEX[card[:2]], 0] >= 0:
            yield _fact("draws-crests", 1, card=card, city=card[:2])


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
                yield _fact("messenger", points, pair=pair, towers=towers, points=points)
            else:
                yield _fact(
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
            yield _fact("leaves", -is_now, seat=seat, city=code, card=card, points=is_now)
        if was > is_now:  # by a special action: nobody else has a card for this city
            less = was - is_now
            yield _fact("denies", less, seat=seat, city=code, card=card, points=less)
        if card in now and now[card].sites and not is_now:
            likely = CITIES[city].tokens[1] / 2
            yield _fact("exposes", -likely, seat=seat, city=code, card=card)
