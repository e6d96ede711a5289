"""The playout policy: every decision has the odds of its prior, and playouts end."""

from random import Random

import numpy as np
import pytest

from patrizier import Game, Options
from patrizier.bots.learned.features import count_crests, is_open, lead_of
from patrizier.bots.learned.priors import MOST_PARTS, parts_of
from patrizier.bots.learned.value import FeatureBuffer, load_weights, new_features
from patrizier.bots.search.playout_policy import (
    list_builds,
    list_others,
    pick,
    play_by_policy,
    reset_features,
)
from patrizier.rules.board import MAX_CITIES
from patrizier.rules.codes import DECISIONS
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import BUILDING, OVER, Cells, new_cells
from patrizier.state import list_decisions
from support.kinds import RULES, STARRY, for_every

PICKS = 20_000

EVERY = for_every(
    [
        *(Options(players, rules) for players in (2, 3, 4, 5) for rules in RULES[::2]),
        *(Options(players, {"messengers"}, STARRY) for players in (2, 5)),
    ],
    plain=(Options(3), Options(5, {"messengers"}, STARRY)),
)


@kernel
def list_odds(
    cells: Cells, buffer: ScratchBuffer, features: FeatureBuffer, weights: np.ndarray
) -> int:
    """Compute the features of a position, and list its decisions with their odds."""
    reset_features(cells[0], features[0])
    if cells[0].phase == BUILDING:
        return list_builds(cells[0], buffer[0], features[0], weights[0])
    return list_others(cells[0], buffer[0], features[0], weights[0])


@kernel
def play_on(
    cells: Cells, buffer: ScratchBuffer, features: FeatureBuffer, weights: np.ndarray
) -> None:
    play_by_policy(cells[0], buffer[0], features[0], weights[0])


@kernel
def pick_often(
    cells: Cells,
    buffer: ScratchBuffer,
    features: FeatureBuffer,
    weights: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Count which decisions are drawn."""
    for _ in range(PICKS):
        counts[pick(buffer[0], features[0], list_odds(cells, buffer, features, weights))] += 1


def cells_of(game: Game) -> Cells:
    cells = new_cells(2)
    cells[0] = game.state.record
    return cells


def odds_in(cells: Cells) -> dict[int, float]:
    buffer, features = new_scratch(), new_features()
    count = list_odds(cells, buffer, features, load_weights(int(cells["players"][0])))
    codes = buffer["codes"][0][:count].tolist()
    return dict(zip(codes, features["odds"][0][:count].tolist(), strict=True))


def promises_in(cells: Cells) -> dict[int, float]:
    """Return the same from the tables of the priors."""
    priors = load_weights(int(cells["players"][0]))["priors"][0]
    features, parts = new_features(), np.zeros(MOST_PARTS, np.int32)
    count_crests(cells[0], features[0])
    return {
        code: float(np.exp(priors[parts[: parts_of(cells[0], code, features[0], parts)]].sum()))
        for code in list_decisions(cells)
    }


def open_cities(cells: Cells) -> list[int]:
    return [city for city in range(MAX_CITIES) if is_open(cells[0], city)]


def check_leads(cells: Cells, features: FeatureBuffer, cities: list[int]) -> None:
    """Compare the incrementally updated leads with those on the board."""
    players = int(cells["players"][0])
    for city in cities:
        for site in range(2):
            wanted = [lead_of(cells[0], city, site, seat) for seat in range(players)]
            assert features["leads"][0][city, site][:players].tolist() == wanted


@EVERY
def test_odds_are_those_of_the_priors(options: Options) -> None:
    for seed in range(2):
        game, rng = Game(options, seed=seed), Random(seed)
        while not game.is_over:
            cells = cells_of(game)
            assert odds_in(cells) == pytest.approx(promises_in(cells), rel=1e-4)
            game.decide(rng.choice(game.legal_decisions()))


@EVERY
def test_what_is_kept_in_mind_stays_right(options: Options) -> None:
    """After a whole game, incremental and recomputed features are equal."""
    game, rng = Game(options, seed=3), Random(3)
    for turn in range(44):
        while game.turn == turn:
            game.decide(rng.choice(game.legal_decisions()))
        if turn % 4:
            continue
        cells, features = cells_of(game), new_features()
        built_in = open_cities(cells)
        play_on(cells, new_scratch(turn), features, load_weights(options.players))
        assert cells["phase"][0] == OVER
        assert int(features["all_held"][0]) == 0
        assert not features["held_by"].any()
        for seat in range(options.players):
            heads = cells["heads"][0][seat]
            assert features["open_set"][0][seat][:3].tolist() == (heads % 3).tolist()
        check_leads(cells, features, built_in)


def test_leads_are_noted_as_they_are() -> None:
    for players in (2, 5):
        game, rng = Game(Options(players), seed=players), Random(players)
        while not game.is_over:
            cells, features = cells_of(game), new_features()
            reset_features(cells[0], features[0])
            check_leads(cells, features, open_cities(cells))
            game.decide(rng.choice(game.legal_decisions()))


@EVERY
def test_the_end_is_one_the_rules_allow(options: Options) -> None:
    """All cards are played, all cities scored, and every seat had its turns."""
    for seed in range(5):
        cells = cells_of(Game(options, seed=seed))
        play_on(cells, new_scratch(seed), new_features(), load_weights(options.players))
        state = cells[0]
        assert state["phase"] == OVER
        assert (state["hands"][: options.players] == -1).all()
        cities = 10 if options.players == 5 else 9
        assert (state["missing"][:10] == 0).sum() == cities
        assert (state["winners"] >= 0).sum() == 2 * cities


def test_the_same_word_plays_the_same_end() -> None:
    ends = []
    for word in (1, 1, 2):
        cells = cells_of(Game(Options(4), seed=4))
        play_on(cells, new_scratch(word), new_features(), load_weights(4))
        ends.append(cells[0].tobytes())
    assert ends[0] == ends[1] != ends[2]


def test_decisions_come_as_often_as_their_odds_say() -> None:
    told = 0
    for seed in range(4):
        game, rng = Game(Options(4, {"messengers"}), seed=seed), Random(seed)
        while game.turn < 30 + seed or (game.phase == "build" and seed % 2):
            game.decide(rng.choice(game.legal_decisions()))
        cells, counts = cells_of(game), np.zeros(DECISIONS, np.int64)
        pick_often(cells, new_scratch(seed), new_features(), load_weights(4), counts)
        odds = odds_in(cells)
        total = sum(odds.values())
        assert counts.sum() == PICKS
        for code, wanted in odds.items():
            assert counts[code] / PICKS == pytest.approx(wanted / total, abs=0.02)
            told += abs(wanted / total - 1 / len(odds)) > 0.1
    assert told  # not all were equally likely
