import pytest

from patrizier.printing.paper import CONTENT, MARGIN, PAPERS, PaperName, Place, offset, pointed


@pytest.mark.parametrize("name", PAPERS)
def test_a_place_mirrored_twice_is_itself(name: PaperName) -> None:
    paper = PAPERS[name]
    place = Place(12.5, 30, 50, 22)
    mirrored = place.mirrored(paper)
    assert mirrored.x + mirrored.width == pytest.approx(paper.width - place.x)
    assert mirrored.mirrored(paper).x == pytest.approx(place.x)


@pytest.mark.parametrize("name", PAPERS)
def test_the_content_keeps_clear_of_the_edges(name: PaperName) -> None:
    paper = PAPERS[name]
    assert paper.left > MARGIN
    assert paper.right - paper.left == pytest.approx(CONTENT)
    assert paper.left == pytest.approx(paper.width - paper.right)


def test_a_messenger_is_cut_by_six_lines_and_has_a_point_at_each_end() -> None:
    outline = pointed(Place(10, 20, 50, 22))
    assert len(outline) == 6
    assert outline[0] == (10, 31)
    assert outline[3] == (60, 31)
    assert {y for _, y in outline} == {20, 31, 42}


def test_an_outline_grows_by_the_same_distance_everywhere() -> None:
    outline = pointed(Place(10, 20, 50, 22))
    grown = offset(outline, 1.5)
    assert grown[0][0] == pytest.approx(10 - 1.5 * 2**0.5)
    assert min(y for _, y in grown) == pytest.approx(18.5)
    back = offset(grown, -1.5)
    assert [pytest.approx(point) for point in outline] == back
