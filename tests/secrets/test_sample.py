"""Sampling: every position consistent with a view, uniformly, and no other."""

from collections import Counter
from itertools import permutations
from math import comb, factorial

import numpy as np
import pytest
from scipy.stats import chisquare

from patrizier import Deck, Game, Options, State, View
from patrizier.rules.board import CARDS, cards_in_play
from support.kinds import STARRY

World = tuple[tuple[frozenset[str], ...], tuple[str, ...]]  # hidden cards by seat; pile, top first
DOUBT = 0.001  # a fair sampler fails one test of a thousand, and the seeds are fixed


def late_game(options: Options, seed: int, pile_left: int) -> Game:
    """Play until few cards are left in the pile, with starting cards still in the hands."""
    game, rng = Game(options, seed=seed), np.random.default_rng(seed)
    while game.view(None).pile_left > pile_left:
        assert game.seat is not None
        dealt = game.deal.hands[game.seat]
        kept = sorted(game.legal_moves, key=lambda move: move.card in dealt)
        moves = [move for move in kept if (move.card in dealt) == (kept[0].card in dealt)]
        game.play(moves[rng.integers(len(moves))])
    return game


def worlds_of(view: View) -> set[World]:
    """Return all ways to lay the unseen cards into the unknown places, by brute force."""
    deck, slots = view.options.deck, [seat.unknown for seat in view.seats]
    worlds = set()
    for cards in permutations(view.unseen):
        if all(deck[card].star for card in cards[: sum(slots)]):
            rest, hands = list(cards), []
            for count in slots:
                hands.append(frozenset(rest[:count]))
                del rest[:count]
            worlds.add((tuple(hands), tuple(rest)))
    return worlds


def world_in(state: State, view: View) -> World:
    """Return how a position fills the unknown places of a view."""
    unseen, record = set(view.unseen), state.record
    hands = tuple(
        frozenset(CARDS[card] for card in record.hands[seat.seat].tolist() if card >= 0) & unseen
        for seat in view.seats
    )
    pile = [CARDS[card] for card in record.pile[: int(record.pile_left)].tolist()]
    return hands, tuple(reversed(pile))


CASES = [  # players, deck, seed, cards in the pile, viewer, worlds
    (2, Deck.classic(), 1, 4, 0, 72),
    (2, Deck.classic(), 8, 4, 1, 144),
    (2, Deck.classic(), 2, 3, None, 180),
    (2, STARRY, 1, 4, 1, 360),
    (3, Deck.classic(), 6, 2, 0, 60),
    (3, Deck.classic(), 6, 3, 1, 180),
    (3, Deck.classic(), 8, 3, 2, 180),
    (3, Deck.classic(), 8, 1, None, 90),
]


@pytest.mark.parametrize(("players", "deck", "seed", "pile_left", "viewer", "count"), CASES)
def test_late_in_a_game_every_world_is_as_likely(
    players: int, deck: Deck, seed: int, pile_left: int, viewer: int | None, count: int
) -> None:
    game = late_game(Options(players, deck=deck), seed, pile_left)
    view = game.view(viewer)
    worlds = worlds_of(view)
    assert len(worlds) == count
    assert world_in(game.state, view) in worlds
    samples = Counter(world_in(view.sample(word), view) for word in range(25 * count))
    assert set(samples) == worlds
    assert chisquare(list(samples.values())).pvalue > DOUBT


def test_a_generator_samples_fairly_too() -> None:
    view = late_game(Options(3), 6, 2).view(0)
    worlds, rng = worlds_of(view), np.random.default_rng(1)
    samples = Counter(world_in(view.sample(rng), view) for _ in range(25 * len(worlds)))
    assert set(samples) == worlds
    assert chisquare(list(samples.values())).pvalue > DOUBT


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_at_the_start_every_card_is_as_likely_in_its_places(viewer: int | None) -> None:
    """The unseen stars share the unknown places in hands; the pile gets what is left."""
    options = Options(3, {"messengers"})
    game = Game(options, seed=10)
    view = game.view(viewer)
    stars = [card for card in view.unseen if options.deck[card].star]
    unknown = sum(seat.unknown for seat in view.seats)
    held: Counter[frozenset[str]] = Counter()
    top: Counter[str] = Counter()
    bottom: Counter[str] = Counter()
    count = 50 * comb(len(stars), 3)
    for word in range(count):
        hands, pile = world_in(view.sample(word), view)
        held[hands[1]] += 1
        top[pile[0]] += 1
        bottom[pile[-1]] += 1
    assert len(held) == comb(len(stars), 3)
    assert chisquare(list(held.values())).pvalue > DOUBT
    in_pile = (len(stars) - unknown) / len(stars)  # how likely a star is in the pile
    chances = [in_pile if card in stars else 1.0 for card in view.unseen]
    expected = [count * chance / view.pile_left for chance in chances]
    for counts in (top, bottom):
        assert chisquare([counts[card] for card in view.unseen], expected).pvalue > DOUBT


def test_the_enumeration_counts_right() -> None:
    """The brute force of these tests against a formula."""
    view = late_game(Options(3), 6, 2).view(0)
    stars = sum(view.options.deck[card].star for card in view.unseen)
    ways = factorial(view.pile_left)
    for seat in view.seats:
        ways *= comb(stars, seat.unknown)
        stars -= seat.unknown
    assert len(worlds_of(view)) == ways


@pytest.mark.plain
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_samples_agree_with_what_is_known(players: int) -> None:
    options = Options(players, {"messengers"})
    game, rng = Game(options, seed=players), np.random.default_rng(players)
    while not game.is_over:
        game.play(game.legal_moves[rng.integers(len(game.legal_moves))])
        if game.turn % 7:
            continue
        viewer = game.turn % players
        view = game.state.view(viewer)
        world = view.sample(rng)
        assert world.view(viewer) == view
        hands, pile = world_in(world, view)
        assert [len(hand) for hand in hands] == [seat.unknown for seat in view.seats]
        assert sorted([*pile, *(card for hand in hands for card in hand)]) == list(view.unseen)
        assert all(options.deck[card].star for hand in hands for card in hand)
        record = world.record
        places = [*record.hands.ravel().tolist(), *record.display.tolist(), *record.pile.tolist()]
        names = [CARDS[card] for card in places if card >= 0]
        names += [card for seat in view.seats for card in seat.pile]
        assert sorted(names) == sorted(cards_in_play(players))
