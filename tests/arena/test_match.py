import json
from collections.abc import Sequence

import numpy as np
import pytest

from arena.made import made
from patrizier import Deal, Game, Move, Options, View, read_games
from patrizier.arena.match import MatchResult, Observer, play_match
from patrizier.bots.base import Bot
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.guard import Incident
from patrizier.bots.random_bot import RandomBot

OPTIONS = Options(players=3, rules={"messengers"})
DEAL = Deal.random(OPTIONS, 4)


class Restless(RandomBot):
    """Plays like random but draws more random numbers."""

    name = "restless"

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        rng.random(3)
        return super().choose(view, rng)


class Noting(Bot):
    """Plays the first legal turn and notes a random number each time."""

    name = "noting"
    about = "For tests."

    def __init__(self) -> None:
        self.numbers: list[float] = []

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        self.numbers.append(rng.random())
        return view.legal[0]


class Broken(Bot):
    name = "broken"
    about = "Fails."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        raise RuntimeError("broken")


def play(*bots: Bot, seed: int = 1, observers: Sequence[Observer] = ()) -> MatchResult:
    return play_match(OPTIONS, bots, DEAL, [seed], observers=observers)


def test_the_result_is_that_of_the_record() -> None:
    result = play(GreedyBot(), RandomBot(), RandomBot())
    (record,) = read_games(result.record)
    game = record.game()
    outcome = game.outcome()
    assert outcome is not None
    assert record.names == result.names == ("greedy", "random", "random")
    assert game.deal == DEAL
    assert result.scores == outcome.scores
    assert result.points == outcome.points
    assert result.winners == outcome.winners
    assert result.start == DEAL.start
    assert result.turns == (16, 16, 16)
    assert result.incidents == ()
    assert all(seconds > 0 for seconds in result.seconds)


def test_a_seed_gives_one_game() -> None:
    games = {play(RandomBot(), RandomBot(), RandomBot(), seed=seed).record for seed in (1, 1, 2)}
    assert len(games) == 2


def test_every_seat_has_random_numbers_of_its_own() -> None:
    """What one bot draws does not change what another one is given."""
    noted = []
    for other in (RandomBot(), Restless()):
        bot = Noting()
        play(bot, other, RandomBot())
        noted.append(bot.numbers[:16])
    assert noted[0] == noted[1]
    strangers = Noting(), Noting(), Noting()
    play(*strangers)
    assert len({bot.numbers[0] for bot in strangers}) == 3


def test_incidents_belong_to_their_seat() -> None:
    result = play(RandomBot(), Broken(), RandomBot())
    assert {incident.seat for incident in result.incidents} == {1}
    assert len({incident.turn for incident in result.incidents}) == 16


def test_a_result_survives_json() -> None:
    result = play(RandomBot(), Broken(), RandomBot())
    again = MatchResult.from_json(json.loads(json.dumps(result.to_json())))
    assert again.seconds == pytest.approx(result.seconds, abs=1e-6)
    assert {**again.to_json(), "seconds": 0} == {**result.to_json(), "seconds": 0}


def test_observers_hear_of_everything_in_order() -> None:
    heard: list[str] = []

    class Listener(Observer):
        def on_start(self, game: Game, names: Sequence[str]) -> None:
            heard.append(f"start {game.turn} {'/'.join(names)}")

        def on_turn(self, game: Game, incidents: Sequence[Incident]) -> None:
            heard.append(f"turn {game.turn}")

        def on_end(self, result: MatchResult) -> None:
            heard.append(f"end {len(result.points)}")

    play(RandomBot(), RandomBot(), RandomBot(), observers=[Listener()])
    turns = [f"turn {n}" for n in range(1, 49)]
    assert heard == ["start 0 random/random/random", *turns, "end 3"]


def test_a_shared_victory_is_shared() -> None:
    result = made(0, "ABC", [40, 40, 30])
    assert result.winners == (0, 1)
    assert result.shares == (0.5, 0.5, 0)
    assert result.ranks[0] == result.ranks[1] > result.ranks[2]


def test_fewer_floors_decide_a_tie() -> None:
    result = made(0, "ABC", [40, 40, 30], floors=[12, 11, 9])
    assert result.shares == (0, 1, 0)
    assert sorted(range(3), key=lambda seat: result.ranks[seat]) == [2, 0, 1]


def test_places_are_counted_from_the_start() -> None:
    result = made(0, "ABC", [1, 2, 3], start=2)
    assert [result.place(seat) for seat in range(3)] == [1, 2, 0]


def test_every_seat_needs_a_bot() -> None:
    with pytest.raises(ValueError, match="2 bots for 3 players"):
        play(RandomBot(), RandomBot())
