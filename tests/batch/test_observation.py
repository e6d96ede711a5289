"""Observations: what the view says, in fixed places, and nothing that a seat cannot know."""

import hashlib
from random import Random

import numpy as np
import pytest

from batch.devices import DEVICE, KINDS, SLOW, STEPS, host, new_batch
from patrizier import Game, Options, View
from patrizier.batch import (
    FLOATS,
    OBSERVATION,
    OBSERVATION_VERSION,
    decode,
    describe,
    explain,
    observe,
    observe_floats,
)
from patrizier.batch.layout import BITS, CHOICE
from patrizier.rules.state import copy_cells
from support.kinds import for_every

every_kind = for_every(KINDS, (Options(2), Options(5, ("messengers",))))


@every_kind
def test_permuting_what_a_seat_cannot_know_changes_no_byte(options: Options) -> None:
    batch = new_batch(options, observation="floats")
    rng, changed = Random(1), 0
    for step in range(STEPS // 2):
        before = host(batch.observations), host(batch.floats)
        cells = batch._cells(0, batch.games)
        others = cells.copy()
        for game in range(batch.games):
            other = copy_cells(batch.view(game).sample(step)._cells)
            for seat in range(options.players):
                hand = other[0].hands[seat]
                hand[:] = rng.sample(hand.tolist(), 3)
            others[game] = other[0]
        changed += sum(bool(a != b) for a, b in zip(cells, others, strict=True))
        words = host(batch._store.words)
        batch._put(others, words)
        assert np.array_equal(before[0], host(batch.observations))
        assert np.array_equal(before[1], host(batch.floats))
        batch._put(cells, words)
        batch.step(batch.random_codes())
    assert changed > STEPS // 2


@every_kind
def test_a_view_gives_the_same_bytes_as_the_batch(options: Options) -> None:
    batch = new_batch(options, observation="floats")
    for _ in range(STEPS // 2):
        rows, floats = host(batch.observations), host(batch.floats)
        for game in range(0, batch.games, 7):
            assert np.array_equal(observe(batch.view(game)), rows[game])
            assert np.array_equal(observe_floats(batch.view(game)), floats[game])
        batch.step(batch.random_codes())


def rotated(view: View, seat: int) -> int:
    assert view.viewer is not None
    return (seat - view.viewer) % view.options.players


@every_kind
def test_every_field_says_what_the_view_says(options: Options) -> None:
    """For every seat and in every phase, from the deal to the end."""
    rng, phases = Random(2), set()
    game = Game(options, seed=3)
    for _ in range(30 if SLOW else 400):
        for viewer in range(options.players):
            check(game.view(viewer))
        phases.add(game.phase)
        if game.is_over:
            break
        game.decide(rng.choice(game.legal_decisions()))
    assert SLOW or phases >= {"build", "move", "draw", "over"}


def check(view: View) -> None:
    told = explain(observe(view))
    assert told["players"] == view.options.players
    assert set(told["rules"]) == view.options.rules
    assert told["turn"] == view.turn
    assert told["phase"] == view.phase
    assert told["seat"] == (None if view.seat is None else rotated(view, view.seat))
    assert told["pile_left"] == view.pile_left
    assert told["unseen"] == list(view.unseen)
    assert told["messengers"] == list(view.messengers)
    assert told["deck"] == {card: view.options.deck[card].text for card in told["deck"]}
    check_turn(view, told["now"])
    assert list(told["cities"]) == [city.code for city in view.cities]
    for city in view.cities:
        found = told["cities"][city.code]
        assert told["display"][city.code] == city.card
        assert found["left"] == [rotated(view, seat) for seat in city.left]
        assert found["right"] == [rotated(view, seat) for seat in city.right]
        assert found["messengers"] == city.messengers
        assert found["missing"] == city.capacity - len(city.left) - len(city.right)
        winners = city.winners and [rotated(view, seat) for seat in city.winners]
        assert found["winners"] == winners
    for row in view.seats:
        found = told["seats"][rotated(view, row.seat)]
        assert sorted(found["hand"] + found["secret"]) == list(row.hand)
        assert found["secret"] == list(row.secret)
        assert found["pile"] == list(row.pile)
        assert found["tokens"] == sum(row.tokens)
        same = ("unknown", "heads", "supply", "chips", "messengers_left")
        assert {name: found[name] for name in same} == {name: getattr(row, name) for name in same}
    seen = decode(observe(view))
    floors = seen["floors"]
    assert np.array_equal(seen["heights"], (floors > 0).sum(2))
    for relative in range(5):
        assert np.array_equal(seen["counts"][:, :, relative], (floors == relative + 1).sum(2))


def check_turn(view: View, now: dict[str, object] | None) -> None:
    pending = view.pending
    assert (now is None) == (pending is None)
    if now is None or pending is None:
        return
    move = pending.move
    assert now["card"] == move.card
    assert now["right"] == move.sites.count("R")
    assert now["moved"] == move.moved
    assert now["drawn"] == pending.drawn
    assert now["refill"] == pending.refill
    assert now["scored"] == (pending.scored and pending.scored.city)
    assert now["free"] == (view.phase == "draw" or move.draw is not None)
    assert move.draw is None or now["source"] == move.draw


@pytest.mark.plain
def test_fields_cover_all_bytes_and_floats_without_a_gap() -> None:
    byte = first = 0
    for place in describe():
        assert (place.bytes.start, place.floats.start) == (byte, first)
        byte, first = place.bytes.stop, place.floats.stop
        assert OBSERVATION.fields is not None
        assert OBSERVATION.fields[place.field.name][1] == place.bytes.start
        assert place.field.about
    assert (byte, first) == (OBSERVATION.itemsize, FLOATS)


def test_the_layout_has_its_version() -> None:
    """Whoever changes the layout raises the version, and then this line."""
    layout = [(p.field.name, p.field.shape, p.field.kind, p.field.high) for p in describe()]
    digest = hashlib.sha256(repr(layout).encode()).hexdigest()[:16]
    assert (OBSERVATION_VERSION, OBSERVATION.itemsize, FLOATS) == (1, 506, 3021)
    assert digest == "d0e34b1067169c17"


def test_floats_say_exactly_what_bytes_say() -> None:
    batch = new_batch(KINDS[-1], observation="floats")
    for _ in range(STEPS // 3):
        batch.step(batch.random_codes())
    for row, floats in zip(host(batch.observations), host(batch.floats), strict=True):
        for place in describe():
            field = place.field
            parts = floats[place.floats].reshape(-1, field.each)
            if field.kind == CHOICE:
                assert set(parts.sum(1)) <= {0, 1}
                back = parts @ np.arange(1, field.high + 1)
            elif field.kind == BITS:
                back = parts @ (1 << np.arange(field.high))
            else:
                back = np.rint(parts[:, 0] * field.high)
            assert np.array_equal(back, row[place.bytes]), field.name


@pytest.mark.plain
def test_what_is_no_observation_is_refused() -> None:
    for row in (np.zeros(7, np.uint8), np.zeros(OBSERVATION.itemsize), [0]):
        with pytest.raises(ValueError, match=f"{OBSERVATION.itemsize} bytes"):
            decode(row)
    with pytest.raises(ValueError, match="spectator"):
        observe(Game(Options(2), seed=1).view(None))


def test_the_device_of_this_run() -> None:
    assert new_batch(Options(2)).device == DEVICE
