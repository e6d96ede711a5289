"""Features against a naive computation."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from patrizier import Deck, Game, Options
from patrizier.bots.learned.features import (
    EMPTY_TOWER,
    EXACT_LEADS,
    KINDS,
    LEADING,
    LEADS,
    MISSING,
    SLOPES,
    STAGES,
    count_crests,
    exact_lead_from,
    is_open,
    kind_of,
    lead_of,
    missing_of,
    rounds_left,
    slope_of,
    stage_of,
    standing,
    taller_of,
)
from patrizier.bots.learned.value import new_features
from patrizier.rules.board import CARDS, CITIES, CODES, PISTOIA, cards_in_play, cities_in_play
from patrizier.rules.state import NONE
from support.kinds import STARRY, for_every

EVERY = for_every(
    [
        Options(2),
        Options(3, {"messengers"}, STARRY),
        Options(4, {"messengers", "messenger-at-built-city"}),
        Options(5, {"messengers"}),
    ],
    plain=(Options(2),),
)


def positions(options: Options, every: int = 5) -> Iterator[Game]:
    """Play a random game; yield it every few decisions, and at its end."""
    game, rng = Game(options, seed=3), Random(3)
    while not game.is_over:
        if len(game.decisions) % every == 0:
            yield game
        game.decide(rng.choice(game.legal_decisions()))
    yield game


def lead(floors: tuple[int, ...], leader: int | None, seat: int) -> int:
    """Return a seat's lead in a tower, computed naively."""
    if leader is None:
        return EMPTY_TOWER
    counts = Counter(floors)
    if seat == leader:
        others = max((count for owner, count in counts.items() if owner != seat), default=0)
        return LEADING + min(counts[seat] - others, 2)
    return 2 - min(counts[leader] - counts[seat], 2)


@EVERY
def test_towers_look_as_they_stand(options: Options) -> None:
    seen = set()
    for game in positions(options):
        record = game.state.record
        for city in game.view(None).cities:
            number = CODES.index(city.code)
            heights = len(city.left), len(city.right)
            for site, floors in enumerate((city.left, city.right)):
                counts = Counter(floors)
                leader = city.leaders[site]
                holder, most, second = standing(record, number, site)
                assert holder == (NONE if leader is None else leader)
                assert most == max(counts.values(), default=0)
                assert second == max((n for who, n in counts.items() if who != leader), default=0)
                slope = heights[site] - heights[1 - site]
                assert slope_of(record, number, site) == max(-2, min(2, slope)) + 2
                for seat in range(options.players):
                    looks = lead_of(record, number, site, seat)
                    assert looks == lead(floors, leader, seat)
                    assert (looks >= LEADING) == (seat == leader)
                    seen.add(looks)
    assert seen == set(range(LEADS))


@EVERY
def test_exact_leads_count_floors(options: Options) -> None:
    seen = set()
    for game in positions(options):
        for city in game.view(None).cities:
            number = CODES.index(city.code)
            for site, floors in enumerate((city.left, city.right)):
                holder, most, second = standing(game.state.record, number, site)
                for seat in range(options.players):
                    own = floors.count(seat)
                    looks = exact_lead_from(own, holder, most, second, seat)
                    if not floors:
                        assert looks == 4
                    elif seat == holder:
                        assert looks - 5 == min(own - second, 4)
                    else:
                        assert 3 - looks == min(most - own, 3)
                    seen.add(looks)
    assert seen <= set(range(EXACT_LEADS))
    assert len(seen) > LEADS


@EVERY
def test_the_taller_tower_is_told_from_its_equal(options: Options) -> None:
    """By floors in turn order, then by who holds it; only towers that look alike remain."""
    equals = 0
    for game in positions(options, every=2):
        record, players = game.state.record, options.players
        order = [(int(record.seat) + distance) % players for distance in range(players)]
        for city in game.view(None).cities:
            looks = []
            for floors, leader in zip((city.left, city.right), city.leaders, strict=True):
                held = 0 if leader is None else -order.index(leader)
                looks.append((len(floors), *(floors.count(seat) for seat in order), held))
            assert looks[taller_of(record, CODES.index(city.code))] == max(looks)
            equals += len(city.left) == len(city.right) > 0
    assert equals


@EVERY
def test_only_capacities_and_missing_floors_tell_cities_apart(options: Options) -> None:
    numbers: dict[tuple[int, int], int] = {}
    for game in positions(options):
        record = game.state.record
        for city in game.view(None).cities:
            number = missing_of(record, CODES.index(city.code))
            left = city.capacity - len(city.left) - len(city.right)
            assert numbers.setdefault((city.capacity, left), number) == number
            assert 0 <= number < MISSING
    assert len(set(numbers.values())) == len(numbers)


def test_every_number_of_missing_floors_has_a_picture_of_its_own() -> None:
    assert {city.capacity + 1 for city in CITIES} == {6, 8, 10}
    assert MISSING == 6 + 8 + 10
    assert SLOPES == 5


@EVERY
def test_a_city_is_open_until_it_is_scored(options: Options) -> None:
    for game in positions(options):
        record = game.state.record
        played = {city.code: city for city in game.view(None).cities}
        for number, code in enumerate(CODES):
            wanted = code in played and played[code].winners is None
            assert is_open(record, number) == wanted
    assert not any(is_open(game.state.record, number) for number in range(len(CODES)))
    assert is_open(Game(options, seed=1).state.record, PISTOIA) == (options.players == 5)
    assert len(cities_in_play(options.players)) == (10 if options.players == 5 else 9)


@EVERY
def test_crests_are_those_in_the_hands(options: Options) -> None:
    features = new_features()
    for game in positions(options):
        state = game.state
        count_crests(state.record, features[0])
        total: Counter[int] = Counter()
        for seat in range(options.players):
            own: Counter[int] = Counter()
            for card in state.record.hands[seat].tolist():
                if card >= 0:
                    own[CODES.index(CARDS[card][:2])] += options.deck[CARDS[card]].crests
            total += own
            for city in range(len(CODES)):
                assert features["crests"][0, seat, city] == own[city]
        assert features["all_crests"][0].tolist() == [total[city] for city in range(len(CODES))]


@EVERY
def test_rounds_are_the_turns_a_seat_has_left(options: Options) -> None:
    players, turns = options.players, len(cards_in_play(options.players))
    for game in positions(options, every=1):
        for seat in range(players):
            own = [t for t in range(game.turn, turns) if (game.deal.start + t) % players == seat]
            assert rounds_left(game.state.record, seat) == len(own)


def test_stages_go_down_to_the_last() -> None:
    stages = [stage_of(left) for left in range(25)]
    assert stages == sorted(stages)
    assert stages[0] == 0
    assert set(stages) == set(range(STAGES))


@pytest.mark.plain
def test_kinds_of_cards_are_told_apart() -> None:
    for deck in (Deck.classic(), STARRY):
        kinds: dict[int, set[str]] = {}
        for _, face in deck.faces:
            kinds.setdefault(kind_of(face.byte), set()).add(face.text)
        assert all(0 <= kind < KINDS for kind in kinds)
        for texts in kinds.values():  # nobles look alike; a star counts where there is one portrait
            assert len({text.translate(str.maketrans("LBK", "NNN")) for text in texts}) == 1
