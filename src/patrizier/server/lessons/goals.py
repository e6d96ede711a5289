"""The goals of the lessons: one check per lesson, which returns why it was missed."""

from collections.abc import Callable
from typing import NamedTuple

from patrizier.record import Record
from patrizier.rules.score import SET_SIZE
from patrizier.server.protocol.messages import LessonGoal, LessonName, WhyNot
from patrizier.view import CityView, View


class Attempt(NamedTuple):
    """A learner's turn, with the position before and after it."""

    goal: LessonGoal
    before: View
    record: Record
    after: View

    @property
    def city(self) -> CityView:
        """The city that the lesson is about, after the turn."""
        return next(city for city in self.after.cities if city.code == self.goal.city)

    @property
    def is_about_it(self) -> bool:
        """Whether the turn built in that city."""
        return self.record.move.card[:2] == self.goal.city

    @property
    def learner(self) -> int:
        """The learner's seat."""
        return self.record.seat


def build(_attempt: Attempt) -> WhyNot:
    """Play any card."""
    return ""


def complete(attempt: Attempt) -> WhyNot:
    """Complete a city."""
    if not attempt.is_about_it:
        return "other-city"
    return "" if attempt.record.scored else "other-card"


def tie(attempt: Attempt) -> WhyNot:
    """Complete a city so that a tie in its taller tower is won by the higher floor."""
    scored = attempt.record.scored
    if not attempt.is_about_it:
        return "other-city"
    if scored is None:
        return "other-card"
    return "" if scored.taller == attempt.learner else "wrong-site"


def empty_site(attempt: Attempt) -> WhyNot:
    """Complete a city whose last floor must go to the empty site."""
    return complete(attempt)


def free_draw(attempt: Attempt) -> WhyNot:
    """Use a free draw to take a card from another city."""
    move = attempt.record.move
    if not attempt.after.options.deck[move.card].free_draw:
        return "other-card"
    return "" if move.draw != move.card[:2] else "same-city"


def move_floor(attempt: Attempt) -> WhyNot:
    """Move a floor to take the lead in the taller tower of a city."""
    move, city = attempt.record.move, attempt.city
    if not attempt.after.options.deck[move.card].special_action:
        return "other-card"
    if move.moved is None:
        return "no-move"
    return "" if leader_of_taller(city) == attempt.learner else "wrong-floor"


def portraits(attempt: Attempt) -> WhyNot:
    """Play the card that makes three portraits of a noble."""
    before, after = (
        sum(count // SET_SIZE for count in view.seats[attempt.learner].heads.values())
        for view in (attempt.before, attempt.after)
    )
    return "" if after > before else "no-set"


def double(attempt: Attempt) -> WhyNot:
    """Lay the two floors of a card to lead both towers of its city."""
    if attempt.record.move.card != attempt.goal.card:
        return "other-card"
    leads = attempt.city.leaders == (attempt.learner, attempt.learner)
    return "" if leads else "wrong-site"


def last_cards(_attempt: Attempt) -> WhyNot:
    """Play one of the last cards, when there is none left to take."""
    return ""


def messenger(attempt: Attempt) -> WhyNot:
    """Lay a messenger between two cities that will soon be complete."""
    move = attempt.record.move
    if not attempt.after.options.deck[move.card].star:
        return "other-card"
    if move.messenger is None:
        return "no-messenger"
    return "" if move.messenger == attempt.goal.pair else "wrong-cities"


def leader_of_taller(city: CityView) -> int | None:
    """Return who would take the taller tower now; None while both are equal."""
    if city.taller is None:
        return None
    return city.leaders["LR".index(city.taller)]


CHECKS: dict[LessonName, Callable[[Attempt], WhyNot]] = {
    "build": build,
    "complete": complete,
    "tie": tie,
    "empty-site": empty_site,
    "free-draw": free_draw,
    "move": move_floor,
    "portraits": portraits,
    "double": double,
    "last-cards": last_cards,
    "messenger": messenger,
}
