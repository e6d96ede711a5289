"""Many games at once: the rules' own games, wherever and however they are run."""

from typing import Any

import numpy as np
import pytest
from numba import cuda

from batch.devices import (
    DEVICE,
    GAMES,
    KINDS,
    SIMULATED,
    SLOW,
    STEPS,
    buffers,
    codes_for,
    host,
    new_batch,
    same,
)
from patrizier import Deal, IllegalMove, Options, State
from patrizier.batch import DECISIONS, OBSERVATION, Batch, DeviceError, dlpack
from patrizier.batch.store import address_of
from patrizier.rules.playout import play_game
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import RULES
from support.kinds import for_every

PLAIN = (Options(2), Options(3, ("messengers", "messenger-at-built-city")))
every_kind = for_every(KINDS, PLAIN)


@every_kind
def test_every_step_is_a_decision_by_the_rules(options: Options) -> None:
    batch = new_batch(options)
    ended = 0
    for _ in range(STEPS):
        before = [batch.state(game) for game in range(batch.games)]
        assert host(batch.seats).tolist() == [state.seat for state in before]
        for state, row in zip(before, host(batch.mask), strict=True):
            assert np.array_equal(row, state.legal_mask())
        codes = host(batch.random_codes())
        batch.step(codes_for(batch, codes))
        done, points, shares = (host(a) for a in (batch.done, batch.points, batch.shares))
        for game, state in enumerate(before):
            after = state.apply(int(codes[game]))
            outcome = after.outcome()
            assert done[game] == (outcome is not None)
            if outcome is None:
                assert batch.state(game) == after
                assert not points[game].any()
                assert not shares[game].any()
                continue
            ended += 1
            assert batch.state(game).turn == 0
            assert batch.state(game) != before[game]
            assert tuple(points[game]) == outcome.points
            for seat in range(options.players):
                share = 1 / len(outcome.winners) if seat in outcome.winners else 0
                assert shares[game, seat] == np.float32(share)
    assert ended >= batch.games or SLOW


@every_kind
def test_deals_are_those_of_a_series_with_the_same_seed(options: Options) -> None:
    batch = new_batch(options, games=3, seed=99, first=4)
    for game in range(3):
        cells, buffer = options.blank_cells(), new_scratch()
        play_game(cells, buffer, np.uint64(99), 4 + game, np.zeros(400, np.int64))
        deal = Deal.from_buffer(buffer, options.players, int(cells["start"][0]))
        assert batch.state(game) == State.start(options, deal)


def test_what_is_played_does_not_change_later_deals() -> None:
    if SLOW:
        pytest.skip("whole games take too long here")
    one, two = (new_batch(Options(2), games=30) for _ in range(2))
    deals: tuple[list[bytes], list[bytes]] = ([], [])
    for batch, found, last in ((one, deals[0], False), (two, deals[1], True)):
        seen: dict[int, bytes] = {}
        while len(seen) < batch.games:
            mask = host(batch.mask)
            codes = mask.argmax(1) if not last else DECISIONS - 1 - mask[:, ::-1].argmax(1)
            batch.step(codes_for(batch, codes))
            for game in np.flatnonzero(host(batch.done)).tolist():
                seen.setdefault(game, batch.state(game).to_bytes())
        found.extend(seen[game] for game in range(batch.games))
    assert deals[0] == deals[1]


@pytest.mark.plain
def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    one, two, other = (new_batch(KINDS[3], seed=seed) for seed in (5, 5, 6))
    same(one, two)
    assert one.to_bytes() != other.to_bytes()
    for _ in range(5):
        one.step(one.random_codes())
    one.reset()
    same(one, two)
    one.reset(seed=6)
    same(one, other)


@every_kind
def test_games_can_be_split_and_continued_anywhere(options: Options) -> None:
    whole = new_batch(options)
    for _ in range(STEPS // 3):
        whole.step(whole.random_codes())
    cut = GAMES // 3
    parts = [whole.part(0, cut), Batch.from_bytes(whole.part(cut, GAMES).to_bytes(), threads=1)]
    assert [part.first for part in parts] == [0, cut]
    for _ in range(STEPS // 3):
        codes = host(whole.random_codes()).copy()
        assert np.array_equal(codes[:cut], host(parts[0].random_codes()))
        assert np.array_equal(codes[cut:], host(parts[1].random_codes()))
        whole.step(codes_for(whole, codes))
        parts[0].step(codes_for(parts[0], codes[:cut]))
        parts[1].step(codes[cut:])
    joined = Batch.join(parts, device=DEVICE)
    whole = Batch.join([whole])  # without the rewards of the last step
    same(joined, whole)
    shown = buffers(whole)
    for name, array in buffers(parts[1]).items():
        if name not in ("done", "points", "shares"):
            assert np.array_equal(shown[name][cut:], array), name


@pytest.mark.parametrize("games", [63, 64, 1000])
def test_threads_change_nothing(games: int) -> None:
    if SLOW:
        pytest.skip("threads need compiled kernels")
    one, four = (new_batch(KINDS[5], games, threads=n, observation="floats") for n in (1, 4))
    for _ in range(80):
        one.step(one.random_codes())
        four.step(four.random_codes())
    same(one, four)


@pytest.mark.plain
@pytest.mark.parametrize("observation", ["bytes", "floats", "none"])
def test_buffers_stay_the_same_arrays(observation: str) -> None:
    batch = new_batch(Options(2), observation=observation, mask=observation != "none")
    sizes = {name: len(array) for name, array in buffers(batch).items()}
    unwanted = {"bytes": {"floats"}, "floats": set(), "none": {"mask", "observations", "floats"}}
    for name, size in sizes.items():
        assert size == (0 if name in unwanted[observation] else batch.games), name
    before = [batch.mask, batch.observations, batch.done, batch.shares]
    batch.step(batch.random_codes())
    batch.reset()
    after = [batch.mask, batch.observations, batch.done, batch.shares]
    assert all(one is two for one, two in zip(before, after, strict=True))


def on_device(array: np.ndarray[Any, Any]) -> Any:
    return array if DEVICE == "cpu" else cuda.to_device(array)


@pytest.mark.plain
def test_own_buffers_are_written() -> None:
    mask = on_device(np.zeros((GAMES, DECISIONS), np.bool_))
    rows = on_device(np.zeros((GAMES, OBSERVATION.itemsize), np.uint8))
    given = new_batch(Options(2), buffers={"mask": mask, "observations": rows})
    same(given, new_batch(Options(2)))
    assert np.array_equal(host(mask), host(given.mask))
    assert host(rows).any()


def test_own_buffers_may_begin_anywhere() -> None:
    games = 35  # more than a GPU's block has
    mask = on_device(np.zeros(games * DECISIONS + 1, np.bool_))[1:].reshape(games, DECISIONS)
    size = OBSERVATION.itemsize
    rows = on_device(np.zeros(games * size + 3, np.uint8))[3:].reshape(games, size)
    given = new_batch(Options(2), games, buffers={"mask": mask, "observations": rows})
    usual = new_batch(Options(2), games)
    given.step(given.random_codes())
    usual.step(usual.random_codes())
    same(given, usual)
    assert np.array_equal(host(rows), host(usual.observations))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "array", "error", "text"),
    [
        ("masks", np.zeros((GAMES, DECISIONS), np.bool_), ValueError, "no buffer 'masks'"),
        ("mask", np.zeros((GAMES, 7), np.bool_), ValueError, "of shape"),
        ("mask", np.zeros((GAMES, DECISIONS), np.int8), ValueError, "is int8"),
        ("floats", np.zeros((GAMES, 7), np.float32), ValueError, "not written"),
        ("mask", [[True]], TypeError, "'mask'"),
    ],
)
def test_bad_buffers_are_refused(name: str, array: Any, error: type[Exception], text: str) -> None:
    given = on_device(array) if isinstance(array, np.ndarray) else array
    with pytest.raises(error, match=text):
        new_batch(Options(2), buffers={name: given})


@pytest.mark.skipif(DEVICE != "cpu", reason="NumPy's flags")
def test_buffers_that_cannot_be_written_in_place_are_refused() -> None:
    fixed = np.zeros((GAMES, DECISIONS), np.bool_)
    fixed.flags.writeable = False
    for array in (fixed, np.zeros((DECISIONS, GAMES), np.bool_).T):
        with pytest.raises(ValueError, match="contiguous"):
            new_batch(Options(2), buffers={"mask": array})


def test_buffers_that_share_memory_are_refused() -> None:
    memory = on_device(np.zeros(GAMES * OBSERVATION.itemsize, np.uint8))
    rows = memory.reshape(GAMES, OBSERVATION.itemsize)
    mask = memory[: GAMES * DECISIONS].view(np.bool_).reshape(GAMES, DECISIONS)
    with pytest.raises(ValueError, match="'mask' and 'observations' share memory"):
        new_batch(Options(2), buffers={"mask": mask, "observations": rows})


@pytest.mark.plain
@pytest.mark.parametrize("code", [-2, 165, DECISIONS, 10**9, -(2**40)])
def test_one_illegal_code_steps_no_game(code: int) -> None:
    batch = new_batch(Options(2))
    for _ in range(3):
        batch.step(batch.random_codes())
    before, shown = batch.to_bytes(), buffers(batch)
    codes = host(batch.random_codes()).copy()
    before = batch.to_bytes()
    game = batch.games - 1
    if 0 <= code < DECISIONS:
        code = int(np.flatnonzero(~host(batch.mask)[game])[0])
    codes[game] = code
    with pytest.raises(IllegalMove, match=rf"game {game}: code {code} is not legal here: \["):
        batch.step(codes_for(batch, codes))
    assert batch.to_bytes() == before
    for name, array in buffers(batch).items():
        assert np.array_equal(array, shown[name])


@pytest.mark.plain
def test_a_game_can_wait() -> None:
    batch = new_batch(Options(2))
    before = [batch.state(game) for game in range(batch.games)]
    shown = buffers(batch)
    codes = host(batch.random_codes()).copy()
    codes[::2] = -1
    batch.step(codes_for(batch, codes))
    for game, state in enumerate(before):
        assert (batch.state(game) == state) == (game % 2 == 0)
    for name, array in buffers(batch).items():
        assert np.array_equal(array[::2], shown[name][::2]), name


def test_the_first_illegal_code_is_named_whatever_the_threads() -> None:
    if SLOW:
        pytest.skip("threads need compiled kernels")
    batch = new_batch(Options(2), games=1000, threads=4)
    codes = host(batch.random_codes()).copy()
    codes[[300, 700, 999]] = 208
    with pytest.raises(IllegalMove, match="game 300: code 208"):
        batch.step(codes_for(batch, codes))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("codes", "error", "text"),
    [
        (np.zeros(GAMES + 1, np.int64), ValueError, f"{GAMES} games need {GAMES} codes"),
        (np.zeros((GAMES, 1), np.int64), ValueError, "codes"),
        (np.zeros(GAMES), TypeError, "whole numbers that fit into int64, not float64"),
        (np.zeros(GAMES, np.bool_), TypeError, "whole numbers that fit into int64, not bool"),
        (np.full(GAMES, 2**64 - 1, np.uint64), TypeError, "int64, not uint64"),  # would be -1
    ],
)
def test_codes_of_wrong_shape_or_type_are_refused(
    codes: Any, error: type[Exception], text: str
) -> None:
    batch = new_batch(Options(2))
    before = batch.to_bytes()
    with pytest.raises(error, match=text):
        batch.step(codes_for(batch, codes))
    assert batch.to_bytes() == before


def test_codes_on_the_wrong_device_are_refused() -> None:
    class Elsewhere:
        __cuda_array_interface__ = {"shape": (GAMES,)}  # noqa: RUF012

    batch = new_batch(Options(2))
    codes = [0] * GAMES if DEVICE == "cuda" else Elsewhere()
    with pytest.raises(TypeError, match=f'device="{DEVICE}"'):
        batch.step(codes)


def test_a_finished_game_without_restart_takes_only_minus_one() -> None:
    if SLOW:
        pytest.skip("whole games take too long here")
    batch = new_batch(Options(2), games=20, restart=False)
    assert batch.part(0, 2).restart is False
    while not host(batch.done).any():
        batch.step(batch.random_codes())
    over = int(host(batch.done).argmax())
    won = host(batch.points)[over]
    assert host(batch.seats)[over] == -1
    assert not host(batch.mask)[over].any()
    assert batch.state(over).outcome() is not None
    assert batch.state(over).outcome().points == tuple(won)  # type: ignore[union-attr]
    codes = host(batch.random_codes()).copy()
    assert codes[over] == -1
    codes[over] = 3
    with pytest.raises(IllegalMove, match=f"game {over} is over: code 3"):
        batch.step(codes_for(batch, codes))
    batch.step(batch.random_codes())
    assert host(batch.done)[over]
    assert not host(batch.points)[over].any()
    while not host(batch.done).all():
        batch.step(batch.random_codes())


@pytest.mark.plain
@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"games": 0}, ValueError, "games is at least 1"),
        ({"games": 2.5}, TypeError, "games is a whole number"),
        ({"games": True}, TypeError, "games is a whole number"),
        ({"threads": 0}, ValueError, "threads is at least 1"),
        ({"first": -1}, ValueError, "first is at least 0"),
        ({"first": 2**63 - 2}, ValueError, "first is at most"),
        ({"players": 6}, ValueError, "2 to 5"),
        ({"rules": ["messenger"]}, ValueError, "unknown rule"),
        ({"device": "tpu"}, ValueError, "unknown device 'tpu': there are cpu, cuda"),
        ({"observation": "image"}, ValueError, "unknown observation 'image'"),
        ({"restart": "no"}, TypeError, "restart is True or False, not 'no'"),
        ({"mask": 0}, TypeError, "mask is True or False, not 0"),
        ({"buffers": [1]}, TypeError, "buffers are arrays by name, not a list"),
        ({"players": 2.0}, ValueError, "2 to 5"),
        ({"deck": "classic"}, TypeError, "a deck is a Deck, not a str"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": "x"}, TypeError, "seed"),
    ],
)
def test_bad_settings_are_refused(
    settings: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        Batch(**{"games": 2, "players": 2, **settings})


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
def test_a_missing_gpu_is_said() -> None:
    with pytest.raises(DeviceError, match='device="cpu" works everywhere'):
        Batch(2, 2, device="cuda")


@pytest.mark.skipif(DEVICE != "cuda", reason="needs the simulator")
def test_a_full_gpu_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError("out of memory")

    monkeypatch.setattr("numba.cuda.device_array", full)
    with pytest.raises(DeviceError, match="cannot take 2 games: out of memory"):
        Batch(2, 2, device="cuda")


@pytest.mark.skipif(not SIMULATED, reason="needs the simulator")
@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("reset", "cannot deal these games"),
        ("step", "cannot check these codes"),
        ("random_codes", "cannot choose codes"),
        ("part", "cannot (take|deal)"),
    ],
)
@pytest.mark.parametrize("kind", ["CudaAPIError", "MemoryError"])
def test_a_gpu_that_fails_later_is_said(
    what: str, text: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = new_batch(Options(2), games=2)
    codes = batch.random_codes()
    error = MemoryError if kind == "MemoryError" else cuda.cudadrv.driver.CudaAPIError

    def fail(*_: object) -> None:
        raise error("out of memory")

    monkeypatch.setattr("numba.cuda.simulator.kernel.FakeCUDAKernel.__call__", fail)
    given = {"step": (codes,), "part": (0, 1)}.get(what, ())
    with pytest.raises(DeviceError, match=f"the GPU {text}.*: out of memory"):
        getattr(batch, what)(*given)


@pytest.mark.skipif(not SIMULATED, reason="needs the simulator")
@pytest.mark.parametrize("what", ["cells", "to_bytes", "copy_to_host"])
def test_a_gpu_that_cannot_be_read_is_said(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = new_batch(Options(2), games=2)

    def fail(*_: object) -> None:
        raise MemoryError("lost")

    monkeypatch.setattr("numba.cuda.simulator.cudadrv.devicearray.FakeCUDAArray.copy_to_host", fail)
    with pytest.raises(DeviceError, match="cannot copy its memory: lost"):
        getattr(batch.mask if what == "copy_to_host" else batch, what)()


@pytest.mark.skipif(DEVICE != "cuda", reason="needs a GPU, or the simulator")
def test_a_buffer_on_a_gpu_is_shared_as_requested() -> None:
    batch = new_batch(Options(2), games=2)
    mask = batch.mask
    assert mask.__dlpack_device__() == (dlpack.CUDA, 0)
    for wanted in ({}, {"copy": False}, {"dl_device": (dlpack.CUDA, 0)}, {"max_version": (1, 0)}):
        before = set(dlpack._alive)
        capsule = mask.__dlpack__(**wanted)
        assert addresses(before) == [address_of(mask.array)]
        del capsule
    before = set(dlpack._alive)
    capsule = mask.__dlpack__(copy=True)
    assert addresses(before) != [address_of(mask.array)]
    (copied,) = (dlpack._alive[key][2] for key in dlpack._alive.keys() - before)
    assert np.array_equal(host(copied), host(mask))
    del capsule
    here = np.from_dlpack(mask, device="cpu")
    assert np.array_equal(here, host(mask))
    kept = here.copy()
    batch.step(batch.random_codes())
    assert np.array_equal(here, kept)
    for refused in (
        {"dl_device": (dlpack.CUDA, 1)},
        {"dl_device": (dlpack.CPU, 0), "copy": False},
    ):
        with pytest.raises(BufferError, match=r"on the device \(2, 0\), not on"):
            mask.__dlpack__(**refused)


def addresses(before: set[int]) -> list[int]:
    """Return where the tensors begin that were not shared before."""
    return [it[0].tensor.data for key, it in dlpack._alive.items() if key not in before]


@pytest.mark.skipif(DEVICE != "cpu", reason="the processor's memory")
def test_full_memory_is_said() -> None:
    with pytest.raises(MemoryError, match="games"):
        Batch(10**14, 2)


@pytest.mark.plain
def test_damaged_bytes_are_refused() -> None:
    data = new_batch(Options(2, ["messengers"]), games=2).to_bytes()
    assert Batch.from_bytes(data).options.rules == {"messengers"}
    for harmed in (b"", b"PTZB", data[:-1], data[:-9] + b"\0" + data[-8:], b"x" + data):
        with pytest.raises(ValueError, match="these bytes"):
            Batch.from_bytes(harmed)
    with pytest.raises(TypeError, match="read from bytes, not from a NoneType"):
        Batch.from_bytes(None)  # type: ignore[arg-type]


@pytest.mark.plain
def test_places_that_are_not_there() -> None:
    batch = new_batch(Options(2), games=2)
    for game in (-1, 2):
        with pytest.raises(IndexError, match=f"no game {game}"):
            batch.state(game)
    with pytest.raises(IndexError, match="no games 1 to 3"):
        batch.part(1, 3)
    with pytest.raises(TypeError, match=r"game is a whole number, not 1\.0"):
        batch.state(1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="end is a whole number, not '2'"):
        batch.part(0, "2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="different games"):
        Batch.join([batch, new_batch(Options(3), games=2)])
    with pytest.raises(ValueError, match="nothing to join"):
        Batch.join([])


@pytest.mark.plain
def test_a_batch_tells_what_it_is() -> None:
    batch = new_batch(Options(3, ["messengers"]), games=2)
    assert repr(batch) == f"<Batch of 2 games of 3, messengers, {DEVICE}>"
    assert len(batch) == 2
    assert set(RULES) >= batch.options.rules
    assert batch.view(1).viewer == batch.state(1).seat
