"""Golden playthroughs by OpenSpiel's own tool."""

import pytest

from playthroughs.open_spiel.regenerate import FOLDER, GAMES, file_of, tell


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_told_as_before(name: str) -> None:
    told = file_of(name).read_text("utf-8").splitlines()
    assert tell(*GAMES[name]) == told


def test_every_file_is_compared() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(map(file_of, GAMES))
