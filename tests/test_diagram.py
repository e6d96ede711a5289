"""Diagrams of positions: well-formed, complete, and without anything a viewer does not know."""

import re
from xml.etree import ElementTree

import pytest

from analysis.games import random_game
from patrizier import Game, Options
from patrizier.diagram import state_svg, view_svg
from patrizier.rules.board import CARDS

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def cards(svg: str) -> list[str]:
    return [text for text in texts(svg) if text in CARDS]


@pytest.mark.parametrize("turns", [0, 20, None])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_state_shows_all_that_lies_on_the_table(players: int, turns: int | None) -> None:
    game = random_game(players, 3, ("messengers",), turns)
    svg = state_svg(game.state)
    view = game.view(None)
    shown = texts(svg)
    for city in view.cities:
        assert city.name in shown
    hands = [card for seat in range(players) for card in game.view(seat).seats[seat].hand]
    display = [city.card for city in view.cities if city.card]
    assert sorted(cards(svg)) == sorted(hands + display)
    if game.is_over:
        for score in game.scores():
            assert any(text.endswith(f"points: {score.total}") for text in shown)


def test_floors_are_drawn_in_their_owners_colours() -> None:
    game = random_game(3, 8, turns=25)
    drawn = state_svg(game.state).count('fill="#b43b2c"')  # the wall of a red floor, or a roof
    floors = sum((*city.left, *city.right).count(2) for city in game.view(None).cities)
    roofs = sum(
        tower[-1] == 2
        for city in game.view(None).cities
        if city.winners
        for tower in (city.left, city.right)
    )
    assert drawn == floors + roofs + 1  # one in the player's row


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_view_shows_only_what_the_viewer_knows(seat: int | None) -> None:
    game = random_game(3, 5, turns=7)
    view = game.view(seat)
    known = [card for each in view.seats for card in each.hand]
    display = [city.card for city in view.cities if city.card]
    assert sorted(cards(view_svg(view))) == sorted(known + display)


def test_notebooks_find_the_diagrams() -> None:
    game = Game(Options(players=2), seed=1)
    assert game._repr_svg_() == game.state._repr_svg_() == state_svg(game.state)
    assert game.view(0)._repr_svg_() == view_svg(game.view(0))


def test_a_diagram_needs_nothing_from_elsewhere() -> None:
    svg = state_svg(random_game(5, 2, ("messengers",), 30).state)
    assert "var(" not in svg
    assert re.findall(r"(?:href|src|url)\W", svg) == []
