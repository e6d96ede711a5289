"""Batches on a real GPU: the same games as on the processor, and decisions a second.

    python tests/bench/batch_gpu.py --out folder

Every part runs by itself, so that one failure hides no other; after an error that leaves the GPU
unusable the next part begins in a fresh process. `--only` runs some parts.
"""

import argparse
import importlib
import os
import pickle
import platform
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from patrizier import IllegalMove, Options
from patrizier.batch import Batch, DeviceError
from patrizier.batch.store import buffer_types
from patrizier.kernels.gpu import cuda

UNUSABLE = 3  # exit code: the GPU has to be set up anew
ROOT = Path(__file__).parents[2]

KINDS = [
    *(Options(players, rules) for players in (2, 3, 4, 5) for rules in ((), ("messengers",))),
    Options(3, ("messengers", "messenger-at-built-city")),
]


def say(*words: object) -> None:
    """Print at once."""
    print(*words, flush=True)


def new_batch(options: Options, games: int, device: str = "cuda", **settings: Any) -> Batch:
    """Return a batch of these options."""
    return Batch(games, options.players, options.rules, options.deck, 1, device=device, **settings)


def host(array: Any) -> Any:
    """Return a copy in memory."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else np.array(array)


def differences(here: Batch, there: Batch) -> list[str]:
    """Return the names of the buffers in which two batches differ."""
    names = buffer_types(here.options.players)
    return [
        n for n in names if host(getattr(here, n)).tobytes() != host(getattr(there, n)).tobytes()
    ]


def refused(error: type[Exception], text: str, work: Callable[..., object], *given: Any) -> None:
    """Do what has to fail with this error, and print its text."""
    try:
        work(*given)
    except error as found:
        told = str(found)
    else:
        told = "nothing failed"
    say(f"  {error.__name__}: {told[:140]}")
    assert text in told, f"{told} does not say {text!r}"


# -- the same games


def versions() -> None:
    """Say what this machine is and has."""
    say(platform.platform(), "Python", platform.python_version(), os.cpu_count(), "cores")
    for name in ("numba", "numba_cuda", "llvmlite", "numpy", "torch", "jax", "cupy", "pytest"):
        try:
            say(f"  {name} {getattr(importlib.import_module(name), '__version__', '?')}")
        except Exception as error:
            say(f"  {name}: {type(error).__name__} {error}")
    device = cuda.get_current_device()
    free, total = cuda.current_context().get_memory_info()
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    say(f"  {name}, compute capability {device.compute_capability},"
        f" {device.MULTIPROCESSOR_COUNT} multiprocessors")  # fmt: skip
    say(f"  {free / 2**30:.0f} of {total / 2**30:.0f} GiB free")


def same_games() -> None:
    """Compare every buffer after every step, byte for byte, with the processor's."""
    for options in KINDS:
        begin = time.perf_counter()
        games, steps = 1500, 150
        observation = "floats" if options.players == 3 else "bytes"
        found: list[str] = []
        both = [new_batch(options, games, d, observation=observation) for d in ("cuda", "cpu")]
        ended = 0
        for step in range(steps):
            if observation == "bytes" or step % 10 == 0:
                found = differences(*both)
            assert not found, f"{options} differs in {found} at step {step}"
            codes = both[1].random_codes()
            assert np.array_equal(host(both[0].random_codes()), codes), (options, step)
            both[1].step(codes)
            both[0].step(_on_gpu(codes))
            ended += int(both[1].done.sum())
        assert both[0].to_bytes() == both[1].to_bytes(), options
        took = time.perf_counter() - begin
        say(f"  {options.players} {options.rules_text or 'base'}: {games * steps:,} decisions,"
            f" {ended:,} ends, all bytes equal ({took:.1f} s)")  # fmt: skip


def _on_gpu(codes: Any) -> Any:
    return cuda.to_device(codes)


def hidden_cards() -> None:
    """Permute what the seat to move cannot know: no byte changes."""
    for options in (Options(2), Options(5, ("messengers",))):
        batch, changed = new_batch(options, 200, observation="floats"), 0
        for step in range(60):
            if step % 12 == 5:
                shown = host(batch.observations), host(batch.floats), host(batch.mask)
                cells, words = batch.cells(), host(batch._store.words)
                others = cells.copy()
                for game in range(batch.games):
                    others[game] = batch.view(game).sample(step).record
                changed += sum(
                    a.tobytes() != b.tobytes() for a, b in zip(cells, others, strict=True)
                )
                batch._put(others, words)
                for before, now in zip(shown, (batch.observations, batch.floats), strict=False):
                    assert np.array_equal(before, host(now)), (options, step)
                batch._put(cells, words)
                assert np.array_equal(shown[2], host(batch.mask))
            batch.step(batch.random_codes())
        assert changed
        say(f"  {options.players} players: {changed} positions with other hidden cards, same bytes")


def split_and_carry() -> None:
    """Split games over both devices, join them, carry them as bytes."""
    options = Options(4, ("messengers",))
    whole = new_batch(options, 600)
    for _ in range(40):
        whole.step(whole.random_codes())
    parts = [whole.part(0, 250, device="cpu"), whole.part(250, 600)]
    data = whole.to_bytes()
    carried = Batch.from_bytes(data, device="cpu")
    copied = pickle.loads(pickle.dumps(whole))
    for _ in range(60):
        for batch in (whole, carried, copied, *parts):
            batch.step(batch.random_codes())
    joined = Batch.join(parts, device="cuda")
    assert whole.to_bytes() == carried.to_bytes()
    assert whole.cells().tobytes() == joined.cells().tobytes()
    assert copied.device == "cuda"
    assert not set(differences(whole, copied))
    assert not set(differences(whole, carried))
    assert not set(differences(whole, joined)) - {"done", "points", "shares"}
    say("  split over both devices, joined, carried as bytes: the same games")


# -- sharing memory


def _address(array: Any) -> int:
    return int(array.__cuda_array_interface__["data"][0])


def torch_shares() -> None:
    """Share all buffers with PyTorch, both ways, without a copy."""
    import torch

    batch = new_batch(Options(4), 1000, observation="floats")
    taken = {name: torch.from_dlpack(getattr(batch, name)) for name in buffer_types(4)}
    for name, tensor in taken.items():
        assert tensor.is_cuda, name
        assert tensor.data_ptr() == _address(getattr(batch, name)), f"{name} is a copy"
        assert torch.as_tensor(getattr(batch, name), device="cuda").data_ptr() == tensor.data_ptr()
    for _ in range(100):
        chances = taken["mask"].float()
        codes = torch.multinomial(chances, 1)[:, 0]
        batch.step(codes)
        for name in ("seats", "mask", "done", "observations"):
            assert np.array_equal(taken[name].cpu().numpy(), host(getattr(batch, name))), name
    say("  ", {name: (str(t.dtype), tuple(t.shape)) for name, t in taken.items()})
    mask = torch.zeros((1000, 209), dtype=torch.bool, device="cuda")
    rows = torch.zeros((1000, 506), dtype=torch.uint8, device="cuda")
    given = new_batch(Options(4), 1000, buffers={"mask": mask, "observations": rows})
    assert _address(given.mask) == mask.data_ptr()
    assert mask.any()
    assert np.array_equal(rows.cpu().numpy(), host(given.observations))
    kept = torch.from_dlpack(given.shares)
    del given
    assert float(kept.sum()) == 0
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(50):
            codes = torch.multinomial(torch.from_dlpack(batch.mask).float(), 1)[:, 0]
            side.synchronize()  # a batch works on the default stream: the codes have to be there
            batch.step(codes)
            cuda.synchronize()  # and so has what the next codes are drawn from
    for kind in (torch.int32, torch.int16, torch.uint8):
        codes = batch.random_codes()
        batch.step(torch.from_dlpack(codes).to(kind))
    copied = torch.from_dlpack(batch.mask, copy=True)
    assert copied.data_ptr() != _address(batch.mask)
    assert np.array_equal(copied.cpu().numpy(), host(batch.mask))
    say("  buffers of PyTorch's are written in place; codes of every kind and stream are taken")


def jax_shares() -> None:
    """Share buffers with JAX without a copy, and take codes from it."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp

    batch = new_batch(Options(4), 1000, observation="floats")
    for name in buffer_types(4):
        taken = jnp.from_dlpack(getattr(batch, name))
        assert taken.unsafe_buffer_pointer() == _address(getattr(batch, name)), f"{name} is a copy"
        assert np.array_equal(np.asarray(taken), host(getattr(batch, name))), name
    key = jax.random.key(1)
    for step in range(60):
        mask = jnp.from_dlpack(batch.mask)
        logits = jnp.where(mask, 0.0, -jnp.inf)
        codes = jax.random.categorical(jax.random.fold_in(key, step), logits)
        batch.step(codes)
    say(f"  JAX {jax.__version__} on {jax.devices()[0]}: {codes.dtype} codes taken")


def cupy_shares() -> None:
    """Share buffers with CuPy."""
    import cupy

    batch = new_batch(Options(4), 1000)
    mask = cupy.asarray(batch.mask)
    assert mask.data.ptr == _address(batch.mask)
    assert cupy.from_dlpack(batch.mask).data.ptr == _address(batch.mask)
    batch.step(mask.argmax(1))
    say("  CuPy reads the same memory; its codes are taken")


# -- bad input


def bad_input() -> None:
    """Illegal codes, wrong shapes, types and devices."""
    batch = new_batch(Options(2), 500)
    for _ in range(5):
        batch.step(batch.random_codes())
    codes = host(batch.random_codes())
    before = batch.to_bytes()
    illegal = int(np.flatnonzero(~host(batch.mask)[321])[0])
    for wrong in (-2, illegal, 209, 10**9, -(2**40)):
        bad = codes.copy()
        bad[321], bad[499] = wrong, -2
        text = f"game 321: code {wrong} is not legal"
        refused(IllegalMove, text, batch.step, _on_gpu(bad))
        assert batch.to_bytes() == before
    for given, error, text in (
        (_on_gpu(np.zeros(501, np.int64)), ValueError, "500 games need 500 codes"),
        (_on_gpu(np.zeros((500, 1), np.int64)), ValueError, "500 codes"),
        (_on_gpu(np.zeros(500)), TypeError, "whole numbers that fit into int64, not float64"),
        (codes, TypeError, "these codes are not"),
        ([0] * 500, TypeError, "these codes are not"),
    ):
        refused(error, text, batch.step, given)
    here = new_batch(Options(2), 500, "cpu")
    refused(TypeError, "these codes are on a GPU", here.step, _on_gpu(codes))

    def with_buffers(buffers: dict[str, Any]) -> Batch:
        return new_batch(Options(2), 500, buffers=buffers)

    for buffers, error, text in (
        ({"mask": np.zeros((500, 209), np.bool_)}, TypeError, "is not on the GPU"),
        ({"mask": cuda.device_array((500, 208), np.bool_)}, ValueError, "of shape"),
        ({"mask": cuda.device_array((500, 418), np.bool_)[:, ::2]}, ValueError, "not contiguous"),
    ):
        refused(error, text, with_buffers, buffers)
    memory = cuda.device_array(500 * 506, np.uint8)
    mask = memory[: 500 * 209].view(np.bool_).reshape(500, 209)
    shared = {"mask": mask, "observations": memory.reshape(500, 506)}
    refused(ValueError, "share memory", with_buffers, shared)
    assert batch.to_bytes() == before
    last = new_batch(Options(2), 50, restart=False)
    while not host(last.done).any():
        last.step(last.random_codes())
    over = int(host(last.done).argmax())
    late = host(last.random_codes())
    assert late[over] == -1
    late[over] = 3
    refused(IllegalMove, f"game {over} is over: code 3", lambda: last.step(_on_gpu(late)))
    while (host(last.seats) >= 0).any():
        last.step(last.random_codes())
    last.step(last.random_codes())
    say("  nothing was half written; finished games wait")


def full_gpu() -> None:
    """Ask for more games than the GPU takes; then go on."""
    refused(DeviceError, "cannot take", lambda: new_batch(Options(2), 2_000_000_000))
    free, _ = cuda.current_context().get_memory_info()
    taken = cuda.device_array(free - 2**28, np.uint8)
    refused(DeviceError, "cannot take", lambda: new_batch(Options(2), 1_000_000))
    del taken
    batch = new_batch(Options(2), 1000)
    batch.step(batch.random_codes())
    say("  afterwards a batch works")


def missing_gpu() -> None:
    """Hide the GPU from a process."""
    script = (
        "from patrizier.batch import Batch\n"
        "try: Batch(2, 2, device='cuda')\n"
        "except Exception as error: print(f'  {type(error).__name__}: {error}')\n"
    )
    hidden = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, "-c", script], env=hidden, capture_output=True, text=True, timeout=60
    )
    say(done.stdout + done.stderr[-1500:])
    assert "DeviceError: there is no GPU that Numba can use" in done.stdout


# -- speed


def seconds(work: Callable[[], object], least: float = 0.4) -> float:
    """Return how long something takes: the median of repetitions, by the GPU's clock."""
    work()
    cuda.synchronize()
    found: list[float] = []
    begin = time.perf_counter()
    while len(found) < 3 or time.perf_counter() - begin < least:
        start = time.perf_counter()
        for _ in range(5):
            work()
        cuda.synchronize()
        found.append((time.perf_counter() - start) / 5)
    return float(np.median(found))


def _measured(games: int, observation: str, mask: bool) -> str:
    batch = Batch(games, 4, seed=1, device="cuda", observation=observation, mask=mask)
    for _ in range(30):
        batch.step(batch.random_codes())
    engine = batch._engine
    codes = batch.random_codes()

    def both() -> None:
        batch.step(batch.random_codes())

    whole = seconds(both)
    choose = seconds(lambda: engine.choose(codes.array), 0.1)
    check = seconds(lambda: engine.refused(codes.array), 0.1)
    show = seconds(engine.show, 0.1)
    told = f"{observation:>6} {'mask' if mask else '-':>4} {games:>9,}"
    return (
        f"  {told}: {games / whole / 1e6:8.1f} million/s   step with codes {whole * 1e6:8.0f} µs:"
        f" choose {choose * 1e6:.0f}, check {check * 1e6:.0f}, show {show * 1e6:.0f}"
    )


def speed() -> None:
    """Decisions a second for a thousand to four million games, four players."""
    for observation, mask in (("none", False), ("bytes", True)):
        for games in (1_000, 10_000, 100_000, 1_000_000, 4_000_000):
            say(_measured(games, observation, mask))
    say(_measured(100_000, "floats", True))


def plain() -> None:
    """A step that works on the GPU's memory, not on a block's own: what copying is worth."""
    from patrizier.batch.episode import advance, show
    from patrizier.rules.scratch import SCRATCH

    @cuda.jit
    def step(  # type: ignore[no-untyped-def]
        cells, sorted_stars, words, codes, done, points, shares, seats, legal_codes, masks, rows
    ):
        game = cuda.grid(1)
        if game < len(done):
            table = cuda.local.array((5, 6), np.int64)
            best = cuda.local.array(5, np.int64)
            scratch = cuda.local.array(1, SCRATCH)
            scratch[0] = sorted_stars[0]
            advance(
                cells[game], scratch[0], game, words, int(codes[game]), True, table, best,
                done, points, shares,
            )  # fmt: skip
            show(cells[game], scratch[0], game, seats, legal_codes, game, masks, rows)

    games = 1_000_000
    for observation, mask in (("none", False), ("bytes", True)):
        batch = Batch(games, 4, seed=1, device="cuda", observation=observation, mask=mask)
        for _ in range(30):
            batch.step(batch.random_codes())
        engine: Any = batch._engine
        it = batch._store
        codes = batch.random_codes().array
        given = (
            it.cells, engine._sorted, it.words, codes, it.done, it.points, it.shares, it.seats,
            it.legal_codes, it.masks, it.rows,
        )  # fmt: skip

        def both(
            block: int = 0, engine: Any = engine, codes: Any = codes, given: Any = given
        ) -> None:
            engine.choose(codes)
            if block:
                step[-(-games // block), block](*given)
            else:
                engine.step(codes, True)

        found = [f"copied {seconds(both, 0.2) * 1e6:.0f} µs"]
        for block in (32, 64, 128, 256):
            took = seconds(partial(both, block), 0.2)
            found.append(f"in blocks of {block} {took * 1e6:.0f}")
        say(f"  {games:,} games, {observation}: choose and step, {', '.join(found)}")


def random_games() -> None:
    """Whole random games, a thread each: the same as the processor's, and how many a second."""
    from patrizier.rules.chance import sort_stars
    from patrizier.rules.playout import _begin, play_games, playout
    from patrizier.rules.score import TOTAL, totals
    from patrizier.rules.scratch import SCRATCH, new_scratch
    from patrizier.rules.state import STATE

    @cuda.jit
    def play(blank, cells, scratch, seed, points, counts):  # type: ignore[no-untyped-def]
        thread = cuda.grid(1)
        table = cuda.local.array((5, 6), np.int64)
        cells[thread] = blank[0]
        sort_stars(scratch[thread], cells[thread])
        for game in range(thread, len(counts), cuda.gridsize(1)):
            _begin(cells[thread], scratch[thread], seed, game)
            counts[game] = playout(cells[thread], scratch[thread])
            totals(cells[thread], table)
            for seat in range(points.shape[1]):
                points[game, seat] = table[seat, TOTAL]

    for players, threads in ((2, 16_384), (4, 16_384), (4, 65_536), (4, 262_144)):
        blank = Options(players).blank_cells()
        games = 2_000_000
        points = cuda.to_device(np.zeros((games, players), np.int32))
        counts = cuda.to_device(np.zeros(games, np.int64))
        room = cuda.to_device(np.zeros(threads, STATE)), cuda.to_device(np.zeros(threads, SCRATCH))
        given = cuda.to_device(blank), *room, np.uint64(5), points, counts
        took = seconds(partial(play[threads // 64, 64], *given), 0.3)
        some = 3000
        tables, shares = np.zeros((some, 5, 6), np.int64), np.zeros((some, 5))
        play_games(blank, new_scratch(), np.uint64(5), 0, tables, shares, np.zeros(some, np.int64))
        assert np.array_equal(tables[:, :players, TOTAL], host(points)[:some])
        decisions = int(host(counts).sum())
        say(f"  {players} players, {threads:,} threads: {games / took / 1e6:.1f} million games/s,"
            f" {decisions / took / 1e6:.0f} million decisions/s, same points")  # fmt: skip


def self_play() -> None:
    """PyTorch self-play on a batch on the GPU, for a short while."""
    import torch

    sys.path.insert(0, str(ROOT / "examples" / "learning"))
    example = importlib.import_module("self_play")
    torch.manual_seed(1)
    table = example.Table(4096, 2, "cuda")
    network = example.Network(256).to("cuda")
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    begin, decisions, number, playing = time.perf_counter(), 0, 0, 0.0

    def random(asked: Any) -> Any:
        return torch.multinomial(table.mask.float() + (~asked)[:, None], 1)[:, 0]

    say(f"  against random before: {example.share_against(table, network, random):.1%}")
    while time.perf_counter() - begin < 25:
        number += 1
        start = time.perf_counter()
        told = example.play(table, network, seed=number)
        torch.cuda.synchronize()
        playing += time.perf_counter() - start
        example.fit(network, optimizer, told)
        torch.cuda.synchronize()
        decisions += len(told["code"])
    took = time.perf_counter() - begin
    rate = f"{decisions / took:,.0f} decisions/s, playing {playing:.0f} s of {took:.0f}"
    share = example.share_against(table, network, random)
    say(f"  {number} rounds of 4,096 games: {rate}; then {share:.1%} against random")


# -- running the parts

PARTS: dict[str, Callable[[], None]] = {part.__name__: part for part in (
    versions, same_games, speed, random_games, torch_shares, jax_shares, bad_input, full_gpu,
    missing_gpu, self_play, hidden_cards, split_and_carry, cupy_shares, plain,
)}  # fmt: skip


def usable() -> bool:
    """Whether the GPU still answers."""
    try:
        cuda.synchronize()
    except Exception:
        return False
    return True


def run(names: list[str]) -> int:
    """Run parts in this process; stop where the GPU has to be set up anew."""
    for name in names:
        say(f"== {name}")
        begin = time.perf_counter()
        try:
            PARTS[name]()
            say(f"-- {name}: fine, {time.perf_counter() - begin:.1f} s")
        except Exception:
            say(f"-- {name}: FAILED, {time.perf_counter() - begin:.1f} s")
            say(traceback.format_exc()[-4000:])
            if not usable():
                return UNUSABLE
    return 0


def supervise(names: list[str], log: Any, until: float) -> None:
    """Run all parts in child processes, a new one after an unusable GPU."""
    left = names
    while left and time.monotonic() < until:
        command = [sys.executable, __file__, "--child", "--only", *left]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        begun: list[str] = []
        assert child.stdout is not None
        watch = threading.Timer(until - time.monotonic(), child.kill)
        watch.start()
        for line in child.stdout:
            print(line, end="", flush=True)
            log.write(line)
            log.flush()
            if line.startswith("== "):
                begun.append(line[3:].strip())
        code = child.wait()
        watch.cancel()
        left = left[len(begun) or 1 :] if code else []
        if code:
            told = f"-- the process ended with {code}; left: {left}\n"
            print(told, flush=True)
            log.write(told)


def main() -> None:
    """Run all parts, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--out", type=Path, default=Path())
    parser.add_argument("--seconds", type=float, default=230, help="then it is stopped")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        sys.exit(run(chosen.only))
    chosen.out.mkdir(parents=True, exist_ok=True)
    with (chosen.out / "batch_gpu.txt").open("w") as log:
        supervise(chosen.only, log, time.monotonic() + chosen.seconds)


if __name__ == "__main__":
    main()
