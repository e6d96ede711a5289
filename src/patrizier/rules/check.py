"""Validates a state from outside: the kernels check nothing."""

from typing import NoReturn

import numpy as np

from patrizier.rules.board import (
    CAPACITY,
    CARDS,
    CITIES,
    CITY_OF_CARD,
    EDGE_CITIES,
    EDGES,
    HAND,
    MAX_PLAYERS,
    MESSENGERS,
    PISTOIA,
    SUPPLY,
    TOKEN_POINTS,
    cards_in_play,
    cities_in_play,
)
from patrizier.rules.deck import (
    FREE_DRAW,
    HEADS_SHIFT,
    NOBLE_SHIFT,
    SECOND_CREST,
    SPECIAL_ACTION,
    STAR,
    Deck,
    DeckError,
    face_of_byte,
)
from patrizier.rules.legal import can_move, can_post
from patrizier.rules.score import CHIP_POINTS, leader
from patrizier.rules.state import (
    AT_BUILT_CITY,
    BUILDING,
    DEALT,
    DRAWING,
    IN_PILE,
    MOST_PILE,
    MOVING,
    NONE,
    ON_DISPLAY,
    OVER,
    PLAYED,
    POSTING,
    RULES,
    TAKEN,
    TURN_FIELDS,
    WITH_MESSENGERS,
    Cells,
    StateRecord,
)


def options_of(cells: Cells) -> tuple[int, list[str], Deck]:
    """Return players, names of rules and deck of a state."""
    state = cells[0]
    players = int(state.players)
    rules = [rule for rule, bit in RULES.items() if int(state.rules) & bit]
    faces = {
        card: face_of_byte(int(state.faces[CARDS.index(card)])) for card in cards_in_play(players)
    }
    classic = Deck.classic()
    if all(classic[card].text == text for card, text in faces.items()):
        return players, rules, classic
    return players, rules, Deck.of("custom", faces)


def check_state(cells: Cells) -> None:
    """Raise ValueError unless this is a consistent, playable position."""
    _check_frame(cells[0])
    try:
        options_of(cells)
    except DeckError as error:
        _refuse(str(error))
    _check_rest(cells[0])


def check_position(cells: Cells) -> None:
    """Raise ValueError unless this is a consistent, playable position of a known deck."""
    _check_frame(cells[0])
    _check_rest(cells[0])


def _check_rest(state: StateRecord) -> None:
    _check_cards(state)
    _check_floors(state)
    _check_scored(state)
    _check_messengers(state)
    _check_turn(state)


def _refuse(reason: str) -> NoReturn:
    raise ValueError(f"not a position of the game: {reason}")


def _require(condition: object, reason: str) -> None:
    if not condition:
        _refuse(reason)


def _check_frame(state: StateRecord) -> None:
    players, rules = int(state.players), int(state.rules)
    _require(2 <= players <= MAX_PLAYERS, f"{players} players")
    _require(0 <= rules <= sum(RULES.values()), "unknown rules")
    _require(rules & WITH_MESSENGERS or not rules & AT_BUILT_CITY, "rules that do not go together")
    _require(0 <= int(state.start) < players, "a start seat that is not there")
    turns = len(cards_in_play(players))
    _require(0 <= int(state.turn) <= turns, f"turn {state.turn}")
    _require(int(state.phase) in (BUILDING, MOVING, DRAWING, POSTING, OVER), "an unknown phase")
    _require((int(state.phase) == OVER) == (int(state.turn) == turns), "it ends at another turn")
    _require(int(state.seat) == (state.start + int(state.turn)) % players, "another seat's turn")
    in_play = set(cards_in_play(players))
    for card, face in zip(CARDS, state.faces, strict=True):
        _require(card in in_play or face == 0, f"{card} does not belong to it")


def _check_cards(state: StateRecord) -> None:
    """Every card is in one place, and hands, display and pile agree with it."""
    players = int(state.players)
    where = np.full(len(CARDS), NONE)

    def put(card: int, place: int) -> None:
        _require(0 <= card < len(CARDS), "a card that does not exist")
        _require(where[card] == NONE, f"{CARDS[card]} is in two places")
        where[card] = place

    for seat in range(MAX_PLAYERS):
        for card in state.hands[seat].tolist():
            if card != NONE:
                _require(seat < players, "a hand without a player")
                taken = 0 <= card < len(CARDS) and state.where[card] == TAKEN + seat
                put(card, (TAKEN if taken else DEALT) + seat)
    for card in state.display.tolist():
        if card != NONE:
            put(card, ON_DISPLAY)
    left = int(state.pile_left)
    _require(0 <= left <= MOST_PILE, "a draw pile of impossible size")
    _require((state.pile[left:] == NONE).all(), "cards above the draw pile")
    for card in state.pile[:left].tolist():
        put(card, IN_PILE)
    for card, place in enumerate(state.where.tolist()):
        if PLAYED <= place < PLAYED + players:
            put(card, place)
    in_play = set(cards_in_play(players))
    for card, name in enumerate(CARDS):
        dealt = DEALT <= where[card] < TAKEN
        _require(not dealt or int(state.faces[card]) & STAR, f"{name} was dealt without a star")
        _require((where[card] != NONE) == (name in in_play), f"{name} is nowhere")
    _require((where == state.where).all(), "a card is elsewhere")
    lying = int((state.display != NONE).sum())
    _require(lying == len(cities_in_play(players)) if left else True, "an empty space")
    _require(players == MAX_PLAYERS or state.display[PISTOIA] == NONE, "a card at Pistoia")
    _check_piles(state)
    _check_hands(state)


def _check_hands(state: StateRecord) -> None:
    """Everybody has drawn in every turn while cards lay face up: all but the last three."""
    players, turn = int(state.players), int(state.turn)
    drawing_turns = len(cards_in_play(players)) - HAND * players
    drawn_now = int(state.phase) == POSTING and turn < drawing_turns
    for seat in range(players):
        held = int((state.hands[seat] != NONE).sum())
        played = int((state.where == PLAYED + seat).sum())
        own_turns = range((seat - int(state.start)) % players, drawing_turns, players)
        drawn = sum(t < turn for t in own_turns) + (drawn_now and seat == int(state.seat))
        _require(held == HAND + drawn - played, f"the hand of seat {seat + 1}")


def _check_piles(state: StateRecord) -> None:
    """Piles have the right sizes; tops and heads follow from them."""
    players = int(state.players)
    mid_turn = int(state.phase) in (MOVING, DRAWING, POSTING)
    order = [(int(state.start) + i) % players for i in range(players)]
    heads = np.zeros((MAX_PLAYERS, 3), int)
    for seat in range(MAX_PLAYERS):
        pile = np.flatnonzero(state.where == PLAYED + seat).tolist()
        place = order.index(seat) if seat < players else 0
        wanted = (int(state.turn) + int(mid_turn) + players - 1 - place) // players
        _require(len(pile) == (wanted if seat < players else 0), f"the pile of seat {seat + 1}")
        top = int(state.tops[seat])
        _require(top in pile if pile else top == NONE, "the top of a pile")
        for card in pile:
            face = int(state.faces[card])
            heads[seat, face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
    _require((heads == state.heads).all(), "portraits miscounted")


def _check_floors(state: StateRecord) -> None:
    """Every played crest is a floor, of the right owner, in the right city."""
    players = int(state.players)
    built = np.zeros((len(CITIES), MAX_PLAYERS), int)
    for card, place in enumerate(state.where.tolist()):
        if place >= PLAYED:
            built[CITY_OF_CARD[card], place - PLAYED] += 1 + (state.faces[card] & SECOND_CREST)
    counts = np.stack([(state.floors == seat).sum(axis=2) for seat in range(MAX_PLAYERS)], axis=2)
    _require((counts == state.counts).all(), "floors miscounted")
    _require((counts.sum(axis=1).sum(axis=1) == built.sum(axis=1)).all(), "floors of a city")
    _require((counts.sum(axis=(0, 1)) == built.sum(axis=0)).all(), "floors of a player")
    _require((counts.sum(axis=1) == built).all(), "a floor of the wrong colour")
    heights = counts.sum(axis=2)
    _require((heights == state.heights).all(), "heights")
    for tower, height in zip(
        state.floors.reshape(-1, state.floors.shape[2]), heights.flat, strict=True
    ):
        _require(
            (tower[:height] != NONE).all() and (tower[height:] == NONE).all(), "a gap in a tower"
        )
    _require((state.missing == CAPACITY - heights.sum(axis=1)).all(), "missing floors")
    full = heights.sum(axis=1) == CAPACITY
    _require((heights[full] > 0).all(), "a complete city with an empty site")
    _require((heights <= CAPACITY[:, None] - 1).all(), "a tower too high")
    supply = np.where(np.arange(MAX_PLAYERS) < players, SUPPLY[players], 0)
    _require((state.supply == supply - counts.sum(axis=(0, 1))).all(), "supplies")


def _check_scored(state: StateRecord) -> None:
    tokens = np.zeros(MAX_PLAYERS, int)
    late = int(state.rules) & AT_BUILT_CITY and int(state.phase) in (MOVING, DRAWING, POSTING)
    for city in range(len(CITIES)):
        complete = state.missing[city] == 0
        waits = late and int(state.card) >= 0 and CITY_OF_CARD[int(state.card)] == city
        taken = state.winners[city].tolist()
        if not complete or waits:
            _require(taken == [NONE, NONE], "a city scored too early")
            continue
        taller = 0 if state.heights[city, 0] > state.heights[city, 1] else 1
        right = [leader(state, city, taller), leader(state, city, 1 - taller)]
        _require(taken == right, f"the tokens of {CITIES[city].name}")
        for token, winner in enumerate(taken):
            tokens[winner] += TOKEN_POINTS[city, token]
    _require((tokens == state.tokens).all(), "points of tokens")


def _check_messengers(state: StateRecord) -> None:
    players = int(state.players)
    at = np.zeros(len(CITIES), int)
    _require(set(state.messengers.tolist()) <= {0, 1}, "messengers")
    for edge in range(len(EDGES)):
        if state.messengers[edge]:
            at[EDGE_CITIES[edge]] += 1
    _require((at == state.messengers_at).all(), "messengers miscounted")
    _require((at <= 2).all(), "more than two messengers at a city")
    _require(players == MAX_PLAYERS or at[PISTOIA] == 0, "a messenger at Pistoia")
    each = MESSENGERS[players] if int(state.rules) & WITH_MESSENGERS else 0
    left = state.messengers_left[:players]
    _require(((left >= 0) & (left <= each)).all(), "messengers left")
    _require((state.messengers_left[players:] == 0).all(), "messengers left")
    laid = each * players - int(left.sum())
    _require(laid == int(state.messengers.sum()), "messengers left")
    for seat in range(MAX_PLAYERS):
        won = (state.winners == seat).sum(axis=1)
        most = CHIP_POINTS * int((won * at).sum())
        chips = int(state.chips[seat])
        _require(0 <= chips <= most and chips % CHIP_POINTS == 0, "points of chips")


def _check_turn(state: StateRecord) -> None:
    """The fields of the current turn fit its phase."""
    turn = {field: int(state[field]) for field in TURN_FIELDS}
    phase = int(state.phase)
    if phase in (BUILDING, OVER):
        _require(set(turn.values()) == {NONE}, "a turn that has not begun")
        return
    seat, card = int(state.seat), turn["card"]
    _require(0 <= card < len(CARDS) and state.where[card] == PLAYED + seat, "the card played")
    _require(card == int(state.tops[seat]), "the card played")
    city = int(CITY_OF_CARD[card])
    _require(0 <= turn["way"] <= 1 + (int(state.faces[card]) & SECOND_CREST), "the sites built on")
    _require(-1 <= turn["moved"] < 2 * len(CITIES), "the floor moved")
    _require(turn["edge"] == NONE, "a messenger before its time")
    done = state.winners[city, 0] != NONE
    _require(turn["scored"] in ({NONE, city} if done else {NONE}), "a city scored")
    face = int(state.faces[card])
    lying = int((state.display != NONE).sum())
    if phase == MOVING:
        _require(turn["moved"] == NONE, "a floor moved before its time")
        _require(face & SPECIAL_ACTION and can_move(state), "a special action")
    if phase == DRAWING:
        free = face & FREE_DRAW or state.display[city] == NONE
        _require(free and lying > 1, "a free draw")
    if phase == POSTING:
        _require(face & STAR and int(state.rules) & WITH_MESSENGERS, "a messenger")
        _require(can_post(state), "a messenger")
    if phase in (MOVING, DRAWING):
        _require(turn["drawn"] == turn["refill"] == turn["source"] == NONE, "a card drawn")
        _require(turn["free"] == (1 if phase == DRAWING else 0), "the draw")
        return
    _require(turn["free"] in (0, 1), "the draw")
    drawn, source = turn["drawn"], turn["source"]
    _require(-1 <= drawn < len(CARDS) and -1 <= source < len(CITIES), "the draw")
    _require((drawn == NONE) == (source == NONE), "the draw")
    if drawn != NONE:
        _require(state.where[drawn] == TAKEN + seat, "the card drawn")
        _require(turn["refill"] == int(state.display[source]), "the refill")
    _require(drawn != NONE or turn["refill"] == NONE, "the refill")
    _require(turn["free"] == 1 or source == city, "the draw")
