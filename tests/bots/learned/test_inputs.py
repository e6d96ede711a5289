"""The inputs of the network: every number against a naive computation, and invariances."""

from functools import cache
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from bots.learned.outputs_by_text import outputs_by_text
from bots.learned.symmetries import exchanged, mirrored, turned
from patrizier import Game, Options, State
from patrizier.bots.learned.features import standing, taller_of
from patrizier.bots.learned.inputs import (
    CITY,
    FACE,
    INPUTS,
    SEAT,
    TABLE,
    outputs_of,
    write_inputs,
)
from patrizier.rules.board import CARDS, CITIES, CITY_INDEX, MAX_CITIES, MAX_PLAYERS, PISTOIA
from patrizier.rules.jit import kernel
from patrizier.rules.state import PHASES, Cells, new_cells
from support.kinds import for_every
from support.outsiders import KINDS, good_games

Record = npt.NDArray[np.void]
EVERY = for_every(KINDS, plain=(KINDS[2],))


@kernel
def write(cells: Cells, inputs: Record) -> None:
    write_inputs(cells[0], inputs[0])


def seen(state: State | Cells) -> Record:
    """Return the inputs of a position; before, they were something else."""
    cells, inputs = new_cells(), np.full(INPUTS.itemsize, 77, np.uint8).view(INPUTS)
    cells[0] = state.record if isinstance(state, State) else state[0]
    write(cells, inputs)
    return inputs


@cache
def games(options: Options) -> list[Game]:
    """Return unfinished games of a kind, in each phase, early and late."""
    return [g for g in good_games() if g.options == options and not g.is_over]


def sorted_hand(state: State) -> Cells:
    """Return a position with the hand of the seat to move in the order of views."""
    cells = new_cells()
    cells[0] = state.record
    hand = cells["hands"][0, int(state.record.seat)]
    hand[:] = sorted(hand.tolist(), key=lambda card: card if card >= 0 else 99)
    return cells


def one_of(count: int, place: int) -> list[int]:
    """Return zeros with a one."""
    return [int(i == place) for i in range(count)]


# -- the numbers


def signs(state: State, card: int) -> list[int]:
    """Return what a card shows."""
    face = state.options.deck[CARDS[card]]
    row = [int(face.crests == 2), int(face.free_draw), int(face.special_action), int(face.star)]
    for heads in (1, 2):
        row += one_of(3, "LBK".index(face.noble) if face.noble and face.heads == heads else -1)
    return [*row, 1]


def holders(state: State) -> dict[int, int]:
    """Return who has each card that is still to be played: 0 to 4, display 5, hidden 6."""
    record, view = state.record, state.view(int(state.record.seat)).known()[0]
    players, viewer = state.options.players, int(record.seat)
    found = dict.fromkeys(record.pile.tolist()[: int(record.pile_left)], 6)
    for seat in range(players):
        known = view["hands"][seat].tolist()
        for card in record.hands[seat].tolist():
            if card >= 0:
                found[card] = (seat - viewer) % players if card in known else 6
    found.update({card: 5 for card in record.display.tolist() if card >= 0})
    return found


def sums(state: State, holder: int) -> list[int]:
    """Return the sums of what a holder's cards show."""
    rows = [signs(state, card) for card, who in holders(state).items() if who == holder]
    return [sum(column) for column in zip([0] * FACE, *rows, strict=True)]


def city_numbers(state: State, city: int) -> list[int]:
    """Return the numbers of a city in play."""
    record, players = state.record, state.options.players
    capacity, viewer = CITIES[city].capacity, int(record.seat)
    taller = taller_of(record, city)
    sites = (taller, 1 - taller)
    heights = [int(record.heights[city, site]) for site in sites]
    row = [*one_of(3, (5, 7, 9).index(capacity)), int(record.winners[city, 0] < 0)]
    row += one_of(10, capacity - sum(heights))
    row += one_of(5, min(4, heights[0] - heights[1])) + heights
    for site in sites:
        holder = standing(record, city, site)[0]
        floors = [floor for floor in record.floors[city, site].tolist() if floor >= 0]
        for distance in range(MAX_PLAYERS):
            seat = (viewer + distance) % players
            others = [floors.count(other) for other in range(players) if other != seat]
            lead = floors.count(seat) - max(others)
            present = [floors.count(seat), lead, int(seat == holder)]
            row += present if distance < players else [0, 0, 0]
    for site, height in zip(sites, heights, strict=True):
        top = (int(record.floors[city, site, height - 1]) - viewer) % players if height else -1
        row += one_of(MAX_PLAYERS, top)
    posts = int(record.messengers_at[city])
    row += [int(posts > 0), int(posts > 1)]
    rows = {who: [0, 0] for who in range(7)}
    for card, who in holders(state).items():
        if CARDS[card][:2] == CITIES[city].code:
            rows[who][0] += 1 + signs(state, card)[0]
            rows[who][1] += 1
    row += [rows[who][0] for who in range(7)] + [rows[who][1] for who in range(7)]
    card = int(record.card)
    row += [int(card >= 0 and CARDS[card][:2] == CITIES[city].code), capacity, capacity - 3]
    return row + [0] * (CITY - len(row))


def seat_numbers(state: State, distance: int) -> list[int]:
    """Return the numbers of a seat."""
    record, players = state.record, state.options.players
    if distance >= players:
        return [0] * SEAT
    seat = (int(record.seat) + distance) % players
    heads = record.heads[seat].tolist()
    points = int(record.tokens[seat]) + int(record.chips[seat]) + 6 * sum(n // 3 for n in heads)
    unknown = state.view(int(record.seat)).known()["hands"][0, seat].tolist().count(-2)
    row = [1, points, int(record.supply[seat]), unknown, int(record.messengers_left[seat])]
    for count in heads:
        row += one_of(3, count % 3)
    row += sums(state, distance)
    return row + [0] * (SEAT - len(row))


def table_numbers(state: State) -> list[int]:
    """Return the numbers of the table."""
    record, options = state.record, state.options
    left = (55 if options.players == 5 else 48) - state.turn
    row = one_of(4, options.players - 2) + one_of(4, PHASES.index(state.phase))
    row += [left, int(record.pile_left), *one_of(8, -(-left // options.players) - 1)]
    row += [int(rule in options.rules) for rule in ("messengers", "messenger-at-built-city")]
    row += [int(record.free == 1)]
    row += signs(state, int(record.card)) if record.card >= 0 else [0] * FACE
    row += sums(state, 6)
    return row + [0] * (TABLE - len(row))


@EVERY
def test_every_number_is_what_it_says_it_is(options: Options) -> None:
    for game in games(options):
        state = game.state
        inputs = seen(state)[0]
        for city in range(MAX_CITIES):
            in_play = city != PISTOIA or state.options.players == 5
            numbers = city_numbers(state, city) if in_play else [0] * CITY
            assert inputs["cities"][city].tolist() == numbers
        for distance in range(MAX_PLAYERS):
            assert inputs["seats"][distance].tolist() == seat_numbers(state, distance)
        assert inputs["table"].tolist() == table_numbers(state)
        cards = [*state.record.hands[int(state.record.seat)], *state.record.display]
        for place, card in enumerate(int(card) for card in cards):
            goal = CITY_INDEX[CARDS[card][:2]] if card >= 0 else -1
            assert inputs["goals"][place] == goal
            shown = signs(state, card) if card >= 0 else [0] * FACE
            assert inputs["cards"][place].tolist() == shown


def test_no_number_is_too_large_for_a_byte() -> None:
    """The most points, floors and cards that a game can have."""
    cells = new_cells()
    cells[0] = games(KINDS[0])[0].state.record
    cells["tokens"] = 120
    cells["heads"] = 55
    inputs = seen(cells)[0]
    assert inputs["seats"][:2, 1].tolist() == [127, 127]


# -- what must not matter


@EVERY
def test_hidden_cards_do_not_matter(options: Options) -> None:
    """A state, its view, and the view filled in at random are the same."""
    for number, game in enumerate(games(options)):
        view = game.view(game.seat)
        inputs = seen(view.known()).tobytes()
        assert inputs == seen(sorted_hand(game.state)).tobytes()
        for seed in range(3):
            assert seen(view.sample(seed + number)).tobytes() == inputs


@EVERY
def test_names_of_seats_do_not_matter(options: Options) -> None:
    for number, game in enumerate(games(options)):
        other = turned(game, 1 + number % (game.options.players - 1))
        assert other.state != game.state
        assert seen(other.state).tobytes() == seen(game.state).tobytes()


@EVERY
def test_left_and_right_do_not_matter(options: Options) -> None:
    for game in games(options):
        one, two = seen(game.state), seen(mirrored(game).state)
        for name in ("cards", "goals", "seats", "table"):
            assert (one[name] == two[name]).all()
        for city in range(MAX_CITIES):
            rows = one["cities"][0, city], two["cities"][0, city]
            towers = [np.split(row[21:51], 2) for row in rows]
            tops = [np.split(row[51:61], 2) for row in rows]
            same_towers = (towers[0][0] == towers[0][1]).all()
            if not same_towers:
                assert (rows[0] == rows[1]).all()
                continue
            # Towers that are equal but for who owns their tops may come in any order.
            rest = [np.concatenate([row[:51], row[61:]]) for row in rows]
            assert (rest[0] == rest[1]).all()
            assert sorted(t.tolist() for t in tops[0]) == sorted(t.tolist() for t in tops[1])


@EVERY
def test_names_of_cities_do_not_matter(options: Options) -> None:
    """Bologna and Roma exchanged: their rows and what lies there are, and what names them."""
    one, two = CITY_INDEX["BO"], CITY_INDEX["RO"]
    order = list(range(MAX_CITIES))
    order[one], order[two] = two, one
    for game in games(options):
        before, after = seen(game.state)[0], seen(exchanged(game.state, one, two))[0]
        assert (after["cities"] == before["cities"][order]).all()
        assert (after["seats"] == before["seats"]).all()
        assert (after["table"] == before["table"]).all()
        places = [0, 1, 2, *(3 + city for city in order)]
        assert (after["cards"] == before["cards"][places]).all()
        goals = [order[goal] if goal >= 0 else -1 for goal in before["goals"][places].tolist()]
        assert after["goals"].tolist() == goals


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_own_hand_only_moves_its_cards(seed: int) -> None:
    rng = Random(seed)
    for game in (game for options in KINDS for game in games(options)):
        cells = sorted_hand(game.state)
        before = seen(cells)[0]
        order = rng.sample(range(3), 3)
        hand = cells["hands"][0, int(game.state.record.seat)]
        hand[:] = hand[order]
        after = seen(cells)[0]
        for name in ("cards", "goals"):
            assert (after[name][:3] == before[name][order]).all()
            assert (after[name][3:] == before[name][3:]).all()
        for name in ("cities", "seats", "table"):
            assert (after[name] == before[name]).all()


# -- the outputs for decisions


@kernel
def find_outputs(cells: Cells, codes: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    for i, code in enumerate(codes):
        out[i] = outputs_of(cells[0], code)


def outputs(cells: Cells, codes: list[int]) -> list[tuple[int, int]]:
    """Return the outputs of legal decisions."""
    out = np.zeros((len(codes), 2), np.int64)
    find_outputs(cells, np.array(codes), out)
    return [(one, two) for one, two in out.tolist()]


@EVERY
def test_outputs_are_those_of_the_text_of_a_decision(options: Options) -> None:
    for game in games(options):
        codes = game.legal_decisions()
        expected = [outputs_by_text(game.state, code) for code in codes]
        view = game.view(game.seat)
        assert outputs(view.known(), codes) == expected
        assert outputs(sorted_hand(view.sample(1)), codes) == expected


@EVERY
def test_every_decision_has_outputs_of_its_own(options: Options) -> None:
    for game in games(options):
        codes = game.legal_decisions()
        found = outputs(sorted_hand(game.state), codes)
        assert len(set(found)) == len(found)


@EVERY
def test_outputs_do_not_depend_on_seats_and_sides(options: Options) -> None:
    for game in games(options):
        codes, cells = game.legal_decisions(), sorted_hand(game.state)
        other = turned(game, 1)
        assert outputs(sorted_hand(other.state), codes) == outputs(cells, codes)


@EVERY
def test_outputs_name_the_higher_and_the_lower_tower(options: Options) -> None:
    """So a mirrored decision has the same, except where both towers are as high."""
    compared = 0
    for game in games(options):
        other, swap = mirrored(game), str.maketrans("LR", "RL")
        texts = {game.state.decision_text(code): code for code in game.legal_decisions()}
        mirrors = {other.state.decision_text(code): code for code in other.legal_decisions()}
        for text, code in texts.items():
            head, mark, sites = text.rpartition(":" if ":" in text else ".")
            city = CITY_INDEX.get(head.lstrip(">")[:2], 0)
            left, right = game.state.record.heights[city]
            if mark and left != right:
                mirror = mirrors[head + mark + "".join(sorted(sites.translate(swap)))]
                one = outputs(sorted_hand(game.state), [code])
                assert one == outputs(sorted_hand(other.state), [mirror])
                compared += 1
    assert compared > 5
