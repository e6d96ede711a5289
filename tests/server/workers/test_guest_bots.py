"""The trial of guest bots before a server starts."""

from pathlib import Path

import pytest

from patrizier.server.workers.guest_bots import GuestBot, invite

BOTS = """
import os, time
from patrizier import Move
from patrizier.bots.base import Bot

class First(Bot):
    name, about = "first", "Plays  the first turn."
    def choose(self, view, rng):
        return view.legal[0]

class Thinker(First):
    name, about = "thinker", "Thinks."
    def __init__(self, budget=None):
        self.budget = budget

class Stranger:
    pass

def make_first():
    return First()

class Cheat(First):
    def choose(self, view, rng):
        return Move("BO1:LL")

class Silent(First):
    def choose(self, view, rng):
        return None

class ForTwo(First):
    def choose(self, view, rng):
        assert view.options.players == 2, "only two can play"
        return view.legal[0]

class Late(First):
    def choose(self, view, rng):
        return view.legal[0] if view.turn < 10 else view.legal[10**6]

class Dier(First):
    def choose(self, view, rng):
        os._exit(1)

class Sleeper(First):
    def choose(self, view, rng):
        time.sleep(600)
"""


@pytest.fixture
def guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots as a module that can be imported, here and in other processes."""
    (tmp_path / "guests_at_trial.py").write_text(BOTS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)


def test_guests_pass_their_trial(guests: None) -> None:
    entries = ["first=guests_at_trial.First", " Quick-2 = guests_at_trial.Thinker:10ms "]
    assert invite(entries) == (
        GuestBot("guest:first", "guests_at_trial.First", "Plays the first turn."),
        GuestBot("guest:Quick-2", "guests_at_trial.Thinker:10ms", "Thinks."),
    )
    assert invite([]) == ()


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        (["guests_at_trial.First"], "^'guests_at_trial.First' is not like NAME=BOT$"),
        (["first="], "^'first=' is not like NAME=BOT$"),
        (["a b=greedy"], "^'a b' is no name for a bot: 1 to 24 letters, digits, - and _$"),
        ([f"{'x' * 25}=greedy"], "is no name for a bot"),
        (["Doge=greedy"], "^a guest bot cannot be named Doge: that is one of our levels$"),
        (["x=nobody"], "^x: there is no bot 'nobody'"),
        (["x=no_such_module.Bot"], "^x: .* no module no_such_module is here or installed$"),
        (["x=guests_at_trial.Missing"], "^x: there is no Missing in "),
        (["x=guests_at_trial.Stranger"], "^x: guests_at_trial.Stranger is not a bot: "),
        (["x=guests_at_trial.make_first"], "^x: guests_at_trial.make_first is not a bot: "),
        (["x=guests_at_trial.First:10ms"], "^x: the bot guests_at_trial.First takes no budget$"),
        (["x=guests_at_trial.Cheat"], "^x: illegal move in turn 1 of a game of 2: BO1:LL: "),
        (["x=guests_at_trial.Silent"], "^x: no move in turn 1 of a game of 2: NoneType instead"),
        (["x=guests_at_trial.ForTwo"], "^x: error in turn 1 of a game of 5: .* only two can play$"),
        (["x=guests_at_trial.Late"], r"^x: error in turn \d\d of a game of 2: IndexError"),
        (["x=guests_at_trial.Dier"], "^x: its process died at its trial$"),
    ],
)
def test_others_are_turned_away_with_the_reason(
    guests: None, entries: list[str], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        invite(entries)


def test_two_guests_cannot_share_a_name(guests: None) -> None:
    with pytest.raises(ValueError, match=r"^two guest bots are named x$"):
        invite(["x=guests_at_trial.First", "x=guests_at_trial.Thinker"])


def test_a_guest_that_never_answers_is_turned_away(guests: None) -> None:
    with pytest.raises(ValueError, match=r"^x: no answer within 0\.1 s$"):
        invite(["x=guests_at_trial.Sleeper"], within=0.1)
