"""Positions as bytes from outside: refused with a ValueError, or playable to the end.

Compiled code checks no bounds, so whatever passes here must not be able to break it.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from patrizier import Game, Options, State
from patrizier.rules.board import CARDS, CODES, EDGES
from patrizier.rules.state import (
    BUILDING,
    DEALT,
    DRAWING,
    IN_PILE,
    MOVING,
    ON_DISPLAY,
    PLAYED,
    POSTING,
    STATE,
    TAKEN,
    Cells,
    new_cells,
)
from support.kinds import STARRY
from support.outsiders import good_games, play_to_the_end

FIELDS = STATE.names or ()
HEAD = 4  # bytes before the record
MARK = Game(Options(2), seed=1).state.to_bytes()[:HEAD]


def check(data: bytes, rng: Random) -> bool:
    """Read bytes as a position; return whether they were one."""
    try:
        state = State.from_bytes(data)
    except ValueError:
        return False
    assert state.to_bytes() == State.from_bytes(state.to_bytes()).to_bytes()
    for viewer in (0, None):
        view = state.view(viewer)
        assert view.sample(1).view(viewer) == view
    play_to_the_end(state, rng)
    return True


# -- bytes


@pytest.mark.parametrize("size", [0, 3, 4, 5, HEAD + STATE.itemsize - 1, HEAD + STATE.itemsize + 1])
def test_bytes_of_another_length_are_refused(size: int) -> None:
    data = (Game(Options(2), seed=1).state.to_bytes() * 2)[:size]
    with pytest.raises(ValueError, match="bytes"):
        State.from_bytes(data)


def test_bytes_of_another_version_are_refused() -> None:
    data = Game(Options(2), seed=1).state.to_bytes()
    for place in range(HEAD):
        broken = bytearray(data)
        broken[place] ^= 1
        with pytest.raises(ValueError, match="version"):
            State.from_bytes(bytes(broken))


@pytest.mark.plain
@pytest.mark.parametrize("fill", [0, 1, 255])
def test_filled_bytes_are_refused(fill: int) -> None:
    with pytest.raises(ValueError, match="not a position"):
        State.from_bytes(MARK + bytes([fill]) * STATE.itemsize)


def test_random_bytes_are_refused() -> None:
    rng = Random(1)
    for _ in range(300):
        with pytest.raises(ValueError, match="not a position"):
            State.from_bytes(MARK + rng.randbytes(STATE.itemsize))


@pytest.mark.parametrize(
    "field",
    [pytest.param(f, marks=[pytest.mark.plain] * (f in ("phase", "hands"))) for f in FIELDS],
)
def test_flipped_bytes_are_refused_or_played(field: str) -> None:
    """Change bytes of every field of the record."""
    rng = Random(field)
    dtype, offset = STATE.fields[field][:2]  # type: ignore[index]
    for _ in range(20):
        data = bytearray(rng.choice(good_games()).state.to_bytes())
        for _ in range(rng.choice([1, 1, 2])):
            place = HEAD + int(offset) + rng.randrange(dtype.itemsize)
            near = (data[place] + rng.choice([-1, 1])) % 256
            data[place] = rng.choice(
                [near, rng.randrange(8), rng.choice([54, 55, 127, 128, 254, 255])]
            )
        check(bytes(data), rng)


@pytest.mark.parametrize("seed", range(4))
def test_scattered_bytes_are_refused_or_played(seed: int) -> None:
    rng = Random(seed)
    for _ in range(100):
        data = bytearray(rng.choice(good_games()).state.to_bytes())
        for _ in range(rng.choice([1, 2, 10])):
            data[rng.randrange(HEAD, len(data))] ^= 1 << rng.randrange(8)
        check(bytes(data), rng)


# -- positions that look right, with one thing done against the rules

Trick = Callable[[Any, Random], None]
TRICKS: dict[str, Trick] = {}


def trick(function: Trick) -> Trick:
    TRICKS[function.__name__] = function
    return function


@trick
def exchange_two_cards(record: Any, rng: Random) -> None:
    """Two cards change places, wherever they are."""
    one, two = rng.sample([card for card, place in enumerate(record.where) if place >= 0], 2)
    swap = {one: two, two: one}
    for name in ("hands", "display", "pile", "tops"):
        record[name].flat[:] = [swap.get(card, card) for card in record[name].ravel().tolist()]
    for name in ("card", "drawn", "refill"):
        record[name] = swap.get(int(record[name]), int(record[name]))
    record.where[one], record.where[two] = int(record.where[two]), int(record.where[one])


@trick
def give_a_card_away(record: Any, rng: Random) -> None:
    """A card goes from one hand into a free place of another."""
    players = int(record.players)
    full = [(s, i) for s in range(players) for i in range(3) if record.hands[s, i] >= 0]
    free = [(s, i) for s in range(players) for i in range(3) if record.hands[s, i] < 0]
    if full and free:
        (seat, slot), (other, place) = rng.choice(full), rng.choice(free)
        card = int(record.hands[seat, slot])
        record.hands[seat, slot], record.hands[other, place] = -1, card
        record.where[card] = rng.choice([TAKEN, DEALT]) + other


@trick
def take_a_card_from_the_display(record: Any, rng: Random) -> None:
    lying = np.flatnonzero(record.display >= 0).tolist()
    free = np.argwhere(record.hands[: int(record.players)] < 0).tolist()
    if lying and free:
        city, (seat, slot) = rng.choice(lying), rng.choice(free)
        card = int(record.display[city])
        record.display[city] = -1
        record.hands[seat, slot] = card
        record.where[card] = TAKEN + seat


@trick
def put_a_card_back(record: Any, rng: Random) -> None:
    """A card from a hand lies in the display or the pile again."""
    full = np.argwhere(record.hands >= 0).tolist()
    if not full:
        return
    seat, slot = rng.choice(full)
    card = int(record.hands[seat, slot])
    free = np.flatnonzero(record.display < 0).tolist()
    record.hands[seat, slot] = -1
    if free and rng.random() < 0.5:
        record.display[rng.choice(free)] = card
        record.where[card] = ON_DISPLAY
    elif record.pile_left < len(record.pile):
        record.pile[int(record.pile_left)] = card
        record.pile_left += 1
        record.where[card] = IN_PILE


@trick
def change_the_phase(record: Any, rng: Random) -> None:
    record.phase = rng.choice([BUILDING, MOVING, DRAWING, POSTING])
    if rng.random() < 0.7:
        record.free = rng.choice([-1, 0, 1])
    if record.phase == BUILDING:
        for name in ("card", "way", "moved", "source", "free", "drawn", "refill", "edge", "scored"):
            record[name] = -1


@trick
def change_the_turn_under_way(record: Any, rng: Random) -> None:
    names = ("card", "way", "moved", "source", "free", "drawn", "refill", "edge", "scored")
    for name in rng.sample(names, rng.choice([1, 2, 4])):
        record[name] = rng.choice([-1, 0, 1, rng.randrange(10), rng.randrange(55)])


@trick
def change_the_rules(record: Any, rng: Random) -> None:
    record.rules = rng.randrange(17)
    if rng.random() < 0.5:
        record.messengers_left[:] = rng.choice([0, 1, 2])


@trick
def change_the_seats(record: Any, rng: Random) -> None:
    record.start = rng.randrange(int(record.players))
    record.seat = (int(record.start) + int(record.turn)) % int(record.players)


@trick
def change_the_turn(record: Any, rng: Random) -> None:
    record.turn += rng.choice([-int(record.players), -1, 1, int(record.players)])
    record.seat = (int(record.start) + int(record.turn)) % int(record.players)


@trick
def change_a_tower(record: Any, rng: Random) -> None:
    """A top floor moves to the other site, or two floors change places."""
    city = rng.randrange(10)
    site = rng.randrange(2)
    height, other = int(record.heights[city, site]), int(record.heights[city, 1 - site])
    if height and rng.random() < 0.5:
        owner = int(record.floors[city, site, height - 1])
        record.floors[city, site, height - 1] = -1
        record.floors[city, 1 - site, other] = owner
        record.heights[city] += [-1, 1] if site == 0 else [1, -1]
        record.counts[city, site, owner] -= 1
        record.counts[city, 1 - site, owner] += 1
    elif height and other:
        one, two = int(record.floors[city, 0, 0]), int(record.floors[city, 1, 0])
        record.floors[city, 0, 0], record.floors[city, 1, 0] = two, one
        for place, owner, sign in ((0, one, -1), (0, two, 1), (1, two, -1), (1, one, 1)):
            record.counts[city, place, owner] += sign


@trick
def change_a_messenger(record: Any, rng: Random) -> None:
    edge = rng.randrange(len(EDGES))
    there = int(record.messengers[edge])
    record.messengers[edge] = 1 - there
    for code in EDGES[edge].split("-"):
        record.messengers_at[CODES.index(code)] += 1 - 2 * there
    record.messengers_left[rng.randrange(int(record.players))] += 2 * there - 1


@trick
def change_chips(record: Any, rng: Random) -> None:
    record.chips[rng.randrange(5)] += rng.choice([-2, 2, 4, 1])


@trick
def change_a_face(record: Any, rng: Random) -> None:
    one, two = rng.sample(range(len(CARDS)), 2)
    record.faces[one], record.faces[two] = int(record.faces[two]), int(record.faces[one])


@trick
def change_whose_pile(record: Any, rng: Random) -> None:
    """Two played cards change piles."""
    played = np.flatnonzero(record.where >= PLAYED).tolist()
    if len(played) > 1:
        one, two = rng.sample(played, 2)
        record.where[one], record.where[two] = int(record.where[two]), int(record.where[one])


@trick
def change_where_a_card_came_from(record: Any, rng: Random) -> None:
    """A card that was drawn in plain sight counts as dealt, or the other way round."""
    full = np.argwhere(record.hands >= 0).tolist()
    if full:
        seat, slot = rng.choice(full)
        record.where[int(record.hands[seat, slot])] = rng.choice([DEALT, TAKEN]) + seat


def tricked(names: Iterator[str], rng: Random) -> bytes:
    state = rng.choice(good_games()).state
    cells: Cells = new_cells()
    cells[0] = state.record
    with np.errstate(all="ignore"):
        for name in names:
            TRICKS[name](cells[0], rng)
    return MARK + cells.tobytes()


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_are_refused_or_played(name: str) -> None:
    rng = Random(name)
    for _ in range(25):
        check(tricked(iter([name]), rng), rng)


@pytest.mark.parametrize("seed", range(4))
def test_two_tricks_at_once_are_refused_or_played(seed: int) -> None:
    rng = Random(seed)
    for _ in range(80):
        check(tricked(iter(rng.sample(sorted(TRICKS), 2)), rng), rng)


def test_some_tricks_are_no_tricks() -> None:
    """These tests reach playing: not everything is refused at once."""
    rng = Random(1)
    data = [tricked(iter(["exchange_two_cards"]), rng) for _ in range(60)]
    assert sum(check(one, rng) for one in data) > 5


def refused(state: State, change: Callable[[Any], None]) -> None:
    """Check that a position with this change is refused."""
    cells = new_cells()
    cells[0] = state.record
    assert State.from_bytes(MARK + cells.tobytes()) == state
    change(cells[0])
    with pytest.raises(ValueError, match="not a position"):
        State.from_bytes(MARK + cells.tobytes())


def test_a_draw_with_nothing_to_draw_is_refused() -> None:
    """Nothing would be legal there."""
    game = Game(Options(2, {"messengers"}, STARRY), seed=1)
    while game.turn < 43 or game.phase != "messenger":  # when no card lies out any more
        game.decide(game.legal_decisions()[0])

    def to_draw(record: Any) -> None:
        record.phase = DRAWING

    refused(game.state, to_draw)


def test_a_hand_that_is_empty_too_early_is_refused() -> None:
    """Nothing would be legal there, either."""
    game = Game(Options(2), seed=1)
    while game.turn < 45:  # three cards are left
        game.play(game.legal_moves[0])

    def give_all_away(record: Any) -> None:
        held = [card for card in record.hands.ravel().tolist() if card >= 0]
        record.hands[game.seat] = -1
        record.hands[1 - (game.seat or 0)] = held
        record.where[held] = TAKEN + 1 - (game.seat or 0)

    refused(game.state, give_all_away)


def test_a_messenger_of_somebody_without_messengers_is_refused() -> None:
    """One more would lie on the board than there are."""
    game = Game(Options(2, {"messengers"}, STARRY), seed=1)
    while (game.phase, game.seat) != ("messenger", 0) or game.view(0).seats[1].messengers_left:
        codes = game.legal_decisions()
        game.decide(codes[-1 if game.seat == 1 else 0])

    def exchange_messengers(record: Any) -> None:
        record.messengers_left[:2] = record.messengers_left[:2][::-1].copy()

    refused(game.state, exchange_messengers)
