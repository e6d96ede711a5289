from random import Random

import pytest

from patrizier import Game
from patrizier.final_count import final_count
from patrizier.options import Options
from patrizier.printing.fonts import FACES, FontsMissing, find
from patrizier.printing.picture import HEIGHT, WIDTH, ending_svg, to_png


def a_picture(players: int, names: tuple[str, ...]) -> str:
    options = Options(players=players)
    game, rng = Game(options, seed=3), Random(1)
    while not game.is_over:
        game.play(rng.choice(list(game.legal_moves)))
    points = [(options.colours[seat], names[seat], 10 * seat) for seat in range(players)]
    return ending_svg(final_count(game).cities, options.colours, "Anna <wins>", points, "Patrizier")


def test_every_tower_is_drawn() -> None:
    svg = a_picture(2, ("Anna", "Ben & Co"))
    assert svg.count("<svg x=") == 63 + 18 + 2  # floors, roofs, players
    assert "var(--" not in svg  # not every program knows variables
    assert "Anna &lt;wins&gt;" in svg
    assert "Ben &amp; Co" in svg


def test_five_guests_can_be_told_apart() -> None:
    names = tuple(f"Ospite 100{seat}" for seat in range(5))
    assert all(name in a_picture(5, names) for name in names)


def test_long_names_are_cut() -> None:
    svg = a_picture(5, ("Cleopatra von Bologna",) * 5)
    assert "Cleopatra von Bologna" not in svg
    assert "…" in svg


@pytest.mark.parametrize("players", [2, 5])
def test_the_picture_is_as_large_as_previews_show_it(players: int) -> None:
    try:
        find(FACES[0])
    except FontsMissing:
        pytest.skip("the page has not been built")
    png = to_png(a_picture(players, ("Anna", "Ben", "Cleo", "Dora", "Elena")))
    assert png[16:24] == WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big")
