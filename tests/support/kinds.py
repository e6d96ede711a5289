"""The kinds of games that several tests try: every combination of rules, and a starry deck."""

import pytest

from patrizier import Deck, Options

RULES = (
    (),
    ("open-ledger",),
    ("messengers",),
    ("messengers", "open-ledger"),
    ("messengers", "messenger-at-built-city"),
    ("messengers", "messenger-at-built-city", "open-ledger"),
    ("messengers", "open-tokens"),
)


def starry(name: str) -> Deck:
    """Every card with one crest has a star: a turn may have all four decisions."""
    faces = Deck.classic().faces
    return Deck.of(
        name, {card: face.text.rstrip("*") + "*" * (face.crests == 1) for card, face in faces}
    )


STARRY = starry("starry")


def for_every(kinds: list[Options], plain: tuple[Options, ...]) -> pytest.MarkDecorator:
    """Run a test for all these options; those of ``plain`` also with the compiler off."""
    return pytest.mark.parametrize(
        "options",
        [
            pytest.param(
                options,
                id=f"{options.players}-{options.rules_text or 'base'}-{options.deck.name}",
                marks=[pytest.mark.plain] * (options in plain),
            )
            for options in kinds
        ],
    )
