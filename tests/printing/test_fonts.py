from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from patrizier.printing.fonts import FACES, Face, FontsMissing, find, font_files, static_font
from patrizier.printing.texts import LANGUAGES, texts


@pytest.mark.parametrize("face", FACES, ids=lambda face: f"{face.family}{face.weight}")
def test_a_font_has_one_weight_and_every_letter_we_print(face: Face) -> None:
    with TTFont(BytesIO(static_font(face))) as font:
        assert "fvar" not in font
        assert font["OS/2"].usWeightClass == face.weight
        letters = font.getBestCmap()
    for language in LANGUAGES:
        needed = {ord(letter) for text in texts(language).values() for letter in text}
        assert needed <= set(letters), language
    assert {ord(letter) for letter in "äöüßéëèòùìà–’“”·−×"} <= set(letters)


def test_the_files_last_as_long_as_they_are_needed() -> None:
    with font_files() as paths:
        assert set(paths) == set(FACES)
        assert all(path.read_bytes() for path in paths.values())
    assert not any(path.exists() for path in paths.values())


def test_without_the_page_there_are_no_fonts(tmp_path: Path) -> None:
    with pytest.raises(FontsMissing, match="make"):
        find(FACES[0], tmp_path)
