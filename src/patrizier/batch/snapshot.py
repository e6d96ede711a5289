"""A batch as bytes: a line of JSON, the positions, the random numbers, a checksum."""

import hashlib
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.options import Options
from patrizier.rules.deck import Deck
from patrizier.rules.state import STATE, Cells

_MAGIC = b"PTZB\x01"  # the last byte is the version of the format
_SUM = 32


def pack(
    options: Options, about: dict[str, Any], cells: Cells, words: npt.NDArray[np.uint64]
) -> bytes:
    """Return a batch as bytes."""
    header = {
        "players": options.players,
        "rules": options.rules_text,
        "deck": options.deck.to_toml(),
        "games": len(cells),
        **about,
    }
    data = _MAGIC + json.dumps(header).encode() + b"\n" + cells.tobytes() + words.tobytes()
    return data + hashlib.sha256(data).digest()


def unpack(data: bytes) -> tuple[Options, dict[str, Any], Cells, npt.NDArray[np.uint64]]:
    """Read what `pack` wrote; ValueError unless it is complete and unharmed."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a batch is read from bytes, not from a {type(data).__name__}")
    if data[: len(_MAGIC)] != _MAGIC:
        raise ValueError("these bytes are not a batch in the format of this version")
    if hashlib.sha256(data[:-_SUM]).digest() != data[-_SUM:]:
        raise ValueError("these bytes of a batch are damaged or cut off")
    line, _, rest = data[len(_MAGIC) : -_SUM].partition(b"\n")
    about = json.loads(line)
    deck = Deck.from_toml(about["deck"])
    options = Options(about["players"], filter(None, about["rules"].split(",")), deck)
    size = about["games"] * STATE.itemsize
    cells = np.frombuffer(bytearray(rest[:size]), STATE)
    words = np.frombuffer(bytearray(rest[size:]), np.uint64).reshape(-1, 2)
    return options, about, cells, words
