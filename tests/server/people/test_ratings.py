"""Ratings: from places, between people, per player count, and the same every time."""

from dataclasses import replace

import pytest

from patrizier.server.people.ratings import counts, new_rating, rate, shown
from patrizier.server.store.rows import Rating, Result, ResultSeat


def seat(number: int, person: str | None, place: int, left: bool = False) -> ResultSeat:
    bot = "greedy" if person is None else None
    return ResultSeat(number, person, person or "", bot, 50 - place, place, left)


def result(*seats: ResultSeat, rated: bool = True) -> Result:
    return Result("table", len(seats), "", rated, 0.0, "", seats)


THREE = result(seat(0, "anna", 2), seat(1, "ben", 1), seat(2, "cleo", 3))


def by_person(ratings: list[Rating]) -> dict[str, Rating]:
    return {rating.person: rating for rating in ratings}


def test_a_better_place_gives_a_better_rating() -> None:
    after = by_person(rate(THREE, {}))
    assert shown(after["ben"]) > shown(after["anna"]) > shown(after["cleo"])
    assert {(r.players, r.games) for r in after.values()} == {(3, 1)}
    assert after["ben"].sigma < new_rating("ben", 3).sigma


def test_everybody_starts_at_a_thousand_and_a_lost_game_leads_to_no_negative_number() -> None:
    assert shown(new_rating("anna", 2)) == 1000
    last = result(*(seat(i, name, i + 1) for i, name in enumerate("abcde")))
    assert 0 < shown(by_person(rate(last, {}))["e"]) < 1000


def test_the_same_games_give_the_same_ratings() -> None:
    def season() -> dict[str, Rating]:
        ratings: dict[str, Rating] = {}
        for number in range(30):
            places = [(number * step) % 3 + 1 for step in (1, 2, 4)]
            names = ("anna", "ben", "cleo")
            game = result(*(seat(i, names[i], places[i]) for i in range(3)))
            ratings |= by_person(rate(game, ratings))
        return ratings

    assert season() == season()
    assert season()["anna"].games == 30


def test_ratings_go_on_from_where_they_were() -> None:
    strong = Rating("ben", 3, 40.0, 2.0, 50)
    after = by_person(rate(THREE, {"ben": strong}))
    assert after["ben"].games == 51
    assert 40.0 < after["ben"].mu < 40.5  # as expected, so little changes


def test_equal_places_change_equals_equally() -> None:
    one, two = rate(result(seat(0, "anna", 1), seat(1, "ben", 1)), {})
    assert one.mu == pytest.approx(two.mu)


@pytest.mark.parametrize("place", [1, 2])
def test_who_left_has_lost_whatever_the_stand_in_made_of_it(place: int) -> None:
    game = result(seat(0, "anna", place, left=True), seat(1, "ben", 3 - place))
    after = by_person(rate(game, {}))
    assert after["anna"].mu < 25 < after["ben"].mu
    assert rate(game, {}) == rate(result(seat(0, "anna", 2, left=True), seat(1, "ben", 1)), {})


def test_those_who_left_share_the_last_place() -> None:
    game = result(seat(0, "a", 1, left=True), seat(1, "b", 2, left=True), seat(2, "c", 3))
    a, b, c = rate(game, {})
    assert a.mu == pytest.approx(b.mu)
    assert c.mu > a.mu


def test_bots_are_left_out() -> None:
    game = result(seat(0, "anna", 2), seat(1, None, 1), seat(2, "ben", 3), seat(3, None, 4))
    after = rate(game, {})
    assert [r.person for r in after] == ["anna", "ben"]
    assert after[0].mu > 25 > after[1].mu
    assert after[0].players == 4


@pytest.mark.parametrize(
    "game",
    [
        replace(THREE, rated=False),
        result(seat(0, "anna", 1), seat(1, None, 2)),
        result(seat(0, "anna", 1), seat(1, "anna", 2)),  # at one screen, alone
        result(seat(0, "anna", 1), seat(1, "anna", 2), seat(2, "ben", 3)),
        result(seat(0, None, 1), seat(1, None, 2)),
    ],
)
def test_some_games_do_not_count(game: Result) -> None:
    assert not counts(game)
    assert rate(game, {}) == []
