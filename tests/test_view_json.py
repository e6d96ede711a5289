"""Views as JSON from outside: refused with a ValueError, or playable to the end."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from patrizier import Game, Options, View
from support.outsiders import good_games, play_to_the_end


@cache
def good_views() -> list[str]:
    rng = Random(3)
    views = [game.view(rng.choice([game.seat, 0, 1, None])) for game in good_games()]
    return [json.dumps(view.to_json()) for view in views]


VALUES: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 3, 5, 8, 55, 99, 127, 128, 300, -129, 10**9, 10**30),
    *(0.0, 1.0, 1.5, 1e300, "", "BO1", "BO", "XX1", "MI-PA", "BO1:LL", "L", "build", "over", "x"),
    *([], [0], [None], ["BO1"], [[]], {}, {"L": 0}, {"": {}}),
]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the way to everything inside."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(data[key], (*path, key))


def inside(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def broken_view(rng: Random) -> Any:
    """Break a good view, once or a few times over."""
    data: Any = json.loads(rng.choice(good_views()))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        first = rng.choice([key for key in data if key != "deck" or rng.random() < 0.1])
        choice = [(first, *rest) for rest in places(data[first])] or [(first,)]
        *way, key = rng.choice([(first,), rng.choice(choice), rng.choice(choice)])
        holder = inside(data, tuple(way))
        kind = rng.randrange(6)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == 2 and isinstance(holder, list):
            rng.shuffle(holder)
        elif kind == 3 and isinstance(holder[key], int):
            holder[key] += rng.choice([-1, 1])
        elif kind == 4:
            others = [(first, *rest) for rest in places(data[first])] or [(first,)]
            holder[key] = copy.deepcopy(inside(data, rng.choice(others)))
        elif kind == 5 and isinstance(holder, dict):
            holder[rng.choice(["extra", *holder])] = copy.deepcopy(rng.choice(VALUES))
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
    return data


def check_view(data: Any, rng: Random) -> bool:
    """Read JSON as a view; return whether it was one."""
    text = json.dumps(data)
    try:
        view = View.from_json(data)
    except ValueError:
        return False
    finally:
        assert json.dumps(data) == text  # what is read is not changed
    assert view.viewer is None or type(view.viewer) is int
    assert type(view.options.players) is int
    for seed in range(2):
        play_to_the_end(view.sample(seed), rng)
    return True


@pytest.mark.parametrize("seed", range(8))
def test_broken_views_are_refused_or_played(seed: int) -> None:
    rng = Random(seed)
    for _ in range(150):
        check_view(broken_view(rng), rng)


def test_good_views_are_read() -> None:
    rng = Random(1)
    for text in good_views()[::5]:
        assert check_view(json.loads(text), rng)


@pytest.mark.parametrize(
    "data", [None, [], {}, 1, "x", {"version": 1}, {"version": 1, "rules_version": 1}]
)
def test_what_is_no_view_at_all_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="not a view"):
        View.from_json(data)


@pytest.mark.parametrize("value", [None, *range(-3, 9), 2.0, 0.5, "0", [], {}, 10**30, True])
@pytest.mark.parametrize(
    "key", ["viewer", "players", "start", "turn", "seat", "pile_left", "phase", "pending", "rules"]
)
def test_every_value_of_a_view_is_checked(key: str, value: Any) -> None:
    data = json.loads(good_views()[1])
    data[key] = value
    check_view(data, Random(1))


@pytest.mark.parametrize("key", sorted(Game(Options(2), seed=1).view(0).to_json()))
def test_a_view_without_a_key_is_refused(key: str) -> None:
    data = json.loads(good_views()[1])
    del data[key]
    with pytest.raises(ValueError, match="view"):
        View.from_json(data)


def test_an_endless_hand_is_refused() -> None:
    data = json.loads(good_views()[1])
    data["seats"][0]["unknown"] = 10**15
    with pytest.raises(ValueError, match=r"view|hand"):
        View.from_json(data)


@pytest.mark.parametrize(
    ("field", "value"), [("turn", "x"), ("turn", 5), ("seat", 77), ("seat", None)]
)
def test_a_history_of_other_turns_is_refused(field: str, value: object) -> None:
    game = Game(Options(3), seed=1)
    for _ in range(4):
        game.play(game.legal_moves[0])
    data = game.view(0).to_json()
    assert View.from_json(data) == game.view(0)
    data["history"][2][field] = value
    with pytest.raises(ValueError, match="history"):
        View.from_json(data)


def test_a_history_with_a_gap_is_refused() -> None:
    game = Game(Options(3), seed=1)
    for _ in range(4):
        game.play(game.legal_moves[0])
    data = game.view(0).to_json()
    del data["history"][1]
    with pytest.raises(ValueError, match="history"):
        View.from_json(data)
