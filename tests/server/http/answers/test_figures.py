from patrizier.server.http.answers.figures import MOST_GAMES, figures_of
from patrizier.server.store.rows import Result, ResultSeat

ME, BEN, EVE = "me-0123456789abcdef", "ben-0123456789abcdef", "eve-0123456789abcdef"


def played(number: int, *seats: ResultSeat, players: int = 2) -> Result:
    return Result(f"table-{number:014}", players, "", False, float(number), "", seats)


def mine(points: int, place: int, seat: int = 0, *, left: bool = False) -> ResultSeat:
    return ResultSeat(seat, ME, "Me", None, points, place, left)


def theirs(person: str | None, points: int, place: int, seat: int = 1) -> ResultSeat:
    return ResultSeat(seat, person, "Ben" if person else "Somebody", None, points, place)


def bot(level: str, points: int, place: int, seat: int = 1) -> ResultSeat:
    return ResultSeat(seat, None, "", level, points, place)


def test_nobody_has_no_figures() -> None:
    figures = figures_of([], ME)
    assert (figures.games, figures.wins, figures.points, figures.longest) == (0, 0, 0.0, 0)
    assert (figures.tallies, figures.curve, figures.best, figures.opponents) == ((), (), (), ())


def test_games_are_counted_by_players_and_level() -> None:
    figures = figures_of(
        [
            played(4, mine(50, 1), bot("doge", 40, 2)),
            played(3, mine(41, 2), bot("doge", 44, 1)),
            played(2, mine(30, 2), bot("merchant", 20, 3), bot("doge", 44, 1, 2), players=3),
            played(1, mine(60, 1), theirs(BEN, 20, 2)),
        ],
        ME,
    )
    assert (figures.games, figures.wins, figures.points) == (4, 2, 45.2)
    kinds = [(t.players, t.level, t.games, t.wins, t.points, t.best) for t in figures.tallies]
    assert kinds == [
        (2, "doge", 2, 1, 45.5, 50),
        (2, None, 1, 1, 60.0, 60),
        (3, "doge", 1, 0, 30.0, 30),
    ]
    assert [game.table[-1] for game in figures.best] == ["1", "4", "3", "2"]
    assert [point.points for point in figures.curve] == [60, 30, 41, 50]  # the oldest first


def test_guest_bots_are_no_level() -> None:
    figures = figures_of(
        [
            played(2, mine(50, 1), bot("guest:ppo", 40, 2)),
            played(1, mine(30, 1), theirs(BEN, 20, 2), bot("guest:ppo", 10, 3, 2), players=3),
        ],
        ME,
    )
    assert figures.games == 2
    assert [(t.players, t.level, t.games) for t in figures.tallies] == [(3, None, 1)]


def test_streaks_are_games_won_in_a_row() -> None:
    won = [True, True, False, True, True, True, False]  # the newest first
    games = [played(9 - n, mine(9, 1 if w else 2), bot("doge", 8, 2)) for n, w in enumerate(won)]
    figures = figures_of(games, ME)
    assert (figures.streak, figures.longest) == (2, 3)
    assert figures_of(games[2:], ME).streak == 0


def test_who_left_has_not_won() -> None:
    figures = figures_of([played(1, mine(50, 1, left=True), bot("doge", 8, 2))], ME)
    assert (figures.games, figures.wins, figures.longest) == (1, 0, 0)


def test_games_at_one_screen_do_not_count() -> None:
    figures = figures_of([played(1, mine(50, 1), mine(40, 2, seat=1))], ME)
    assert figures.games == 0


def test_opponents_are_people_by_number_of_games() -> None:
    figures = figures_of(
        [
            played(5, mine(50, 1), theirs(EVE, 40, 2)),
            played(4, mine(50, 1), theirs(BEN, 40, 2)),
            played(3, theirs(BEN, 60, 1, 0), mine(50, 2, seat=1)),
            played(2, mine(50, 1), theirs(BEN, 50, 1)),
            played(1, mine(50, 1), theirs(None, 40, 2)),
        ],
        ME,
    )
    ben, eve = figures.opponents
    assert (ben.games, ben.ahead, ben.behind, ben.last) == (3, 1, 1, 4.0)
    assert (ben.table[-1], ben.seat) == ("4", 1)
    assert (eve.games, eve.ahead) == (1, 1)
    assert [each.friend for each in figures.opponents] == [False, False]
    assert ME not in figures.model_dump_json()
    assert BEN not in figures.model_dump_json()


def test_friends_are_known_among_opponents() -> None:
    games = [played(1, mine(50, 1), theirs(BEN, 40, 2))]
    assert figures_of(games, ME, {BEN}).opponents[0].friend


def test_only_so_many_games_are_counted() -> None:
    games = [played(n, mine(9, 1), bot("doge", 8, 2)) for n in range(MOST_GAMES + 1, 0, -1)]
    assert figures_of(games, ME).cut
    assert figures_of(games, ME).games == MOST_GAMES
    assert not figures_of(games[1:], ME).cut
