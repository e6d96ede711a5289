"""What a seat may know: masks the rest of a state, and samples it."""

from patrizier.rules.board import HAND, MAX_PLAYERS
from patrizier.rules.chance import shuffle_order
from patrizier.rules.deck import STAR
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import (
    DEALT,
    IN_PILE,
    MOST_PILE,
    NONE,
    TAKEN,
    UNKNOWN,
    UNSEEN,
    StateRecord,
)

_LAST = 1000  # sorts behind every card


@kernel
def sort_hands(state: StateRecord) -> None:
    """Sort every hand: known cards, then unknown ones, then empty slots."""
    for seat in range(int(state.players)):
        for slot in range(1, HAND):
            place = slot
            while place > 0 and _rank(int(state.hands[seat, place])) < _rank(
                int(state.hands[seat, place - 1])
            ):
                card = state.hands[seat, place]
                state.hands[seat, place] = state.hands[seat, place - 1]
                state.hands[seat, place - 1] = card
                place -= 1


@kernel
def _rank(card: int) -> int:
    if card == NONE:
        return _LAST + 1
    return _LAST if card == UNKNOWN else card


@kernel
def hide(state: StateRecord, viewer: int) -> None:
    """Mask what a seat (NONE for a spectator) cannot know."""
    for card in range(len(state.where)):
        place = int(state.where[card])
        if place == IN_PILE or (DEALT <= place < TAKEN and place != DEALT + viewer):
            state.where[card] = UNSEEN
    for seat in range(int(state.players)):
        for slot in range(HAND):
            card = int(state.hands[seat, slot])
            if card >= 0 and state.where[card] == UNSEEN:
                state.hands[seat, slot] = UNKNOWN
    for i in range(int(state.pile_left)):
        state.pile[i] = UNKNOWN
    sort_hands(state)


@kernel
def fill_in(state: StateRecord, scratch: Scratch) -> None:
    """Replace masked cards by a sample, uniform over all consistent positions.

    Unknown cards in hands are star cards, because only those were dealt; all other unseen cards
    are in the pile, in any order.
    """
    stars = 0
    n = 0
    for card in range(len(state.where)):
        if state.where[card] == UNSEEN:
            scratch.order[n] = card
            if int(state.faces[card]) & STAR:
                scratch.order[n] = scratch.order[stars]
                scratch.order[stars] = card
                stars += 1
            n += 1
    shuffle_order(scratch, 0, stars)
    dealt = 0
    for seat in range(MAX_PLAYERS):
        for slot in range(HAND):
            if state.hands[seat, slot] == UNKNOWN:
                card = int(scratch.order[dealt])
                state.hands[seat, slot] = card
                state.where[card] = DEALT + seat
                dealt += 1
    shuffle_order(scratch, dealt, n)
    for i in range(MOST_PILE):
        if state.pile[i] == UNKNOWN:
            card = int(scratch.order[dealt])
            state.pile[i] = card
            state.where[card] = IN_PILE
            dealt += 1
    sort_hands(state)
