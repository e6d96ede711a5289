"""Golden playthroughs: the same seed gives the same game everywhere."""

import pytest

from playthroughs.regenerate import FOLDER, PLAYTHROUGHS, Playthrough, tell


@pytest.mark.plain
@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_the_game_is_told_as_before(playthrough: Playthrough) -> None:
    told = playthrough.file.read_text("utf-8")
    assert tell(playthrough).splitlines() == told.splitlines()


def test_every_file_is_compared() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(p.file for p in PLAYTHROUGHS)
