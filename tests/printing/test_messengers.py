from itertools import combinations

import pytest

from patrizier.printing.messengers import CHIP, MESSENGER, layout
from patrizier.printing.paper import BLEED, MARGIN, PAPERS, PaperName, Place
from patrizier.printing.texts import LANGUAGES, Language, numbered, texts
from printing.pictures import Picture, picture, words_on

Colour = tuple[int, int, int]


def apart(a: Place, b: Place) -> bool:
    return a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y


def is_red(colour: Colour) -> bool:
    return colour[0] > 1.8 * colour[1] and colour[0] > 1.8 * colour[2]


def is_gold(colour: Colour) -> bool:
    return colour[0] > colour[1] > 1.5 * colour[2]


def flat(text: str) -> str:
    """A text as it is read back: without marks for bold words, and without blanks."""
    return "".join(text.replace("**", "").split())


def beside(place: Place) -> tuple[float, float]:
    """A point on a chip between its number and its edge."""
    x, y = place.middle
    return x, y + CHIP * 0.27


@pytest.mark.parametrize("name", PAPERS)
def test_the_pieces_are_as_many_and_as_large_as_the_expansion_needs(name: PaperName) -> None:
    places = layout(PAPERS[name])
    assert [(each.width, each.height) for each in places.messengers] == [MESSENGER] * 6
    assert [(each.width, each.height) for each in places.chips] == [(CHIP, CHIP)] * 24
    assert (places.minus.width, places.minus.height) == (CHIP, CHIP)


@pytest.mark.parametrize("name", PAPERS)
def test_pieces_and_their_bleed_lie_apart_and_on_the_page(name: PaperName) -> None:
    paper = PAPERS[name]
    places = layout(paper)
    pieces = [*places.messengers, *places.chips, places.minus]
    everything = [each.grown(BLEED) for each in pieces] + [places.making, places.neighbours]
    for a, b in combinations(everything, 2):
        assert apart(a, b)
    for each in everything:
        assert each.x >= MARGIN
        assert each.right <= paper.width - MARGIN
        assert each.bottom <= paper.height - MARGIN


@pytest.mark.parametrize("name", PAPERS)
def test_the_rules_on_the_back_lie_clear_of_the_pieces(name: PaperName) -> None:
    paper = PAPERS[name]
    places = layout(paper)
    for piece in (*places.messengers, *places.chips, places.minus):
        assert apart(places.rules, piece.mirrored(paper).grown(BLEED))
    assert places.rules.x >= MARGIN
    assert places.rules.right <= paper.width - MARGIN


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAPERS)
def test_the_rules_stand_on_the_back_and_tools_on_the_front(
    name: PaperName, language: Language
) -> None:
    words = texts(language)
    front, back = (words_on(name, language, page) for page in (0, 1))
    rules = [words["messengers.rules"], *numbered(words, "messengers.rule")]
    assert len(rules) == 8
    for text in rules:
        assert flat(text) in back
        assert flat(text) not in front
    for step in numbered(words, "messengers.making"):
        assert flat(step) in front


@pytest.mark.parametrize("name", PAPERS)
def test_every_piece_is_drawn_where_it_lies(name: PaperName) -> None:
    places = layout(PAPERS[name])
    front = picture(name, "en", "all", 0)
    for place in places.messengers:
        x, y = place.middle
        assert is_red(front.at((x, y + 6.4)))  # the seal
        assert is_gold(front.at((x - 12, y + 2)))  # the shaft of the arrow
    assert all(is_gold(front.at(beside(place))) for place in places.chips)
    assert is_red(front.at(beside(places.minus)))


@pytest.mark.parametrize("name", PAPERS)
def test_backs_lie_behind_their_fronts(name: PaperName) -> None:
    paper = PAPERS[name]
    places = layout(paper)
    pieces = [*places.messengers, *places.chips, places.minus]
    top = places.messengers[0].y - 2
    front, back = (
        [each for each in picture(name, "en", "all", page).pieces(250) if each.y > top]
        for page in (0, 1)
    )
    assert len(front) == len(back) == len(pieces) == 31
    for found, sides in ((front, pieces), (back, [each.mirrored(paper) for each in pieces])):
        middles = sorted(each.middle for each in sides)
        for place in found:
            nearest = min(
                middles, key=lambda m: abs(m[0] - place.middle[0]) + abs(m[1] - place.middle[1])
            )
            assert nearest == pytest.approx(place.middle, abs=0.3)
            middles.remove(nearest)


@pytest.mark.parametrize("name", PAPERS)
def test_cut_pieces_have_their_exact_size(name: PaperName) -> None:
    """The colour reaches a little beyond the cut, by the same amount on every side."""
    top = layout(PAPERS[name]).messengers[0].y - 2
    found = [p for p in picture(name, "en", "all", 0).pieces(250) if p.y > top]
    chips = [each for each in found if each.width < 30]
    messengers = [each for each in found if each.width >= 30]
    assert (len(chips), len(messengers)) == (25, 6)
    for each in chips:
        assert each.width == pytest.approx(CHIP + BLEED, abs=0.6)
        assert each.height == pytest.approx(CHIP + BLEED, abs=0.6)
    for each in messengers:
        assert each.height == pytest.approx(MESSENGER[1] + BLEED, abs=0.6)


def bar_length(page: Picture, place: Place) -> float:
    """Measure the dark bar in the picture, from its first to its last dark pixel."""
    row = page.pixels[round((place.y + place.height / 2) * page.scale)]
    dark = (row < 110).all(axis=1)
    columns = [x for x in dark.nonzero()[0] if place.x - 3 < x / page.scale < place.right + 3]
    return float(columns[-1] + 1 - columns[0]) / page.scale


@pytest.mark.parametrize("name", PAPERS)
def test_the_bar_measures_fifty_millimetres(name: PaperName) -> None:
    place = layout(PAPERS[name]).bar
    page = picture(name, "en", "all", 0, dpi=300)
    assert bar_length(page, place) == pytest.approx(50, abs=0.3)
