"""The games of self-play: rules and decks, in many combinations."""

import numpy as np

from patrizier.options import Options
from patrizier.rules.deck import Deck
from patrizier.rules.state import Cells, new_cells

VARIANTS: tuple[tuple[str, ...], ...] = (
    *((), (), ()),
    *(("messengers",), ("messengers",)),
    ("messengers", "messenger-at-built-city"),
)
KINDS = 240  # combinations of rules and deck in a series
_OTHER_DECK = 5  # one in this many has a shuffled deck


def shuffled_deck(rng: np.random.Generator) -> Deck:
    """Return the classic deck with the faces of one-crest cards shuffled; Pistoia keeps its own."""
    faces = {card: face.text for card, face in Deck.classic().faces}
    cards = [card for card, face in faces.items() if face != "2" and card[:2] != "PI"]
    dealt = [faces[cards[i]] for i in rng.permutation(len(cards))]
    return Deck.of("shuffled", {**faces, **dict(zip(cards, dealt, strict=True))})


def blank_games(players: int, seed: int) -> Cells:
    """Return states with the rules and decks of a series, which its games cycle through."""
    rng = np.random.default_rng(seed)
    cells = new_cells(KINDS)
    for kind in range(KINDS):
        rules = VARIANTS[kind % len(VARIANTS)]
        deck = shuffled_deck(rng) if kind // len(VARIANTS) % _OTHER_DECK == 0 else None
        cells[kind] = Options(players, rules, deck).blank_cells()[0]
    return cells
