"""What the terminal shows: complete, within its width, readable without colour, no secrets."""

from collections import Counter
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.drawing.picture import Picture
from patrizier.cli.terminal.playback import open_view
from patrizier.game import Game
from patrizier.options import Options
from patrizier.view import View

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena")
WIDTHS = (40, 60, 80, 100, 140)


def game_after(turns: int, players: int = 3, rules: tuple[str, ...] = (), seed: int = 4) -> Game:
    game = Game(Options(players, rules), seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(turns):
        moves = game.legal_moves
        game.play(moves[rng.integers(len(moves))])
    return game


def cast_of(game: Game, you: int | None = 0) -> Cast:
    return Cast.of(game.options, NAMES[: game.options.players], you)


def plain(view: View, cast: Cast, width: int, room: int | None = None) -> str:
    console = Console(file=StringIO(), width=width, no_color=True, color_system=None)
    with console.capture() as capture:
        console.print(Picture(view, cast, room=room))
    return capture.get()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("players", "rules", "turns"),
    [
        (2, (), 0),
        (3, ("messengers",), 20),
        (4, ("open-ledger",), 33),
        (5, ("messengers",), 40),
        (5, ("messengers", "messenger-at-built-city"), 55),
    ],
)
def test_picture_fits_and_is_complete(
    width: int, players: int, rules: tuple[str, ...], turns: int
) -> None:
    game = game_after(turns, players, rules)
    view, cast = game.view(0), cast_of(game)
    lines = Picture(view, cast).lines(width)
    assert max(line.cell_len for line in lines) <= width
    text = plain(view, cast, width)
    assert len(text.splitlines()) == len(lines)  # nothing was wrapped
    for city in view.cities:
        assert f"{city.name} " in text
        assert f" {len(city.left) + len(city.right)}/{city.capacity} " in text
    for seat in view.seats:
        assert cast.names[seat.seat] in text
    for card in view.seats[0].hand:
        assert card in text
    assert ("Pistoia" in text) == (players == 5)


@pytest.mark.parametrize("turns", [12, 30, 48])
def test_every_floor_can_be_counted_without_colour(turns: int) -> None:
    game = game_after(turns, 3, ("messengers",))
    view, cast = game.view(None), cast_of(game, None)
    floors = Counter(owner for city in view.cities for owner in city.left + city.right)
    standing = plain(view, cast, 100)
    lying = plain(view, cast, 80)
    for seat in range(3):
        mark = cast.marks[seat]
        assert standing.count(f"▐ {mark} ▌") == floors[seat]
        labels = 2 if view.seat == seat else 1  # in the middle of the board, and before the name
        assert lying.count(f"▐{mark}") == floors[seat] + labels


def test_towers_tell_their_tokens_and_leaders() -> None:
    game = Game(Options(players=2), seed=1)
    empty = plain(game.view(None), cast_of(game, None), 100)
    assert "▸A" not in empty.replace("7▸A  7 would go to Anna", "")
    game = game_after(10, 2)
    view, cast = game.view(None), cast_of(game, None)
    text = plain(view, cast, 80)
    for city in view.cities:
        high, low = city.tokens
        values = {"L": (high, low), "R": (low, high)}.get(city.taller or "")
        for site, leader in enumerate(city.leaders):
            value = str(values[site]) if values else f"{high}/{low}"
            if leader is not None:
                assert f"{value}▸{cast.marks[leader]}" in text


def test_scored_city_shows_who_took_what_and_rests() -> None:
    game = game_after(40, 3)
    view, cast = game.view(0), cast_of(game)
    scored = [city for city in view.cities if city.winners]
    assert scored
    for width in (80, 100):
        text = plain(view, cast, width)
        lines = Picture(view, cast).lines(width)
        for city in scored:
            assert city.winners
            for token, winner in zip(city.tokens, city.winners, strict=True):
                assert f"{token}✓{cast.marks[winner]}" in text
            title = next(line for line in lines if city.name in line.plain)
            at = title.plain.index(city.name)
            styles = {str(span.style) for span in title.spans if span.start <= at < span.end}
            assert styles == {"dim"}


def test_messengers_lie_on_the_ways() -> None:
    game = game_after(20, 3, ("messengers",))
    view, cast = game.view(0), cast_of(game)
    across = {"MI-PA", "PA-VE", "FE-LU", "BO-SI"} & set(view.messengers)
    down = set(view.messengers) - across
    assert across
    assert down
    text = plain(view, cast, 100)
    assert text.count("◀▶") == len(across)
    assert text.count("▲ messenger ▼") == len(down)
    small = plain(view, cast, 80)
    for pair in view.messengers:
        assert f"◆{pair[:2]}" in small
        assert f"◆{pair[3:]}" in small
    assert "┊" not in plain(game_after(20, 3).view(0), cast, 100)  # no ways without messengers


def test_only_what_the_viewer_may_know_is_drawn() -> None:
    game = game_after(15, 4, ("messengers",))
    cast = cast_of(game, 1)
    view = game.view(1)
    for seed in range(5):
        other = view.sample(seed)
        assert other != game.state
        for width in (60, 100):
            assert plain(other.view(1), cast, width) == plain(view, cast, width)


def test_tokens_lie_face_down_unless_the_ledger_is_open() -> None:
    hidden, shown = (game_after(40, 2, rules, seed=3) for rules in ((), ("open-ledger",)))
    assert hidden.moves == shown.moves
    cast = cast_of(hidden)
    for width in (60, 100):
        text = plain(hidden.view(0), cast, width)
        rival = hidden.view(0).seats[1]
        assert f"{len(rival.tokens)} face down" in text
        worth = f"{len(rival.tokens)} worth {sum(rival.tokens)}"
        assert worth not in text
        assert worth in plain(shown.view(0), cast, width)
        assert worth in plain(open_view(hidden), cast, width)


def test_with_open_tokens_others_show_their_worth_but_not_their_portraits() -> None:
    game = game_after(40, 2, ("open-tokens",), seed=3)
    view, rival = game.view(0), game.view(0).seats[1]
    for width in (60, 100):
        text = plain(view, cast_of(game), width)
        assert f"{len(rival.tokens)} worth {sum(rival.tokens)}" in text
        assert "face down" not in text
        assert " ".join(f"{noble}{n}" for noble, n in rival.heads.items()) not in text


def test_known_and_hidden_cards_in_hands() -> None:
    game = game_after(6, 3)
    view, cast = game.view(0), cast_of(game)
    rival = view.seats[1]
    assert rival.hand
    assert rival.unknown
    text = plain(view, cast, 100)
    line = next(line for line in text.splitlines() if "▐B▌ Bruno  " in line)
    assert line.rstrip().endswith(f"{rival.unknown} hidden")
    for card in rival.hand:
        assert f"{card[:2]} {game.options.deck[card].text.replace('*', '★')}" in line


def test_hand_says_what_cards_do_and_draw() -> None:
    game = game_after(7, 3)
    seat = game.seat or 0
    view = game.view(seat)
    text = plain(view, cast_of(game, seat), 80)
    for card in view.seats[seat].hand:
        line = next(line for line in text.splitlines() if card in line)
        assert "draw " in line
        lying = next(city.card for city in view.cities if city.code == card[:2])
        if lying and not game.options.deck[card].free_draw:
            name = next(city.name for city in view.cities if city.code == lying[:2])
            assert f"draw {name}, " in line


def test_towers_lie_down_where_lines_are_scarce() -> None:
    game = game_after(20, 3)
    view, cast = game.view(0), cast_of(game)
    tall = plain(view, cast, 100)
    assert plain(view, cast, 100, room=60) == tall
    short = plain(view, cast, 100, room=35)
    assert len(short.splitlines()) <= 35 < len(tall.splitlines())


def test_marks_are_initials_or_letters_of_colours() -> None:
    five = Options(5)
    assert Cast.of(five, NAMES).marks == ("A", "B", "C", "D", "E")
    assert Cast.of(five, ("Al", "Ann", "B", "C", "D")).marks == ("B", "W", "R", "Y", "U")
    assert Cast.of(five).names == ("Black", "White", "Red", "Yellow", "Blue")
    assert Cast.of(five).marks == ("B", "W", "R", "Y", "U")
    assert Cast.of(Options(2), ("random", "random")).names == ("random 1", "random 2")
    assert Cast.of(Options(2), ("🂡", "b")).marks == ("B", "W")


def test_names_cannot_disturb_the_terminal() -> None:
    names = ("\x1b[31mred\x07", "a very long name that does not end", "[bold]x")
    game = game_after(3, 3)
    cast = Cast.of(game.options, names)
    text = plain(game.view(0), cast, 60)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "a very long na " in text
    assert "[bold]x" in text


def test_the_players_fit_at_the_end_where_everything_is_open() -> None:
    game = game_after(48, players=2, rules=("messengers",))
    text = plain(open_view(game), Cast.of(game.options, ["Anna", "Bruno"], 0), 100)
    assert "portraits" in text
    assert "hand " not in text
    assert "…" not in text
