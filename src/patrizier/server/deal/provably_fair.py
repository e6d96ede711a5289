"""The provably fair deal: commit to a secret, take contributions, derive the deal.

docs/deal.md specifies it to the byte. ``not_first`` is the seat of whoever started the game before
this one, in a rematch: that seat does not start.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Mapping
from typing import TypeVar

from patrizier.deal import Deal
from patrizier.options import Options
from patrizier.rules.board import HAND, cards_in_play, cities_in_play

SIZE = 32  # bytes of a secret, of a contribution, of every hash
_COMMITMENT = b"patrizier commitment 1\n"
_SEED = b"patrizier deal 1\n"
_TABLE = b"patrizier table 1\n"
_WORDS = 2**32
_HEX = re.compile(f"[0-9a-f]{{{2 * SIZE}}}")

_Item = TypeVar("_Item")


def new_secret() -> bytes:
    """Return a secret for a new table."""
    return secrets.token_bytes(SIZE)


def is_hash(text: str) -> bool:
    """Whether this is 32 bytes in lower-case hex, as all values here are."""
    return _HEX.fullmatch(text) is not None


def options_text(options: Options, not_first: int | None = None) -> str:
    """Return the options as the commitment covers them: all that affects deal or rules."""
    text = f"{options.players};{options.rules_text};{options.deck.cards_text}"
    return text if not_first is None else f"{text};{not_first + 1}"


def table_mark(table_id: str) -> str:
    """Return a table's public mark: a hash of its id, safe to publish in records."""
    return hashlib.sha256(_TABLE + table_id.encode()).hexdigest()


def commit(
    secret: bytes, table_id: str, options: Options | str, not_first: int | None = None
) -> str:
    """Return the commitment, published before anybody contributes; options may be their text."""
    text = options if isinstance(options, str) else options_text(options, not_first)
    return commitment_of(secret, table_mark(table_id), text)


def commitment_of(secret: bytes, mark: str, text: str) -> str:
    """Return the commitment for a table known by its mark."""
    _check_secret(secret)
    return hashlib.sha256(_COMMITMENT + secret + bytes.fromhex(mark) + text.encode()).hexdigest()


def derive(
    secret: bytes,
    table_id: str,
    options: Options,
    contributions: Mapping[int, str],
    not_first: int | None = None,
) -> Deal:
    """Return the deal that follows from the secret and the seats' contributions."""
    commitment = commit(secret, table_id, options, not_first)
    return derive_from(secret, commitment, options, contributions, not_first)


def derive_from(
    secret: bytes,
    commitment: str,
    options: Options,
    contributions: Mapping[int, str],
    not_first: int | None = None,
) -> Deal:
    """Return the deal for a table known by its commitment."""
    _check_secret(secret)
    stream = stream_words(_seed(secret, commitment, options.players, contributions))
    cards = sorted(cards_in_play(options.players))
    stars = [card for card in cards if options.deck[card].star]
    _shuffle(stars, stream)
    dealt = HAND * options.players
    rest = stars[dealt:] + [card for card in cards if not options.deck[card].star]
    _shuffle(rest, stream)
    hands = tuple(tuple(stars[first : first + HAND]) for first in range(0, dealt, HAND))
    shown = len(cities_in_play(options.players))
    starters = [seat for seat in range(options.players) if seat != not_first]
    start = starters[below(len(starters), stream)]
    return Deal(hands, tuple(rest[:shown]), tuple(rest[shown:]), start)


def record_tags(
    secret: bytes,
    table_id: str,
    options: Options,
    contributions: Mapping[int, str],
    not_first: int | None = None,
) -> dict[str, str]:
    """Return the tags with which the record of a finished game can be verified."""
    return {
        "Table": table_mark(table_id),
        **({} if not_first is None else {"NotFirst": str(not_first + 1)}),
        "Commitment": commit(secret, table_id, options, not_first),
        "Contributions": "/".join(contributions.get(seat, "-") for seat in range(options.players)),
        "Secret": secret.hex(),
    }


def _check_secret(secret: bytes) -> None:
    if len(secret) != SIZE:
        raise ValueError(f"a secret has {SIZE} bytes")


def _seed(secret: bytes, commitment: str, players: int, contributions: Mapping[int, str]) -> bytes:
    """Return the seed: a keyed hash over the commitment and every seat's contribution."""
    if not set(contributions) <= set(range(players)):
        raise ValueError("a contribution from a seat that does not exist")
    message = _SEED + bytes.fromhex(commitment)
    for seat in range(players):
        given = contributions.get(seat)
        if given is None:
            message += b"\x00" * (SIZE + 1)
            continue
        if not is_hash(given):
            raise ValueError(f"a contribution is {2 * SIZE} lower-case hex digits")
        message += b"\x01" + bytes.fromhex(given)
    return hmac.digest(secret, message, "sha256")


def stream_words(seed: bytes) -> Iterator[int]:
    """Yield 32-bit numbers forever: keyed hashes of a counter, eight numbers each."""
    counter = 0
    while True:
        block = hmac.digest(seed, counter.to_bytes(8, "big"), "sha256")
        for first in range(0, SIZE, 4):
            yield int.from_bytes(block[first : first + 4], "big")
        counter += 1


def below(n: int, stream: Iterator[int]) -> int:
    """Return a uniform number from 0 to n - 1, by rejection."""
    limit = _WORDS - _WORDS % n
    return next(word for word in stream if word < limit) % n


def _shuffle(items: list[_Item], stream: Iterator[int]) -> None:
    """Shuffle in place (Fisher-Yates, from the end)."""
    for last in range(len(items) - 1, 0, -1):
        other = below(last + 1, stream)
        items[last], items[other] = items[other], items[last]
