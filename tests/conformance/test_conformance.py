"""The conformance suite: invariants of every game, checked on random games of every kind."""

import copy
import json
import pickle
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from patrizier import Game, IllegalMove, Move, Options, StaleMove, State, View
from patrizier.rules.board import CARDS, CODES, EDGES
from patrizier.rules.codes import DECISIONS
from support.kinds import RULES, STARRY, for_every

KINDS = [
    *(Options(players, rules) for players in (2, 3, 4, 5) for rules in RULES),
    *(Options(players, RULES[2], STARRY) for players in (2, 5)),
]
PLAIN = (Options(3, RULES[4]),)

every_kind = for_every(KINDS, PLAIN)


def walk(options: Options, seed: int, step: int = 1) -> Iterator[Game]:
    """Play a random game; give it at every step-th decision, mid-turn or not, and at its end."""
    game, rng = Game(options, seed=seed), Random(seed)
    for number in range(1000):
        if number % step == 0 or game.is_over:
            yield game
        if game.is_over:
            return
        game.decide(rng.choice(game.legal_decisions()))
    pytest.fail("this game does not end")


def go_on(game: Game, rng: Random, decisions: int = 1000) -> None:
    """Play on at random."""
    while decisions and not game.is_over:
        game.decide(rng.choice(game.legal_decisions()))
        decisions -= 1


def snapshot(game: Game) -> tuple[Any, ...]:
    """Return everything that can be observed of a game."""
    return (
        game.state.to_bytes(),
        game.turn,
        game.seat,
        game.phase,
        game.is_over,
        game.decisions,
        game.records,
        game.legal_decisions(),
        game.scores(),
        game.outcome(),
    )


# -- copies and values


@every_kind
def test_a_copy_goes_its_own_way(options: Options) -> None:
    for game in walk(options, seed=1, step=11):
        twin, before = game.copy(), snapshot(game)
        assert snapshot(twin) == before
        go_on(twin, Random(1), decisions=6)
        assert snapshot(game) == before
        other = game.copy()
        go_on(other, Random(1), decisions=6)
        assert snapshot(other) == snapshot(twin)


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
def test_copies_of_the_library_are_whole(how: str) -> None:
    for game in walk(Options(3, RULES[2]), seed=2, step=7):
        twin = copy.deepcopy(game) if how == "deepcopy" else pickle.loads(pickle.dumps(game))
        assert snapshot(twin) == snapshot(game)
        before = snapshot(game)
        go_on(twin, Random(1), decisions=6)
        assert snapshot(game) == before
        other = game.copy()
        go_on(other, Random(1), decisions=6)
        assert snapshot(other) == snapshot(twin)


@every_kind
def test_apply_leaves_the_old_state(options: Options) -> None:
    kept: list[tuple[State, bytes]] = []
    for game in walk(options, seed=3, step=8):
        state = game.state
        before = state.to_bytes()
        for code in state.legal_decisions():
            later, twin = state.apply(code), game.copy()
            twin.decide(code)
            assert later == twin.state
            assert later != state
            assert (later.turn, later.seat, later.phase) == (twin.turn, twin.seat, twin.phase)
            assert state.to_bytes() == before
        kept.append((state, before))
    for state, before in kept:  # however the game went on
        assert state.to_bytes() == before


@every_kind
def test_bytes_round_trip(options: Options) -> None:
    for game in walk(options, seed=4):
        state = game.state
        data = state.to_bytes()
        again = State.from_bytes(data)
        assert again.to_bytes() == data
        assert again == state
        assert hash(again) == hash(state)
        assert (again.turn, again.seat, again.phase) == (state.turn, state.seat, state.phase)
        assert again.options.players == options.players
        assert again.options.rules == options.rules
        assert again.legal_decisions() == state.legal_decisions()
        assert again.legal_moves() == state.legal_moves()
        assert again.scores() == state.scores()
        for code in state.legal_decisions()[:2]:
            assert again.apply(code) == state.apply(code)


def description(state: State) -> tuple[Any, ...]:
    """Describe a position by where everything lies, independent of the record's layout."""
    record = state.record
    tower_list = record.floors.reshape(-1, record.floors.shape[2]).tolist()
    return (
        state.turn,
        state.seat,
        state.phase,
        tuple(int(record[name]) for name in ("card", "way", "moved", "source", "drawn", "refill")),
        tuple(frozenset(card for card in hand if card >= 0) for hand in record.hands.tolist()),
        tuple(record.where.tolist()),
        tuple(record.display.tolist()),
        tuple(record.pile[: int(record.pile_left)].tolist()),
        tuple(record.tops.tolist()),
        tuple(tuple(floor for floor in tower if floor >= 0) for tower in tower_list),
        tuple(map(tuple, record.winners.tolist())),
        tuple(record.chips.tolist()),
        tuple(record.messengers.tolist()),
        tuple(record.messengers_left.tolist()),
    )


@pytest.mark.parametrize("rules", [RULES[0], RULES[4]], ids=["base", "messengers"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_equal_positions_are_equal_states(rules: tuple[str, ...], seed: int) -> None:
    """All ways through a few late turns: the same things in the same places are one state."""
    game, rng = Game(Options(2, rules), seed=seed), Random(seed)
    while game.turn < 38:  # the draw pile is empty, so that cards can be taken in any order
        game.play(rng.choice(game.legal_moves))
    ways: dict[tuple[Any, ...], list[State]] = defaultdict(list)
    front = [game.state]
    while front:
        state = front.pop()
        ways[description(state)].append(state)
        if state.turn < 41:
            codes = state.legal_decisions()
            front += map(state.apply, codes if state.turn != 39 else codes[:1])
    forms = [{state.to_bytes() for state in states} for states in ways.values()]
    assert all(len(form) == 1 for form in forms)
    assert len(set.union(*forms)) == len(ways)
    assert all(len({hash(state) for state in states}) == 1 for states in ways.values())
    assert all(len(set(states)) == 1 for states in ways.values())
    some = islice(ways.values(), 300)
    moves = [{tuple(state.legal_moves()) for state in states} for states in some]
    assert all(len(lists) == 1 for lists in moves)  # in the same order, too
    raw = [{state.record.hands.tobytes() for state in states} for states in ways.values()]
    assert sum(len(kept) > 1 for kept in raw) >= 10  # some were kept in different ways


def test_different_positions_are_different_states() -> None:
    states = [game.state for game in walk(Options(3), seed=5)]
    assert len(set(states)) == len(states)
    assert states[0] != "a state"


# -- what is legal


@every_kind
def test_mask_and_list_agree(options: Options) -> None:
    for game in walk(options, seed=6, step=7):
        state, codes = game.state, game.legal_decisions()
        assert codes == sorted(set(codes))
        assert state.legal_decisions() == codes
        assert bool(codes) != game.is_over
        for mask in (game.legal_mask(), state.legal_mask()):
            assert mask.shape == (DECISIONS,)
            assert mask.dtype == np.bool_
            assert np.flatnonzero(mask).tolist() == codes
        before = snapshot(game)
        for code in {-1, DECISIONS, *range(DECISIONS)} - set(codes):
            with pytest.raises(ValueError, match="not legal"):
                state.apply(code)
            with pytest.raises(IllegalMove, match="not legal"):
                game.decide(code)
        assert snapshot(game) == before
        texts = [state.decision_text(code) for code in codes]
        assert len(set(texts)) == len(texts)


def ends_of_turn(state: State) -> list[State]:
    """Return the positions after every way to decide the rest of the turn."""
    front = [state]
    ends: list[State] = []
    while front:
        now = front.pop()
        for later in map(now.apply, now.legal_decisions()):
            (ends if later.turn > state.turn else front).append(later)
    return ends


@every_kind
def test_legal_moves_are_what_decisions_can_reach(options: Options) -> None:
    for game in walk(options, seed=7, step=7):
        moves = game.legal_moves
        assert game.state.legal_moves() == moves
        reached = []
        for move in moves:
            twin = game.copy()
            assert twin.play(move).move == move
            assert twin.turn == game.turn + 1
            reached.append(twin.state)
        assert len(set(reached)) == len(reached)
        assert set(reached) == set(ends_of_turn(game.state))
        texts = [move.text for move in moves]
        assert len(set(texts)) == len(texts)
        for move in moves:
            assert Move(str(move)) == move
            parts = {"moved": move.moved, "draw": move.draw, "messenger": move.messenger}
            assert Move.of(move.card, move.sites, **parts).text == move.text


def plausible_moves(game: Game, rng: Random, count: int) -> Iterator[Move]:
    """Make turns that somebody might try: right, nearly right and quite wrong ones."""
    pairs = [*EDGES, "BO-RO", "FI-RO", "LU-PA"]
    towers = [f"{code}.{site}" for code in CODES for site in "LR"]
    legal = game.legal_moves
    hand = [move.card for move in legal]
    for _ in range(count):
        base = rng.choice(legal)
        parts = {
            "card": base.card,
            "sites": base.sites,
            "moved": base.moved,
            "draw": base.draw,
            "messenger": base.messenger,
        }
        others = {
            "card": rng.choice([rng.choice(CARDS), rng.choice(hand)]),
            "sites": rng.choice(["L", "R", "LL", "LR", "RR"]),
            "moved": rng.choice([None, rng.choice(towers)]),
            "draw": rng.choice([None, rng.choice(CODES)]),
            "messenger": rng.choice([None, rng.choice(pairs)]),
        }
        for name in rng.sample(sorted(parts), rng.choice([1, 1, 2, 5])):
            parts[name] = others[name]
        yield Move.of(parts.pop("card") or "", parts.pop("sites") or "", **parts)


@every_kind
def test_illegal_moves_are_refused_and_change_nothing(options: Options) -> None:
    rng, refused = Random(8), 0
    for game in walk(options, seed=8, step=3):
        if game.is_over:
            with pytest.raises(IllegalMove, match="the game is over"):
                game.play("BO1:LL")
            continue
        legal, before, mid_turn = set(game.legal_moves), snapshot(game), game.phase != "build"
        for move in plausible_moves(game, rng, 20):
            if move in legal:
                continue
            with pytest.raises(IllegalMove) as caught:
                game.play(move)
            assert str(caught.value).startswith(f"{move}: ")
            assert "not possible here" not in str(caught.value)  # a rule is named
            refused += 1
            if not mid_turn:
                assert game.state.to_bytes() == before[0]
        assert snapshot(game) == before
    assert refused > 150


@every_kind
def test_in_mid_turn_the_moves_go_on_from_what_was_decided(options: Options) -> None:
    seen = set()
    for game in walk(options, seed=9):
        if game.phase in ("build", "over"):
            start_moves = set(game.legal_moves)
            continue
        seen.add(game.phase)
        pending = game.view(None).pending
        assert pending is not None
        moves = game.legal_moves
        assert set(moves) <= start_moves
        for move in moves:
            assert move.text.startswith(pending.move.text)
        for move in [m for m in start_moves if m not in moves][:5]:
            before = snapshot(game)
            with pytest.raises(IllegalMove, match="decided"):
                game.play(move)
            assert snapshot(game) == before
        twin = game.copy()
        record = twin.play(moves[-1])
        assert (record.turn, record.seat, record.move) == (game.turn + 1, game.seat, moves[-1])
        assert twin.state in set(ends_of_turn(game.state))
        assert twin.decisions[: len(game.decisions)] == game.decisions
    assert seen >= ({"move", "draw", "messenger"} if "messengers" in options.rules else {"draw"})


# -- back and forth


@every_kind
def test_turns_can_be_taken_back(options: Options) -> None:
    before: dict[int, tuple[Any, ...]] = {}
    rng = Random(10)
    for game in walk(options, seed=10):
        if game.phase in ("build", "over"):
            before[game.turn] = snapshot(game)
        if rng.random() < 0.8:
            continue
        turns = rng.randint(0, min(game.turn, rng.choice([1, 3, 60])))
        twin = game.copy()
        twin.take_back(turns)
        assert snapshot(twin) == before[game.turn - turns]
        go_on(twin, rng, decisions=5)
        now = snapshot(game)
        for wrong in (-1, game.turn + 1):
            with pytest.raises(ValueError, match="take back"):
                game.take_back(wrong)
        assert snapshot(game) == now


@every_kind
def test_a_replay_gives_the_same_game(options: Options) -> None:
    game = Game(options, seed=11)
    go_on(game, Random(11))
    by_moves, by_text, by_decisions = (Game(options, deal=game.deal) for _ in range(3))
    for record in game.records:
        assert by_moves.play(record.move, turn=record.turn - 1) == record
        by_text.play(record.move.text)
    for code in game.decisions:
        by_decisions.decide(code)
    by_record = Game.from_record(str(game.record()))
    by_seed = Game(options, seed=11)
    go_on(by_seed, Random(11))
    for twin in (by_moves, by_text, by_decisions, by_record, by_seed):
        assert snapshot(twin) == snapshot(game)
        assert twin.deal == game.deal
        assert twin.moves == game.moves


@pytest.mark.plain
def test_a_late_move_is_stale() -> None:
    game = Game(Options(2), seed=12)
    first = game.legal_moves[0]
    game.play(first, turn=0)
    before = snapshot(game)
    for turn in (0, 2, -1):
        with pytest.raises(StaleMove, match="turn 2"):
            game.play(game.legal_moves[0], turn=turn)
    with pytest.raises(StaleMove):  # the same move once more, as from a double click
        game.play(first, turn=0)
    assert snapshot(game) == before
    assert game.play(game.legal_moves[0], turn=1).turn == 2


# -- results


@every_kind
def test_results_are_in_bounds(options: Options) -> None:
    for seed in range(3):
        game = Game(options, seed=seed)
        rng = Random(seed)
        while not game.is_over:
            assert game.outcome() is None
            assert game.seat in range(options.players)
            game.play(rng.choice(game.legal_moves))
        outcome = game.outcome()
        assert outcome is not None
        assert game.seat is None
        assert game.legal_moves == []
        assert len(outcome.points) == options.players
        assert all(-3 <= points <= 200 for points in outcome.points)
        tokens = sum(score.tokens for score in outcome.scores)
        assert tokens == (114 if options.players == 5 else 99)
        assert sum(score.minus for score in outcome.scores) in (0, -3)
        best = max((score.total, -score.floors) for score in outcome.scores)
        ranks = [(score.total, -score.floors) for score in outcome.scores]
        assert outcome.winners == tuple(s for s, rank in enumerate(ranks) if rank == best)
        if "messengers" not in options.rules:
            assert all(score.chips == score.minus == 0 for score in outcome.scores)


# -- views


def viewers(options: Options) -> list[int | None]:
    return [*range(options.players), None]


@every_kind
def test_views_survive_json(options: Options) -> None:
    phases = set()
    for number, game in enumerate(walk(options, seed=13)):
        new_phase = game.phase not in phases
        if not new_phase and number % 11 and (game.phase == "build" or number % 4):
            continue
        phases.add(game.phase)
        for viewer in {game.seat, viewers(options)[number % (options.players + 1)]}:
            view = game.view(viewer)
            text = json.dumps(view.to_json())
            again = View.from_json(json.loads(text))
            assert again == view
            assert json.dumps(again.to_json()) == text
            assert again.sample(number) == view.sample(number)
            assert again.sample(number).options == options
    assert len(phases) >= 3


def test_json_objects_have_no_order() -> None:
    """Other languages may write the keys of an object in any order."""
    for game in walk(Options(3, RULES[2]), seed=14, step=9):
        view = game.view(1)
        assert View.from_json(json.loads(json.dumps(view.to_json(), sort_keys=True))) == view


@every_kind
def test_sampled_worlds_look_the_same(options: Options) -> None:
    other = 0
    for number, game in enumerate(walk(options, seed=15)):
        viewer = viewers(options)[number % (options.players + 1)]
        view = game.state.view(viewer)
        assert view.history == ()
        world = view.sample(number)
        assert world.view(viewer) == view
        assert world.options is options
        assert view.sample(number) == world
        other += world != game.state
        if number % 10 == 0:
            assert State.from_bytes(world.to_bytes()) == world
            generator = np.random.default_rng(number)
            assert view.sample(generator).view(viewer) == view
            go_on_state(world, Random(number))
    assert other > 20


def go_on_state(state: State, rng: Random) -> None:
    """Play a state to its end, which must come in time."""
    for _ in range(300):
        if state.is_over:
            break
        state = state.apply(rng.choice(state.legal_decisions()))
    assert state.outcome() is not None
