"""Many games side by side: one call steps them all."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from patrizier.batch import snapshot
from patrizier.batch.host import Host
from patrizier.batch.store import Store, buffer_types, check_codes, check_given
from patrizier.errors import DeviceError, IllegalMove
from patrizier.options import Options
from patrizier.rules.chance import Seed, word_from
from patrizier.rules.deck import Deck
from patrizier.rules.state import OVER, Cells, copy_cells
from patrizier.state import State
from patrizier.view import View

DEVICES = ("cpu", "cuda")
OBSERVATIONS = ("bytes", "floats", "none")
_MOST = 2**63 - 1  # the kernels count games with 64 bits
_SETTINGS = ("device", "threads", "observation", "mask", "restart", "buffers")  # of a part
_REWARDS = ("done", "points", "shares")

Moment = tuple[Cells, npt.NDArray[np.uint64], tuple[npt.NDArray[Any], ...]]


class Engine(Protocol):
    """What runs the kernels over a store."""

    def reset(self, seed: int, number: int) -> None:
        """Begin every game anew."""

    def refused(self, codes: Any) -> int:
        """Return the first game that refuses its code, or -1."""

    def step(self, codes: Any, restart: bool) -> None:
        """Apply codes that no game refuses, and write all buffers."""

    def choose(self, codes: Any) -> None:
        """Write a legal code for every game."""

    def show(self) -> None:
        """Write seats, masks and observations of the positions as they are."""


class Batch:
    """Thousands of games, stepped together; a finished one is dealt anew at once.

    The buffers ``seats``, ``mask``, ``observations``, ``floats``, ``done``, ``points`` and
    ``shares`` have a row for each game. Every step writes into the same arrays. Points and shares
    of victory are those of the step that ended a game, else 0. ``done`` says that the last step
    ended a game, and without ``restart`` that it is over: then it stays so.

    A copy, by `copy.deepcopy` or `pickle`, plays on as this batch does, with arrays of its own.

    >>> batch = Batch(games=100, players=2, seed=7)
    >>> while not batch.done.any():
    ...     batch.step(batch.random_codes())
    >>> batch.shares[batch.done].sum(axis=1).tolist()[0]
    1.0
    """

    def __init__(
        self,
        games: int,
        players: int = 4,
        rules: Iterable[str] = (),
        deck: Deck | None = None,
        seed: Seed = 0,
        *,
        device: str = "cpu",
        threads: int | None = None,
        observation: str = "bytes",
        mask: bool = True,
        restart: bool = True,
        first: int = 0,
        buffers: Mapping[str, Any] | None = None,
    ) -> None:
        """Set up a batch and deal.

        ``threads``: how many work on a CPU, default all cores. ``observation``: ``"bytes"``,
        ``"floats"`` (which has both) or ``"none"``. Without ``restart`` a finished game stays as
        it is, and takes only the code -1. ``first`` is the number of the first game: games 50
        to 99 of a batch of 100 are those of a batch of 50 with ``first=50``. ``buffers`` are the
        caller's own arrays to write into, by name.
        """
        self.options = Options(players, rules, deck)
        self.games = _whole("games", games, 1)
        self.first = _whole("first", first, 0, _MOST - self.games)
        self.seed = word_from(seed)
        self.device = _one_of("device", device, DEVICES)
        self.observation = _one_of("observation", observation, OBSERVATIONS)
        self.restart = _flag("restart", restart)
        self.threads = _cores() if threads is None else _whole("threads", threads, 1)
        unwanted = {
            "bytes": {"floats"}, "floats": set[str](), "none": {"observations", "floats"},
        }[observation]  # fmt: skip
        unwanted = unwanted if _flag("mask", mask) else unwanted | {"mask"}
        if not isinstance(buffers, Mapping | None):
            raise TypeError(f"buffers are arrays by name, not a {type(buffers).__name__}")
        given = dict(buffers or {})
        check_given(given, self.games, players, unwanted, device)
        self._engine, self._store = self._set_up(unwanted, given)
        for name in buffer_types(players):
            setattr(self, name, self._shared(getattr(self._store, name)))
        self._codes: Any = None
        self.reset()

    seats: Any  # seat to move, -1 in a finished game
    mask: Any  # legal codes of the seat to move
    observations: Any  # what it may know, as bytes: see `describe`
    floats: Any  # the same as floats
    done: Any  # whether the last step ended the game; without restart, whether it is over
    points: Any  # points by seat, if the last step ended it
    shares: Any  # shares of the victory by seat, if it did

    def _set_up(self, unwanted: set[str], given: dict[str, Any]) -> tuple[Engine, Store]:
        if self.device == "cuda":
            try:
                from patrizier.batch.cuda import set_up
            except ImportError as error:
                raise DeviceError(f"Numba cannot use a GPU here: {error}") from error
            return set_up(self.options, self.games, unwanted, given)
        try:
            games = self.games
            store = Store(games, self.options.players, unwanted, given, np.zeros, games)
        except MemoryError:
            raise MemoryError(f"no memory for {self.games:,} games") from None
        store.cells[:] = self.options.blank_cells()
        return Host(store, self.threads), store

    def _shared(self, array: Any) -> Any:
        if self.device == "cpu":
            return array
        from patrizier.batch.cuda import Shared

        return Shared(array)

    # -- playing

    def reset(self, seed: Seed | None = None) -> None:
        """Deal every game anew, from the batch's seed or from another one."""
        if seed is not None:
            self.seed = word_from(seed)
        self._engine.reset(self.seed, self.first)

    def step(self, codes: Any) -> None:
        """Apply one decision in every game and write all buffers.

        The code -1 lets a game wait. One code that is not legal raises `IllegalMove`, and no game
        is stepped.
        """
        given = self._checked(codes)
        game = self._engine.refused(given)
        if game >= 0:
            raise self._why(game, int(_host(given)[game]))
        self._engine.step(given, self.restart)

    def random_codes(self) -> Any:
        """Return a legal code for every game, drawn uniformly, in a buffer that is used again.

        The random numbers come from the seed, in a stream separate from the deals'.
        """
        if self._codes is None:
            if self.device == "cpu":
                self._codes = np.zeros(self.games, np.int64)
            else:
                from patrizier.batch.cuda import new_codes

                self._codes = new_codes(self.games)
        self._engine.choose(self._codes)
        return self._shared(self._codes)

    def _checked(self, codes: Any) -> Any:
        """Return the codes in the engine's form; raise an error if something is wrong with them."""
        if self.device == "cuda":
            from patrizier.batch.cuda import take_codes

            return take_codes(codes, self.games)
        if getattr(codes, "__cuda_array_interface__", None) is not None:
            raise TypeError('these codes are on a GPU, and this batch is on device="cpu"')
        given = np.asarray(codes)
        check_codes(given.dtype)
        if given.shape != (self.games,):
            raise ValueError(f"{self.games} games need {self.games} codes, not {given.shape}")
        return np.ascontiguousarray(given, np.int64)

    def _why(self, game: int, code: int) -> IllegalMove:
        state = self.state(game)
        if state.is_over:
            return IllegalMove(f"game {game} is over: code {code} comes too late", "over")
        legal = state.legal_decisions()
        return IllegalMove(f"game {game}: code {code} is not legal here: {legal} are")

    # -- looking

    def state(self, game: int) -> State:
        """Return a game's position."""
        if not 0 <= _whole("game", game) < self.games:
            raise IndexError(f"there is no game {game}: they run from 0 to {self.games - 1}")
        return State(self.options, self._cells(game, game + 1))

    def view(self, game: int) -> View:
        """Return what the seat to move may know of a game, without history."""
        state = self.state(game)
        return state.view(state.seat)

    def cells(self) -> Cells:
        """Return a copy of all positions, for compiled functions of your own."""
        return self._cells(0, self.games)

    def __len__(self) -> int:
        return self.games

    def __repr__(self) -> str:
        rules = f", {self.options.rules_text}" if self.options.rules else ""
        return f"<Batch of {self.games:,} games of {self.options.players}{rules}, {self.device}>"

    # -- splitting and saving

    def _cells(self, first: int, end: int) -> Cells:
        return copy_cells(_host(self._store.cells[first:end]))

    def part(self, first: int, end: int, **settings: Any) -> "Batch":
        """Return games ``first`` to before ``end`` as a batch of their own.

        They continue there as they would here. ``settings``: device, threads, observation, mask,
        restart, buffers of the part. The rewards of the last step are not copied.
        """
        if not 0 <= _whole("first", first) < _whole("end", end) <= self.games:
            raise IndexError(f"there are no games {first} to {end} in a batch of {self.games}")
        cells = self._cells(first, end)
        words = _host(self._store.words[first:end]).copy()
        return self._made(cells, words, self.first + first, settings)

    def _made(
        self, cells: Cells, words: npt.NDArray[np.uint64], first: int, settings: dict[str, Any]
    ) -> "Batch":
        _check_settings(settings)
        options = self.options
        batch = Batch(
            len(cells), options.players, options.rules, options.deck, self.seed, first=first,
            **{**self._settings(), **settings},
        )  # fmt: skip
        batch._put(cells, words)
        return batch

    def _settings(self) -> dict[str, Any]:
        return {
            "device": self.device, "threads": self.threads, "observation": self.observation,
            "mask": len(self._store.mask) > 0, "restart": self.restart,
        }  # fmt: skip

    def _put(
        self,
        cells: Cells,
        words: npt.NDArray[np.uint64],
        rewards: tuple[npt.NDArray[Any], ...] | None = None,
    ) -> None:
        """Replace all positions and random numbers, and the rewards of the last step."""
        it = self._store
        if rewards is None:
            shape = self.games, self.options.players
            rewards = cells["phase"] == OVER, np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        targets = it.cells[: self.games], it.words, *(getattr(it, name) for name in _REWARDS)
        for target, values in zip(targets, (cells, words, *rewards), strict=True):
            if self.device == "cuda":
                from patrizier.batch.cuda import write

                write(target, np.ascontiguousarray(values))
            else:
                target[:] = values
        self._engine.show()

    def moment(self) -> Moment:
        """Return a copy of all that changes, for `go_back`."""
        rewards = (_host(getattr(self._store, name)).copy() for name in _REWARDS)
        return self.cells(), _host(self._store.words).copy(), tuple(rewards)

    def go_back(self, moment: Moment) -> None:
        """Return to a `moment` of this batch: games continue from there as they did then."""
        self._put(*moment)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy positions and random numbers, not the buffers, which are views of each other."""
        settings = {"seed": self.seed, "first": self.first, **self._settings()}
        return _remade, (type(self), self.options, settings, self.moment())

    @classmethod
    def join(cls, parts: Sequence["Batch"], **settings: Any) -> "Batch":
        """Return the games of several batches with the same options as one batch.

        ``settings`` are as in `part`; those not given are the first batch's. So are the seed and
        the number of the first game, from which `reset` deals: only consecutive parts, joined in
        order, get the deals of the batch that they come from.
        """
        if not parts:
            raise ValueError("there is nothing to join")
        if any(part.options != parts[0].options for part in parts):
            raise ValueError("these batches are of different games")
        cells = np.concatenate([part.cells() for part in parts])
        words = np.concatenate([_host(part._store.words) for part in parts])
        return parts[0]._made(cells, words, parts[0].first, settings)

    def to_bytes(self) -> bytes:
        """Return all games as bytes, to continue elsewhere."""
        about = {"seed": self.seed, "first": self.first, "restart": self.restart}
        words = _host(self._store.words)
        return snapshot.pack(self.options, about, self.cells(), words)

    @classmethod
    def from_bytes(cls, data: bytes, *, check: bool = True, **settings: Any) -> "Batch":
        """Return the batch that `to_bytes` wrote; ValueError if the bytes are damaged or forged.

        ``settings`` as of `part`. Every position is checked, which takes a while for many games:
        ``check=False`` leaves that out for bytes of your own.
        """
        _check_settings(settings)
        options, about, cells, words = snapshot.unpack(data, _flag("check", check))
        batch = cls(
            len(cells), options.players, options.rules, options.deck, about["seed"],
            first=about["first"], **{"restart": about["restart"], **settings},
        )  # fmt: skip
        batch._put(cells, words)
        return batch


def _remade(kind: type[Batch], options: Options, settings: dict[str, Any], moment: Moment) -> Batch:
    """Return a copy of a batch from what `Batch.__reduce__` kept."""
    batch = kind(len(moment[0]), options.players, options.rules, options.deck, **settings)
    batch.go_back(moment)
    return batch


def _check_settings(settings: dict[str, Any]) -> None:
    for name in settings:
        if name not in _SETTINGS:
            raise TypeError(f"{name!r} cannot be set here: there are {', '.join(_SETTINGS)}")


def _host(array: Any) -> npt.NDArray[Any]:
    """Return an array in main memory, whatever device it is on."""
    if not hasattr(array, "copy_to_host"):
        return np.asarray(array)
    from patrizier.batch.cuda import fetch

    return fetch(array)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _whole(name: str, value: object, least: int | None = None, most: int = _MOST) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    if least is not None and value < least:
        raise ValueError(f"{name} is at least {least}, not {value}")
    if value > most:
        raise ValueError(f"{name} is at most {most:,}, not {value:,}")
    return int(value)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return bool(value)


def _one_of(name: str, value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"unknown {name} {value!r}: there are {', '.join(known)}")
    return str(value)
