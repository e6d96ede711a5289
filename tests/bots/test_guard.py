from collections.abc import Callable

import numpy as np
import pytest

from patrizier import Game, Move, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.guard import Incident, take_turn
from patrizier.bots.random_bot import RandomBot

MESSENGERS = Options(players=2, rules={"messengers"})


class Scripted(Bot):
    """Answers what a function says, and remembers what it was asked."""

    name = "scripted"
    about = "For tests."

    def __init__(self, answer: Callable[[View], object]) -> None:
        self.answer = answer
        self.views: list[View] = []

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        self.views.append(view)
        return self.answer(view)  # type: ignore[return-value]


class Clock:
    """A clock that moves only when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def first_legal(view: View) -> Move:
    return view.legal[0]


def failing(view: View) -> Move:
    raise RuntimeError("no idea\nat all")


def leaving(view: View) -> Move:
    raise SystemExit(3)


def test_a_good_answer_is_played() -> None:
    game = Game(Options(players=3), seed=1)
    wanted = game.legal_moves[2]
    assert take_turn(game, Scripted(lambda view: view.legal[2]), rng()) == []
    assert game.moves == [wanted]


def test_every_kind_of_turn_is_played_as_answered() -> None:
    """Special actions, free draws and messengers: what was answered is what happened."""
    game = Game(Options(players=3, rules={"messengers"}), seed=3)
    bot = Scripted(lambda view: max(view.legal, key=lambda move: len(move.text)))
    generator = rng()
    answers = []
    while not game.is_over:
        bot.views.clear()
        assert take_turn(game, bot, generator) == []
        answers.append(bot.answer(bot.views[-1]))
    assert game.moves == answers
    for part in ("moved", "draw", "messenger"):
        assert any(getattr(move, part) for move in game.moves)


def test_a_messenger_is_asked_for_after_the_refill() -> None:
    game = Game(MESSENGERS, seed=1)
    assert any(move.messenger for move in game.legal_moves)

    def answer(view: View) -> Move:
        if view.phase == "build":
            return next(move for move in view.legal if move.messenger)
        return next(move for move in view.legal if not move.messenger)

    bot = Scripted(answer)
    assert take_turn(game, bot, rng()) == []
    assert [view.phase for view in bot.views] == ["build", "messenger"]
    assert bot.views[1].pending is not None
    assert bot.views[1].pending.refill is not None
    assert game.turn == 1
    assert game.moves[0].messenger is None  # the first answer's messenger does not count


def test_a_messenger_is_not_asked_for_without_a_star() -> None:
    bot = Scripted(first_legal)
    game = Game(Options(players=2), seed=1)
    take_turn(game, bot, rng())
    assert [view.phase for view in bot.views] == ["build"]


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (failing, "error", "RuntimeError: no idea at all"),
        (leaving, "error", "SystemExit: 3"),
        (lambda view: view.legal[0].text, "no move", "str instead of a move"),
        (lambda view: None, "no move", "NoneType instead of a move"),
        (lambda view: Move("PI1:LL"), "illegal move", "PI1:LL: "),
        (lambda view: Move("BO1:LL"), "illegal move", "BO1 is not in the hand of seat 1"),
    ],
)
def test_a_bad_answer_is_reported_and_replaced(
    answer: Callable[[View], object], kind: str, message: str
) -> None:
    game = Game(Options(players=2), seed=7)
    legal, seat = game.legal_moves, game.seat
    (incident,) = take_turn(game, Scripted(answer), rng())
    assert (incident.seat, incident.turn, incident.kind) == (seat, 1, kind)
    assert message in incident.message
    assert game.moves == [legal[rng().integers(len(legal))]]


def test_a_bad_second_answer_keeps_the_first() -> None:
    game = Game(MESSENGERS, seed=1)
    wanted = next(move for move in game.legal_moves if move.messenger)
    bot = Scripted(lambda view: wanted if view.phase == "build" else failing(view))
    (incident,) = take_turn(game, bot, rng())
    assert incident.kind == "error"
    assert (game.moves[0].card, game.moves[0].sites) == (wanted.card, wanted.sites)


@pytest.mark.parametrize(("seconds", "late"), [(0.4, False), (0.6, True)])
def test_a_late_answer_is_reported_and_replaced(seconds: float, late: bool) -> None:
    clock = Clock()

    def answer(view: View) -> Move:
        clock.now += seconds
        return view.legal[3]

    game = Game(Options(players=2), seed=7)
    legal = game.legal_moves
    incidents = take_turn(game, Scripted(answer), rng(), 0.5, clock=clock)
    if late:
        assert incidents == [
            Incident(game.records[0].seat, 1, "overtime", "0.600 s, allowed are 0.5 s")
        ]
        assert game.moves == [legal[rng().integers(len(legal))]]
    else:
        assert incidents == []
        assert game.moves == [legal[3]]


def test_a_mistake_is_reported_once_though_it_came_late() -> None:
    clock = Clock()

    def answer(view: View) -> Move:
        clock.now += 9
        return failing(view)

    incidents = take_turn(Game(MESSENGERS, seed=7), Scripted(answer), rng(), 1, clock=clock)
    assert {incident.kind for incident in incidents} == {"error"}


def test_without_a_limit_nothing_is_late() -> None:
    clock = Clock()

    def answer(view: View) -> Move:
        clock.now += 1e6
        return view.legal[0]

    assert take_turn(Game(Options(), seed=1), Scripted(answer), rng(), clock=clock) == []


def test_the_user_can_still_stop_a_game() -> None:
    def interrupt(view: View) -> Move:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_turn(Game(Options(), seed=1), Scripted(interrupt), rng())


@pytest.mark.parametrize("players", [2, 5])
def test_a_hopeless_bot_comes_to_the_end(players: int) -> None:
    rules = {"messengers", "messenger-at-built-city"}
    game = Game(Options(players=players, rules=rules), seed=2)
    hopeless, good, generator = Scripted(failing), RandomBot(), rng()
    turns = []
    while not game.is_over:
        seat, turn = game.seat, game.turn
        incidents = take_turn(game, hopeless if seat == 0 else good, generator)
        assert game.turn == turn + 1
        assert bool(incidents) == (seat == 0)
        turns += [incident.turn for incident in incidents]
    assert game.outcome() is not None
    assert turns == sorted(turns)
    assert len(set(turns)) == game.turn // players
