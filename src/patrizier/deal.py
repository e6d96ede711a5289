"""The deal: everything that chance decides, before the first turn."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from patrizier.errors import DealError
from patrizier.options import Options
from patrizier.rules.board import CARD_INDEX, CARDS, HAND, cards_in_play, cities_in_play
from patrizier.rules.boundary import deal_randomly
from patrizier.rules.chance import Seed, word_from
from patrizier.rules.scratch import ScratchBuffer, new_scratch


@dataclass(frozen=True, slots=True)
class Deal:
    """Where every card starts out, and who begins.

    >>> deal = Deal.random(Options(players=2), seed=7)
    >>> Deal.from_text(str(deal), deal.start) == deal
    True
    """

    hands: tuple[tuple[str, ...], ...]  # by seat
    display: tuple[str, ...]  # face-up cards, in city order
    pile: tuple[str, ...]  # draw pile, top first
    start: int = 0  # seat that begins, counted from 0

    @classmethod
    def random(cls, options: Options, seed: Seed) -> "Deal":
        """Deal at random: three star cards for each seat, the rest shuffled."""
        buffer = new_scratch(word_from(seed))
        start = int(deal_randomly(options.blank_cells(), buffer))
        return cls.from_buffer(buffer, options.players, start)

    @classmethod
    def from_text(cls, text: str, start: int = 0) -> "Deal":
        """Read the ``Deal`` tag of a record: hands / by / seat | display | pile."""
        parts = text.split("|")
        if len(parts) != 3:
            raise DealError("a deal has three parts with | between them: hands, display, pile")
        hands = tuple(tuple(hand.split(" ")) for hand in parts[0].split("/"))
        display, pile = (tuple(part.split(" ")) for part in parts[1:])
        return cls(hands, display, pile, start)

    @classmethod
    def from_buffer(cls, buffer: ScratchBuffer, players: int, start: int) -> "Deal":
        """Return the deal that the kernels left in a scratch buffer."""
        count = len(cards_in_play(players))
        order = [CARDS[card] for card in buffer["order"][0][:count].tolist()]
        dealt = HAND * players
        shown = dealt + len(cities_in_play(players))
        hands = tuple(tuple(order[i : i + HAND]) for i in range(0, dealt, HAND))
        return cls(hands, tuple(order[dealt:shown]), tuple(order[shown:]), start)

    def __str__(self) -> str:
        hands = "/".join(" ".join(hand) for hand in self.hands)
        return f"{hands}|{' '.join(self.display)}|{' '.join(self.pile)}"

    def check(self, options: Options) -> None:
        """Raise DealError unless every card is dealt exactly once, by the rules."""
        players, deck = options.players, options.deck
        if len(self.hands) != players:
            raise DealError(f"the deal has {len(self.hands)} hands for {players} players")
        if not 0 <= self.start < players:
            raise DealError(f"seat {self.start + 1} cannot start a game of {players}")
        for number, hand in enumerate(self.hands, 1):
            if len(hand) != HAND:
                raise DealError(f"the hand of seat {number} has {len(hand)} cards, not {HAND}")
        wanted = len(cities_in_play(players))
        if len(self.display) != wanted:
            raise DealError(f"{len(self.display)} cards lie face up for {wanted} cities")
        cards = [*(card for hand in self.hands for card in hand), *self.display, *self.pile]
        in_play = set(cards_in_play(players))
        seen: set[str] = set()
        for card in cards:
            if card not in in_play:
                text = f"{card!r} is not a card of a game of {players}"
                raise DealError(text, "no-card", card=card[:20], players=players)
            if card in seen:
                raise DealError(f"{card} is dealt twice", "twice", card=card)
            seen.add(card)
        if missing := sorted(in_play - seen):
            card = missing[0]
            raise DealError(f"{card} is missing from the deal", "missing", card=card)
        for number, hand in enumerate(self.hands, 1):
            for card in hand:
                if not deck[card].star:
                    text = f"{card} in the hand of seat {number} has no star"
                    raise DealError(text, "no-star", card=card, seat=number)

    def order(self) -> npt.NDArray[np.int8]:
        """Return the card indices in the order in which the kernels read a deal."""
        order = np.zeros(len(CARDS), np.int8)
        cards = [*(card for hand in self.hands for card in hand), *self.display, *self.pile]
        order[: len(cards)] = [CARD_INDEX[card] for card in cards]
        return order
