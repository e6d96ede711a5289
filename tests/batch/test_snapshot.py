"""Bytes of a batch: anybody can forge them with a fitting checksum, and kernels check nothing."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patrizier import Options
from patrizier.batch import Batch
from patrizier.rules.state import STATE

GAMES, OPTIONS = 3, Options(3, ["messengers"])
SUM, MAGIC = 32, 5


def played() -> bytes:
    batch = Batch(GAMES, OPTIONS.players, OPTIONS.rules, seed=4, threads=1)
    for _ in range(60):
        batch.step(batch.random_codes())
    return batch.to_bytes()


DATA = played()


def sealed(content: bytes) -> bytes:
    """Return content with a checksum that fits."""
    return content + hashlib.sha256(content).digest()


def forged(
    header: Callable[[dict[str, Any]], Any] = lambda _: None,
    cells: Callable[[Any], Any] = lambda _: None,
    words: Callable[[bytes], bytes] = lambda it: it,
) -> bytes:
    """Return the bytes of a batch with something changed, and a checksum that fits."""
    line, _, rest = DATA[MAGIC:-SUM].partition(b"\n")
    about = json.loads(line)
    positions = np.frombuffer(bytearray(rest[: GAMES * STATE.itemsize]), STATE)
    header(about)
    cells(positions)
    told = json.dumps(about).encode() + b"\n" + positions.tobytes()
    return sealed(DATA[:MAGIC] + told + words(rest[GAMES * STATE.itemsize :]))


def test_what_was_not_changed_is_read() -> None:
    assert forged() == DATA
    assert Batch.from_bytes(forged()).to_bytes() == DATA


def put(field: str, value: int, game: int = 1) -> Callable[[Any], None]:
    def change(cells: Any) -> None:
        cells[field][game] = value

    return change


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("seat", 99, "game 1 is not a position of the game: another seat's turn"),
        ("phase", 77, "game 1 is not a position of the game: an unknown phase"),
        ("missing", 3, "game 1 is not a position of the game"),
        ("players", 2, "game 1 is of another kind"),
        ("rules", 0, "game 1 is of another kind"),
        ("faces", 0, "game 1 is of another kind"),
    ],
)
def test_a_forged_position_is_refused(field: str, value: int, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Batch.from_bytes(forged(cells=put(field, value)))


@pytest.mark.parametrize("key", json.loads(DATA[MAGIC:].partition(b"\n")[0]))
def test_a_header_says_everything(key: str) -> None:
    with pytest.raises(ValueError, match=f"header without {key}"):
        Batch.from_bytes(forged(header=lambda about: about.pop(key)))
    with pytest.raises(ValueError, match=f"header without {key}"):
        Batch.from_bytes(forged(header=lambda about: about.update({key: None})))


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"rules_version": 0}, "of version 0 of the rules"),
        ({"state": 8}, "with 8 bytes a position"),
        ({"games": 2}, "are not 2 games"),
        ({"games": 0}, "are not 0 games"),
        ({"games": -3}, "are not -3 games"),
        ({"players": 9}, "name an unknown game"),
        ({"players": True}, "without players"),
        ({"players": 4}, "is of another kind"),
        ({"rules": "messenger"}, "name an unknown game"),
        ({"deck": "x"}, "name an unknown game"),
        ({"seed": -1}, "an impossible seed"),
        ({"seed": 2**64}, "an impossible seed"),
        ({"first": -1}, "impossible numbers"),
        ({"first": 2**63 - 2}, "impossible numbers"),
    ],
    ids=repr,
)
def test_an_impossible_header_is_refused(changed: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Batch.from_bytes(forged(header=lambda about: about.update(changed)))


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"\xff", b"7"], ids=repr)
def test_a_header_that_cannot_be_read_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="these bytes of a batch have"):
        Batch.from_bytes(sealed(DATA[:MAGIC] + line + b"\n"))


@pytest.mark.parametrize("keep", [0, 16, 40])
def test_random_numbers_of_every_game_are_there(keep: int) -> None:
    with pytest.raises(ValueError, match="are not 3 games"):
        Batch.from_bytes(forged(words=lambda it: it[:keep]))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_changed_is_refused_or_can_be_played(data: st.DataObject) -> None:
    content = bytearray(DATA[:-SUM])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(MAGIC, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    try:
        batch = Batch.from_bytes(sealed(bytes(content)), threads=1)
    except ValueError:
        return
    for _ in range(20):
        for game in range(batch.games):
            assert batch.state(game).legal_decisions() or batch.state(game).is_over
        batch.step(batch.random_codes())


def test_bytes_of_ones_own_need_no_check() -> None:
    with pytest.raises(ValueError, match="another seat's turn"):
        Batch.from_bytes(forged(cells=put("seat", 0, 0)))
    assert Batch.from_bytes(DATA, check=False).to_bytes() == DATA
    with pytest.raises(ValueError, match="damaged"):
        Batch.from_bytes(DATA[:-1], check=False)
    with pytest.raises(TypeError, match="check is True or False"):
        Batch.from_bytes(DATA, check=1)  # type: ignore[arg-type]


def test_settings_of_a_batch_read_from_bytes() -> None:
    batch = Batch.from_bytes(DATA, restart=False, observation="floats", mask=False)
    assert (batch.restart, batch.observation, len(batch.mask)) == (False, "floats", 0)
    for name in ("seed", "games", "first", "thread"):
        wrong: dict[str, Any] = {name: 1}
        with pytest.raises(TypeError, match=f"'{name}' cannot be set here"):
            Batch.from_bytes(DATA, **wrong)
    with pytest.raises(TypeError, match="'seed' cannot be set here"):
        batch.part(0, 1, seed=2)
