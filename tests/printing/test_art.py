from pathlib import Path

import pytest

import patrizier
from patrizier.art import coloured, shape, source
from patrizier.printing.art import drawing

ART = Path(patrizier.__file__).parent / "art"
NAMES = sorted(str(file.relative_to(ART).with_suffix("")) for file in ART.rglob("*.svg"))


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_of_the_page_can_be_printed(name: str) -> None:
    assert "var(" not in coloured(source(name))
    assert drawing(name).viewbox
    assert 0.05 < shape(name) < 2


def test_colours_can_be_changed_by_name() -> None:
    assert "#123456" in coloured(source("messenger"), {"gold-art": "#123456"})
    assert "#123456" not in coloured(source("messenger"))


def test_an_unknown_drawing_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        drawing("unicorn")
