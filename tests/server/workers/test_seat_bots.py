import numpy as np
import pytest

from patrizier import Game, Options
from patrizier.bots.base import Bot
from patrizier.move import Move
from patrizier.server.workers.question import Question
from patrizier.server.workers.seat_bots import SeatBots
from patrizier.view import View


class Diary(Bot):
    """Records its questions."""

    name, about = "diary", "Plays the first turn."
    made: "list[Diary]"

    def __init__(self) -> None:
        self.turns: list[int] = []
        self.seconds: list[float | None] = []

    def hurry(self, seconds: float | None) -> None:
        self.seconds.append(seconds)

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        self.turns.append(view.turn)
        if view.turn > 8:
            raise ValueError(view.turn)
        return view.legal[0]


@pytest.fixture
def made() -> list[Diary]:
    return []


@pytest.fixture
def bots(made: list[Diary]) -> SeatBots:
    def make(_spec: str) -> Bot:
        made.append(Diary())
        return made[-1]

    return SeatBots(make, capacity=40)


def views(count: int) -> list[View]:
    game, found = Game(Options(players=2), seed=1), list[View]()
    for _ in range(count):
        found.append(game.view(game.seat))
        game.play(game.legal_moves[0])
    return found


def test_a_bot_lives_as_long_as_its_seat(bots: SeatBots, made: list[Diary]) -> None:
    for view in views(4):
        bots.think(Question(view, "merchant", 1, bot_id=view.turn % 2, seconds=view.turn / 10))
    assert [bot.turns for bot in made] == [[0, 2], [1, 3]]
    assert [bot.seconds for bot in made] == [[0.0, 0.2], [0.1, 0.3]]


def test_nobodys_bot_lives_for_one_question(bots: SeatBots, made: list[Diary]) -> None:
    for view in views(3):
        bots.think(Question(view, "merchant", 1))
    assert len(made) == 3
    assert len(bots) == 0


def test_another_level_or_turns_taken_back_bring_another_bot(
    bots: SeatBots, made: list[Diary]
) -> None:
    first, second, third = views(3)
    for view, spec in ((second, "merchant"), (first, "merchant"), (third, "banker")):
        bots.think(Question(view, spec, 1, bot_id=1))
    assert [bot.turns for bot in made] == [[1], [0], [2]]
    assert len(bots) == 1


def test_a_bot_that_fails_is_replaced(bots: SeatBots, made: list[Diary]) -> None:
    for view in views(11)[7:]:
        answer = bots.think(Question(view, "merchant", 1, bot_id=1))
        assert (answer == "!ValueError") == (view.turn > 8)
    assert [bot.turns for bot in made] == [[7, 8, 9], [10]]


def test_room_is_made_by_those_not_asked_for_longest(bots: SeatBots, made: list[Diary]) -> None:
    (view,) = views(1)
    for bot_id in (1, 2, 1, 3):
        bots.think(Question(view, "doge", 1, bot_id=bot_id))
    assert len(bots) == 2  # of 16 units each
    assert len(made) == 3
    bots.think(Question(view, "doge", 1, bot_id=1))
    assert len(made) == 3
    bots.think(Question(view, "doge", 1, bot_id=2))
    assert len(made) == 4
    for bot_id in range(100):
        bots.think(Question(view, "merchant", 1, bot_id=1000 + bot_id))
    assert len(bots) == 40


def test_the_same_seed_gives_the_same_answer() -> None:
    (view,) = views(1)
    question = Question(view, "ismcts:50", seed=3)
    assert SeatBots().think(question) == SeatBots().think(question)
