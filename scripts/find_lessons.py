"""Search random games for a position for every lesson, and save it.

python scripts/find_lessons.py --games 3000

Every position is reached by legal turns. Of all candidates the clearest is kept: early in the game,
with few choices.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from patrizier import Game, Move, Options
from patrizier.rules.board import EDGES
from patrizier.server import lessons
from patrizier.server.lessons.goals import CHECKS, Attempt, leader_of_taller
from patrizier.server.protocol.messages import LessonGoal, LessonName, WhyNot
from patrizier.view import CityView, View

FOLDER = Path(lessons.__file__).parent
LEARNER = lessons.LEARNER

Find = tuple[float, LessonGoal]  # a penalty for unclear positions, and the goal


def goal(kind: LessonName, **about: str) -> LessonGoal:
    """Return the goal of a lesson."""
    return LessonGoal(**{"kind": kind, "card": None, "city": None, "pair": None, **about})


class Position:
    """A learner's turn, and the outcome of every legal move."""

    def __init__(self, game: Game) -> None:
        self.view: View = game.view(LEARNER)
        self._game = game
        self._tried: dict[str, Attempt] = {}

    @property
    def hand(self) -> tuple[str, ...]:
        """The learner's cards."""
        return self.view.seats[LEARNER].hand

    def face(self, card: str) -> str:
        """Return what a card shows."""
        return self.view.options.deck[card].text

    def city(self, code: str) -> CityView:
        """Return a city."""
        return next(city for city in self.view.cities if city.code == code)

    def missing(self, code: str) -> int:
        """Return how many floors a city still needs."""
        city = self.city(code)
        return city.capacity - len(city.left) - len(city.right)

    def answers(self, wanted: LessonGoal) -> dict[str, WhyNot]:
        """Return the lesson's verdict on every legal turn."""
        return {
            move.text: CHECKS[wanted.kind](self.attempt(move)._replace(goal=wanted))
            for move in self.view.legal
        }

    def attempt(self, move: Move) -> Attempt:
        """Return the outcome of a move."""
        if move.text not in self._tried:
            game = self._game.copy()
            record = game.play(move)
            view = game.state.view(LEARNER)
            self._tried[move.text] = Attempt(goal("build"), self.view, record, view)
        return self._tried[move.text]

    def is_alone(self, city: str) -> bool:
        """Whether the learner has exactly one card of a city."""
        return sum(card[:2] == city for card in self.hand) == 1


def build(at: Position) -> Iterator[Find]:
    """The first turn of a game, with three different cities in hand."""
    if at.view.turn == 0 and len({card[:2] for card in at.hand}) == 3:
        yield 0, goal("build")


def complete(at: Position) -> Iterator[Find]:
    """A city that one card completes, winning a token on either site."""
    for card in at.hand:
        city = at.city(card[:2])
        crests = at.view.options.deck[card].crests
        if at.missing(city.code) != crests or not at.is_alone(city.code):
            continue
        found = [at.attempt(m).record.scored for m in at.view.legal if m.card == card]
        if all(scored and LEARNER in (scored.taller, scored.lower) for scored in found):
            yield at.view.turn + 5 * (crests - 1), goal("complete", card=card, city=city.code)


def tie(at: Position) -> Iterator[Find]:
    """A last floor that wins a tie on one site and loses the taller tower on the other."""
    for card in at.hand:
        city = card[:2]
        if at.missing(city) != 1 or not at.is_alone(city):
            continue
        wanted = goal("tie", card=card, city=city)
        answers = {t: why for t, why in at.answers(wanted).items() if t.startswith(card)}
        if set(answers.values()) != {"", "wrong-site"}:
            continue
        good = [at.attempt(Move(text)).after for text, why in answers.items() if not why]
        tied = [_is_tie(next(c for c in view.cities if c.code == city)) for view in good]
        if all(tied):
            yield at.view.turn, wanted


def _is_tie(city: CityView) -> bool:
    tower = city.left if city.taller == "L" else city.right
    return tower.count(LEARNER) * 2 == len(tower)


def empty_site(at: Position) -> Iterator[Find]:
    """A last floor that must go to the empty site of its city."""
    for card in at.hand:
        city = at.city(card[:2])
        plain = at.face(card)[0] not in "2?>"  # one idea at a time
        is_last = at.missing(city.code) == 1 and at.is_alone(city.code)
        if plain and is_last and not (city.left and city.right):
            yield at.view.turn, goal("empty-site", card=card, city=city.code)


def free_draw(at: Position) -> Iterator[Find]:
    """A card with a free draw in a city, and better cards elsewhere."""
    there = [card for card in at.hand if at.face(card).startswith("?")]
    if len(there) == 1 and at.view.turn >= 4:
        yield at.view.turn, goal("free-draw", card=there[0], city=there[0][:2])


def move_floor(at: Position) -> Iterator[Find]:
    """A city whose taller tower one special action wins."""
    cards = [card for card in at.hand if at.face(card).startswith(">")]
    if len(cards) != 1:
        return
    for city in at.view.cities:
        floors = len(city.left) + len(city.right)
        if city.winners or leader_of_taller(city) in (LEARNER, None) or floors < 3:
            continue
        wanted = goal("move", card=cards[0], city=city.code)
        good = {Move(text).moved for text, why in at.answers(wanted).items() if not why}
        if len(good) == 1:
            yield at.view.turn + 2 * at.missing(city.code), wanted


def portraits(at: Position) -> Iterator[Find]:
    """One card of three that makes a set."""
    wanted = goal("portraits")
    cards = {Move(text).card for text, why in at.answers(wanted).items() if not why}
    if len(cards) == 1 and len(at.hand) == 3:
        (card,) = cards
        yield at.view.turn, goal("portraits", card=card, city=card[:2])


def double(at: Position) -> Iterator[Find]:
    """A card with two crests that leads both towers if one floor goes on each."""
    for card in at.hand:
        if at.face(card)[0] != "2" or not at.is_alone(card[:2]) or at.missing(card[:2]) < 3:
            continue
        wanted = goal("double", card=card, city=card[:2])
        good = {Move(t).sites for t, why in at.answers(wanted).items() if not why}
        city = at.city(card[:2])
        if good == {"LR"} and city.left and city.right:
            yield at.view.turn, wanted


def last_cards(at: Position) -> Iterator[Find]:
    """Two cards in hand, none on the display, and as many tokens to win as possible."""
    if len(at.hand) != 2 or any(city.card for city in at.view.cities):
        return
    scored = [at.attempt(move).record.scored for move in at.view.legal]
    won = sum(bool(each and LEARNER in (each.taller, each.lower)) for each in scored)
    yield -len({card[:2] for card in at.hand}) - won / 10, goal("last-cards")


def messenger(at: Position) -> Iterator[Find]:
    """One pair of neighbours that are both nearly complete, with the learner ahead in both."""
    stars = [card for card in at.hand if at.view.options.deck[card].star]
    if not stars or not at.view.seats[LEARNER].messengers_left:
        return
    nearly = {c.code for c in at.view.cities if not c.winners and at.missing(c.code) <= 2}
    pairs = [pair for pair in EDGES if {pair[:2], pair[3:]} <= nearly]
    if len(pairs) != 1:
        return
    wanted = goal("messenger", pair=pairs[0])
    good = {Move(text).card for text, why in at.answers(wanted).items() if not why}
    cities = [at.city(pairs[0][:2]), at.city(pairs[0][3:])]
    if good == set(stars) and all(leader_of_taller(city) == LEARNER for city in cities):
        yield at.view.turn, wanted


FINDERS: dict[LessonName, Callable[[Position], Iterator[Find]]] = {
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


def choose(game: Game, rng: Random) -> Move:
    """Return a legal turn, preferring cities with floors."""
    legal = game.legal_moves
    if rng.random() < 0.3:
        return rng.choice(legal)
    floors = {city.code: city for city in game.state.view(None).cities}

    def standing(move: Move) -> tuple[float, float]:
        city = floors[move.card[:2]]
        return (len(city.left) + len(city.right)) / city.capacity, rng.random()

    return max(legal, key=standing)


def main() -> int:
    """Search, and save the positions; 1 if a lesson has none."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=3000)
    arguments = parser.parse_args()
    best: dict[LessonName, tuple[float, LessonGoal, Game]] = {}
    for seed in range(arguments.games):
        rules = ["messengers"] if seed % 2 else []
        game, rng = Game(Options(players=2, rules=rules), seed=seed), Random(seed)
        while not game.is_over:
            if game.seat == LEARNER:
                _look(game, "messengers" if rules else "", best)
            game.play(choose(game, rng))
    for name, (unclear, wanted, game) in best.items():
        about = {"Card": wanted.card, "City": wanted.city, "Pair": wanted.pair}
        tags = {tag: value for tag, value in about.items() if value}
        (FOLDER / f"{name}.ptr").write_text(str(game.record(Lesson=name, **tags)), "utf-8")
        print(f"{name}: after {game.turn} turns, {tags}, {unclear:g}")
    return 0 if set(best) == set(FINDERS) else 1


def _look(game: Game, rules: str, best: dict[LessonName, tuple[float, LessonGoal, Game]]) -> None:
    """Keep a position if it is clearer than the best so far."""
    position = Position(game)
    for name, find in FINDERS.items():
        if (name == "messenger") != (rules == "messengers"):
            continue
        for unclear, wanted in find(position):
            if name not in best or unclear < best[name][0]:
                best[name] = unclear, wanted, game.copy()


if __name__ == "__main__":
    sys.exit(main())
