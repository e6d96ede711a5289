"""Priors: every decision has its table entries, and hidden cards do not matter."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from patrizier import Game, Options
from patrizier.bots.learned.features import count_crests
from patrizier.bots.learned.priors import MOST_PARTS, PRIORS, parts_of
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.rules.codes import DRAW, MOVE, NO_MESSENGER, NO_MOVE
from patrizier.rules.state import Cells, new_cells
from patrizier.state import list_decisions
from support.kinds import RULES, STARRY, for_every

EVERY = for_every(
    [
        *(Options(players, rules) for players in (2, 3, 4, 5) for rules in RULES[::2]),
        *(Options(players, {"messengers"}, STARRY) for players in (2, 5)),
    ],
    plain=(Options(2), Options(5, {"messengers"}, STARRY)),
)

Parts = dict[int, tuple[int, ...]]


def parts_in(cells: Cells) -> Parts:
    """Return the parts of every legal decision."""
    features, room = new_features(), np.full(MOST_PARTS + 2, -1, np.int32)
    count_crests(cells[0], features[0])
    found = {}
    for code in list_decisions(cells):
        room[:] = -1
        count = parts_of(cells[0], code, features[0], room)
        assert 0 < count <= MOST_PARTS
        assert (room[count:] == -1).all()
        found[code] = tuple(room[:count].tolist())
    return found


def cells_of(game: Game) -> Cells:
    cells = new_cells()
    cells[0] = game.state.record
    return cells


def random_game(options: Options, seed: int) -> Iterator[Game]:
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        yield game
        game.decide(rng.choice(game.legal_decisions()))


def kind_of_decision(code: int) -> str:
    if code in (NO_MOVE, NO_MESSENGER):
        return "no move" if code == NO_MOVE else "no messenger"
    if code < MOVE:
        return "build"
    return "move" if code < DRAW else "draw" if code < NO_MESSENGER else "messenger"


@EVERY
def test_every_decision_has_its_place_in_the_tables(options: Options) -> None:
    used: dict[str, set[int]] = {}
    for game in random_game(options, seed=1):
        for code, parts in parts_in(cells_of(game)).items():
            assert all(0 <= part < PRIORS for part in parts)
            used.setdefault(kind_of_decision(code), set()).update(parts)
    assert set(used) >= {"build", "no move", "move", "draw"}
    assert ("messenger" in used) == ("messengers" in options.rules)
    for one in used:  # builds and free draws both say what is drawn; else no two kinds mix
        for two in used:
            assert one == two or {one, two} == {"build", "draw"} or not used[one] & used[two]


def test_the_tables_are_as_long_as_the_weights() -> None:
    for players in (2, 3, 4, 5):
        assert load_weights(players)["priors"].shape == (1, PRIORS)


@pytest.mark.plain
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_order_of_pile_and_hands_does_not_matter(players: int) -> None:
    rng = Random(2)
    for number, game in enumerate(random_game(Options(players, {"messengers"}), seed=2)):
        if number % 6 and game.phase == "build":
            continue
        cells = cells_of(game)
        before, left = parts_in(cells), int(cells["pile_left"][0])
        cells["pile"][0, :left] = rng.sample(cells["pile"][0, :left].tolist(), left)
        for hand in cells["hands"][0, :players]:
            hand[:] = rng.sample(hand.tolist(), 3)
        assert parts_in(cells) == before


@pytest.mark.plain
@pytest.mark.parametrize("players", [3, 5])
def test_it_does_not_matter_which_of_the_others_holds_a_card(players: int) -> None:
    changed = 0
    for number, game in enumerate(random_game(Options(players, {"messengers"}), seed=3)):
        if number % 6 and game.phase == "build":
            continue
        cells, seat = cells_of(game), int(game.state.record.seat)
        before = parts_in(cells)
        one, two = (seat + 1) % players, (seat + 2) % players
        hands = cells["hands"][0]
        hands[[one, two]] = hands[[two, one]]
        changed += (hands[one] != hands[two]).any()
        assert parts_in(cells) == before
    assert changed


@pytest.mark.plain
def test_of_cards_of_others_only_the_crests_count() -> None:
    """Samples with the same crests in the other hands have the same features."""
    alike = 0
    for number, game in enumerate(random_game(Options(2), seed=4)):
        if number % 6 and game.phase == "build":
            continue
        view, seen = game.view(game.seat), dict[tuple[int, ...], Parts]()
        for word in range(12):
            cells, features = new_cells(), new_features()
            cells[0] = view.sample(word).record
            count_crests(cells[0], features[0])
            parts = parts_in(cells)
            alike += tuple(features["all_crests"][0]) in seen
            assert seen.setdefault(tuple(features["all_crests"][0]), parts) == parts
    assert alike
