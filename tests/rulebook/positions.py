"""Tables laid out for the rulebook: chosen deals, and positions in the middle of a game.

Towers are written as owners from bottom to top, left site / right site: ``"001/12"``.
Seats count from 0.
"""

from collections.abc import Iterable, Mapping

from patrizier import Deal, Deck, Game, Options
from patrizier.rules import boundary
from patrizier.rules.board import (
    CARD_INDEX,
    CITY_INDEX,
    EDGE_INDEX,
    HAND,
    cards_in_play,
    cities_in_play,
)
from patrizier.rules.score import score_city
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import NONE, PLAYED

Towers = Mapping[str, str]


def deal_with(
    options: Options,
    hands: Iterable[str] = (),
    display: Mapping[str, str] | None = None,
    pile: str = "",
    start: int = 0,
) -> Deal:
    """Put the named cards where they are wanted, and all others anywhere, stars into hands first.

    Hands in seat order, as texts; the display by city; the pile from its top.
    """
    wanted = [hand.split() for hand in hands]
    shown = dict(display or {})
    top = pile.split()
    taken = {card for hand in wanted for card in hand} | set(shown.values()) | set(top)
    rest = [card for card in cards_in_play(options.players) if card not in taken]
    rest.sort(key=lambda card: not options.deck[card].star)  # stable: stars first
    full = []
    for seat in range(options.players):
        hand = wanted[seat] if seat < len(wanted) else []
        full.append((*hand, *(rest.pop(0) for _ in range(HAND - len(hand)))))
    cities = [city.code for city in cities_in_play(options.players)]
    face_up = tuple(shown[code] if code in shown else rest.pop(0) for code in cities)
    return Deal(tuple(full), face_up, (*top, *rest), start)


def new_game(
    players: int = 2,
    rules: Iterable[str] = (),
    deck: Deck | None = None,
    *,
    hands: Iterable[str] = (),
    display: Mapping[str, str] | None = None,
    pile: str = "",
    start: int = 0,
) -> Game:
    """Begin a game by the rules with these cards."""
    options = Options(players, rules, deck)
    return Game(options, deal=deal_with(options, hands, display, pile, start))


def game_at(
    towers: Towers | None = None,
    hand: str = "",
    *,
    players: int = 3,
    rules: Iterable[str] = (),
    deck: Deck | None = None,
    others: Iterable[str] = (),
    display: Mapping[str, str] | None = None,
    last_cards: bool = False,
    messengers: str = "",
) -> Game:
    """Lay out a position in which seat 0 is to move with any cards in hand.

    Complete cities are scored already. With ``last_cards`` the pile is empty, and only the
    cards of ``display`` lie out. It is a position for the rules, not one of a real game: nobody
    has played the cards of these floors.
    """
    options = Options(players, rules, deck)
    game = Game(options, seed=0)
    buffer = new_scratch()
    buffer["order"][0] = deal_with(options, [hand, *others], display).order()
    boundary.lay_out(game._cells, buffer, 0)
    state = game._cells[0]
    if last_cards:
        state.pile[:] = NONE
        state.pile_left = 0
        for code, city in CITY_INDEX.items():
            if code not in (display or {}):
                state.display[city] = NONE
    for code, text in (towers or {}).items():
        _build(game, code, text)
    for edge in messengers.split():
        lay_messenger(game, edge)
    return game


def _build(game: Game, code: str, text: str) -> None:
    state, city = game._cells[0], CITY_INDEX[code]
    for site, owners in enumerate(text.split("/")):
        for level, owner in enumerate(map(int, owners)):
            state.floors[city, site, level] = owner
            state.counts[city, site, owner] += 1
            state.supply[owner] -= 1
        state.heights[city, site] = len(owners)
        state.missing[city] -= len(owners)
    if state.missing[city] == 0:
        score_city(state, city)
        state.scored = NONE  # not in this turn


def lay_messenger(game: Game, edge: str) -> None:
    """Put a messenger on the board that costs nobody one."""
    state = game._cells[0]
    state.messengers[EDGE_INDEX[edge]] = 1
    for code in edge.split("-"):
        state.messengers_at[CITY_INDEX[code]] += 1


def give_pile(game: Game, seat: int, cards: str) -> None:
    """Put a pile of played cards in front of a seat."""
    state = game._cells[0]
    for card in cards.split():
        face = game.options.deck[card]
        state.where[CARD_INDEX[card]] = PLAYED + seat
        if face.noble:
            state.heads[seat, "LBK".index(face.noble)] += face.heads


def give_tokens(game: Game, seat: int, points: int) -> None:
    """Put tokens worth this much in front of a seat."""
    game._cells[0].tokens[seat] = points


def towers(game: Game, code: str) -> str:
    """Return the towers of a city, written as in `game_at`."""
    city = next(city for city in game.view(None).cities if city.code == code)
    return "/".join("".join(map(str, tower)) for tower in (city.left, city.right))


def card_at(game: Game, code: str) -> str | None:
    """Return the card that lies at a city."""
    return next(city.card for city in game.view(None).cities if city.code == code)


def hand_of(game: Game, seat: int) -> set[str]:
    """Return the cards a seat holds."""
    return set(game.view(seat).seats[seat].hand)


def legal(game: Game, start: str = "") -> set[str]:
    """Return the legal turns whose text begins like this."""
    return {move.text for move in game.legal_moves if move.text.startswith(start)}


def tokens_of(game: Game, seat: int) -> tuple[int, ...]:
    """Return the values of a seat's tokens, highest first."""
    return game.view(seat).seats[seat].tokens
