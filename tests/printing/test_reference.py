from collections.abc import Iterator

import numpy as np
import pytest

from patrizier.printing import reference
from patrizier.printing.drawing import DoesNotFit, Drawing
from patrizier.printing.fonts import font_files
from patrizier.printing.paper import BLEED, MARGIN, PAPERS, PaperName, Place
from patrizier.printing.reference import CARD_SIZE, TOKENS, layout
from patrizier.printing.texts import texts
from printing.pictures import picture


@pytest.fixture
def drawing() -> Iterator[Drawing]:
    with font_files() as fonts:
        made = Drawing(PAPERS["letter"], fonts, "", "en")
        yield made
        made.bytes()


def tower(card: Place) -> Place:
    """Where the player's tower stands on a card."""
    return Place(card.x + 6, card.y + 4.4, 6.4, 6.4)


@pytest.mark.parametrize("name", PAPERS)
def test_five_playing_cards_fit_on_the_page(name: PaperName) -> None:
    paper = PAPERS[name]
    cards = layout(paper).cards
    assert [(card.width, card.height) for card in cards] == [CARD_SIZE] * 5
    assert len({(card.x, card.y) for card in cards}) == 5
    for card in cards:
        assert card.x - BLEED > MARGIN
        assert card.right + BLEED < paper.width - MARGIN
        assert card.y > MARGIN
        assert card.bottom + BLEED < paper.height - MARGIN


@pytest.mark.parametrize("name", PAPERS)
def test_each_card_has_the_same_tower_on_both_sides_and_no_other_card_has_it(
    name: PaperName,
) -> None:
    paper = PAPERS[name]
    cards = layout(paper).cards
    front, back = (picture(name, "en", "all", page) for page in (2, 3))
    colours = [front.part(tower(card)).mean(axis=(0, 1)) for card in cards]
    for i, card in enumerate(cards):
        behind = back.part(tower(card.mirrored(paper))).mean(axis=(0, 1))
        distances = [float(np.abs(behind - colour).mean()) for colour in colours]
        assert min(range(5), key=distances.__getitem__) == i
        assert distances[i] < 6


@pytest.mark.parametrize("name", PAPERS)
def test_every_card_is_full_of_words_and_keeps_its_edge_clear(name: PaperName) -> None:
    paper = PAPERS[name]
    for page, side in ((2, False), (3, True)):
        seen = picture(name, "de", "all", page)
        for card in layout(paper).cards:
            place = card.mirrored(paper) if side else card
            inside = (seen.part(place.grown(-5)) < 120).all(axis=2)
            assert inside.mean() > 0.04
            for edge in (
                Place(place.x + 0.4, place.y + 6, 1.4, place.height - 12),
                Place(place.right - 1.8, place.y + 6, 1.4, place.height - 12),
                Place(place.x + 6, place.bottom - 1.8, place.width - 12, 1.4),
            ):
                assert seen.part(edge).min() > 200


def test_too_many_words_are_an_error(drawing: Drawing) -> None:
    words = dict(texts("en"))
    words["turn.step_3"] *= 3
    with pytest.raises(DoesNotFit, match="more room"):
        reference.draw(drawing, words)


def test_a_heading_must_leave_room_for_its_picture(drawing: Drawing) -> None:
    words = dict(texts("en"), **{"points.city": "A city that is complete"})
    with pytest.raises(DoesNotFit, match="picture"):
        reference.draw(drawing, words)


def test_the_tokens_are_those_of_the_board() -> None:
    assert TOKENS == [(9, 6), (7, 4), (5, 2)]
