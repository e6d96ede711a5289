"""A batch as bytes: a line of JSON, the positions, the random numbers, a checksum.

The checksum finds damage, not forgery: anybody can compute one. So what is read is checked, because
the kernels check nothing.
"""

import hashlib
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.options import Options
from patrizier.rules import RULES_VERSION
from patrizier.rules.check import check_position
from patrizier.rules.deck import Deck
from patrizier.rules.state import STATE, Cells

_MAGIC = b"PTZB\x02"  # the last byte is the version of the format
_SUM = 32
_WORDS = 2  # of 64 bits, a game's random numbers
_KINDS = {
    "players": int, "rules": str, "deck": str, "games": int, "rules_version": int, "state": int,
    "seed": int, "first": int, "restart": bool,
}  # fmt: skip


def pack(
    options: Options, about: dict[str, Any], cells: Cells, words: npt.NDArray[np.uint64]
) -> bytes:
    """Return a batch as bytes."""
    header = {
        "players": options.players,
        "rules": options.rules_text,
        "deck": options.deck.to_toml(),
        "games": len(cells),
        "rules_version": RULES_VERSION,
        "state": STATE.itemsize,
        **about,
    }
    data = _MAGIC + json.dumps(header).encode() + b"\n" + cells.tobytes() + words.tobytes()
    return data + hashlib.sha256(data).digest()


def unpack(
    data: bytes, check: bool = True
) -> tuple[Options, dict[str, Any], Cells, npt.NDArray[np.uint64]]:
    """Read what `pack` wrote; ValueError unless it is complete and undamaged.

    Without ``check`` the positions are not looked at.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a batch is read from bytes, not from a {type(data).__name__}")
    data = bytes(data)
    if data[: len(_MAGIC)] != _MAGIC:
        raise ValueError("these bytes are not a batch in the format of this version")
    if hashlib.sha256(data[:-_SUM]).digest() != data[-_SUM:]:
        raise ValueError("these bytes of a batch are damaged or cut off")
    line, _, rest = data[len(_MAGIC) : -_SUM].partition(b"\n")
    about = _read_header(line)
    try:
        deck = Deck.from_toml(about["deck"])
        options = Options(about["players"], filter(None, about["rules"].split(",")), deck)
    except ValueError as error:
        raise ValueError(f"these bytes of a batch name an unknown game: {error}") from error
    games, each = about["games"], STATE.itemsize + _WORDS * 8
    if games < 1 or len(rest) != games * each:
        raise ValueError(
            f"these bytes of a batch are not {games} games: {len(rest):,} bytes of positions,"
            f" {each} a game"
        )
    size = games * STATE.itemsize
    cells = np.frombuffer(bytearray(rest[:size]), STATE)
    words = np.frombuffer(bytearray(rest[size:]), np.uint64).reshape(-1, _WORDS)
    if check:
        _check_positions(options, cells)
    return options, about, cells, words


def _read_header(line: bytes) -> dict[str, Any]:
    """Return what the first line says; ValueError unless it says everything."""
    try:
        about = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"these bytes of a batch have no readable header: {error}") from error
    about = about if isinstance(about, dict) else {}
    for key, kind in _KINDS.items():
        if type(about.get(key)) is not kind:
            raise ValueError(f"these bytes of a batch have a header without {key}")
    if (about["rules_version"], about["state"]) != (RULES_VERSION, STATE.itemsize):
        raise ValueError(
            f"these bytes of a batch are of version {about['rules_version']} of the rules,"
            f" with {about['state']} bytes a position: this is version {RULES_VERSION},"
            f" with {STATE.itemsize}"
        )
    if not 0 <= about["seed"] < 2**64:
        raise ValueError("these bytes of a batch have an impossible seed")
    if not 0 <= about["first"] < 2**63 - about["games"]:
        raise ValueError("these bytes of a batch have impossible numbers of games")
    return about


def _check_positions(options: Options, cells: Cells) -> None:
    blank = options.blank_cells()
    for game in range(len(cells)):
        one = cells[game : game + 1]
        if any((one[field] != blank[field]).any() for field in ("players", "rules", "faces")):
            raise ValueError(f"these bytes of a batch: game {game} is of another kind")
        try:
            check_position(one)
        except ValueError as error:
            raise ValueError(f"these bytes of a batch: game {game} is {error}") from error
