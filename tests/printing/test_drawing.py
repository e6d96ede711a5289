from collections.abc import Iterator

import pytest

from patrizier.printing.drawing import DoesNotFit, Drawing, Style
from patrizier.printing.fonts import font_files
from patrizier.printing.paper import PAPERS

STYLE = Style("sans", 7, 3)
TEXT = "one **two three four** five **six seven** eight, nine ten eleven twelve"


@pytest.fixture
def drawing() -> Iterator[Drawing]:
    with font_files() as fonts:
        made = Drawing(PAPERS["a4"], fonts, "A test", "en")
        made.page()
        yield made
        made.bytes()


def test_no_line_is_wider_than_its_room(drawing: Drawing) -> None:
    lines = drawing.wrap(TEXT, STYLE, 20)
    assert len(lines) > 2
    assert all(drawing.width_of(line, STYLE) <= 20 for line in lines)
    assert " ".join(lines).replace("**", "") == TEXT.replace("**", "")


def test_bold_words_stay_bold_on_every_line(drawing: Drawing) -> None:
    lines = drawing.wrap("**a bold beginning that goes on** and on", STYLE, 16)
    assert lines[:2] == ["**a bold**", "**beginning**"]
    assert all(line.count("**") in (0, 2) for line in lines)


def test_bold_words_are_wider(drawing: Drawing) -> None:
    assert drawing.width_of("**floor**", STYLE) > drawing.width_of("floor", STYLE)


def test_a_text_ends_where_its_height_says(drawing: Drawing) -> None:
    end = drawing.flow(10, 20, 20, TEXT, STYLE)
    assert end == pytest.approx(20 + drawing.height_of(TEXT, STYLE, 20))


def test_what_does_not_fit_is_an_error(drawing: Drawing) -> None:
    with pytest.raises(DoesNotFit, match="Ruhmes"):
        drawing.wrap("ein Ruhmesplättchen", STYLE, 12)
    with pytest.raises(DoesNotFit, match="points"):
        drawing.fitted("a rather long line of words", STYLE, 12, 6.5)
    smaller = drawing.fitted("a rather long line of words", STYLE, 26, 5)
    assert 5 <= smaller.size < STYLE.size
    assert drawing.fitted("short", STYLE, 20, 5) == STYLE
