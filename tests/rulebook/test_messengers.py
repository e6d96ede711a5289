"""The Messengers."""

import pytest

from patrizier import Deck, Game, Scored
from patrizier.rules.codes import decision_code
from rulebook.positions import card_at, game_at, legal, new_game, towers

pytestmark = pytest.mark.plain

RULES = {"messengers"}
AT_BUILT_CITY = {"messengers", "messenger-at-built-city"}
EDGES = {"BO-FE", "BO-FI", "BO-SI", "FE-LU", "FE-VE", "LU-MI", "LU-SI", "MI-PA", "PA-VE", "RO-SI"}
PISTOIA_EDGES = {"FI-PI", "PI-RO"}


def places(game: Game, card: str) -> set[str]:
    """Return where a messenger may lie after building with a card on the left."""
    return {text.partition("@")[2] for text in legal(game, f"{card}:L")} - {""}


def chips(game: Game) -> list[int]:
    return [score.chips for score in game.scores()]


def minus(towers_now: dict[str, str], messengers: str, players: int = 3) -> list[int]:
    """Return the points everyone loses if the game ends here."""
    game = game_at(towers_now, players=players, rules=RULES, messengers=messengers)
    return [score.minus for score in game.scores()]


# ---- laying them ----


@pytest.mark.parametrize(("players", "each"), [(2, 2), (3, 2), (4, 1), (5, 1)])
def test_messengers_of_each_player(players: int, each: int) -> None:
    seats = new_game(players, RULES).view(None).seats
    assert [seat.messengers_left for seat in seats] == [each] * players


def test_without_the_option_there_are_none() -> None:
    game = new_game(hands=["BO4 FE3 FI4"])
    assert [seat.messengers_left for seat in game.view(None).seats] == [0, 0]
    assert not any(move.messenger for move in game.legal_moves)


def test_a_star_card_lets_its_player_lay_one() -> None:
    game = new_game(2, RULES, hands=["BO4 FE3 FI4"])
    game.play("BO4:L@MI-PA")
    view = game.view(None)
    assert view.messengers == ("MI-PA",)
    assert {city.code: city.messengers for city in view.cities if city.messengers} == {
        "MI": 1,
        "PA": 1,
    }
    assert [seat.messengers_left for seat in view.seats] == [1, 2]


def test_a_card_without_a_star_lays_none() -> None:
    game = game_at(hand="BO6 BO4 FE3", rules=RULES)
    assert places(game, "BO6") == set()
    assert places(game, "BO4") != set()


def test_it_may_be_declined() -> None:
    game = new_game(2, RULES, hands=["BO4 FE3 FI4"])
    game.play("BO4:L")
    assert game.view(None).messengers == ()
    assert game.view(None).seats[0].messengers_left == 2


def test_it_comes_last_after_the_refill() -> None:
    game = new_game(2, RULES, hands=["BO4 FE3 FI4"], display={"BO": "RO1"}, pile="SI1")
    game.decide(decision_code("BO4:L"))
    assert game.phase == "messenger"
    assert card_at(game, "BO") == "SI1"
    assert "RO1" in game.view(0).seats[0].hand
    assert game.decide(decision_code("@"))


def test_only_as_many_as_one_has() -> None:
    game = new_game(4, RULES, hands=["BO4 FE3 FI4"])
    game.play("BO4:L@MI-PA")
    for _ in range(3):
        game.play(game.legal_moves[0])
    assert game.view(0).seats[0].messengers_left == 0
    assert not any(move.messenger for move in game.legal_moves)


# ---- where they may lie ----


def test_between_two_neighbours_that_were_not_built_in() -> None:
    game = new_game(4, RULES, hands=["RO4 FE3 FI4"])
    assert places(game, "RO4") == EDGES - {"RO-SI"}
    assert places(game, "FE3") == EDGES - {"BO-FE", "FE-LU", "FE-VE"}


def test_pistoia_has_neighbours_with_five_players() -> None:
    game = new_game(5, RULES, hands=["VE4 FE3 FI4"])
    assert places(game, "VE4") == (EDGES | PISTOIA_EDGES) - {"FE-VE", "PA-VE"}
    assert places(game, "FI4") == (EDGES | {"PI-RO"}) - {"BO-FI"}


def test_roma_and_firenze_are_no_neighbours() -> None:
    assert "FI-RO" not in places(new_game(4, RULES, hands=["VE4 FE3 FI4"]), "VE4")


def test_no_city_has_more_than_two() -> None:
    game = game_at(hand="VE4", rules=RULES, messengers="LU-MI LU-SI")
    assert places(game, "VE4") == EDGES - {"FE-VE", "PA-VE", "LU-MI", "LU-SI", "FE-LU"}


def test_one_for_each_pair_of_cities() -> None:
    game = game_at(hand="VE4", rules=RULES, messengers="BO-FI")
    assert places(game, "VE4") == EDGES - {"FE-VE", "PA-VE", "BO-FI"}


def test_between_two_scored_cities_is_allowed() -> None:
    game = game_at({"MI": "0000/111", "PA": "000/11"}, "VE4", rules=RULES)
    assert "MI-PA" in places(game, "VE4")


def test_where_no_place_is_left_nothing_is_asked() -> None:
    """Two at Siena, Bologna, Lucca, Ferrara; the other pairs taken or at the city built in."""
    game = game_at(
        hand="PA3 VE3 RO4", rules=RULES, messengers="RO-SI BO-SI BO-FI FE-LU LU-MI FE-VE"
    )
    assert places(game, "PA3") == set()
    assert game.decide(decision_code("PA3:L"))


# ---- chips ----


@pytest.mark.parametrize(
    ("messengers", "points"), [("", 0), ("MI-PA", 0), ("FE-VE", 2), ("FE-VE BO-FE", 4)]
)
def test_the_winner_of_each_tower_gets_two_points_for_each_messenger(
    messengers: str, points: int
) -> None:
    game = game_at({"FE": "02/11"}, "FE3", rules=RULES, messengers=messengers)
    assert game.play("FE3:L").scored == Scored("FE", taller=0, lower=1, chips=points)
    assert chips(game) == [points, points, 0]


def test_who_wins_both_towers_gets_them_twice() -> None:
    game = game_at({"FE": "00/00"}, "FE3", rules=RULES, messengers="FE-VE BO-FE")
    game.play("FE3:L")
    assert chips(game) == [8, 0, 0]


def test_a_messenger_laid_before_the_scoring_counts_whoever_laid_it() -> None:
    game = game_at({"FE": "01/01"}, "BO4 BO5 RO4", others=["FE3 FE4 SI4"], rules=RULES)
    game.play("BO4:L@FE-VE")
    game.play("FE3:L")
    assert chips(game) == [0, 4, 0]


def test_one_laid_at_a_city_scored_earlier_gives_nothing_there_any_more() -> None:
    game = game_at({"FE": "001/01"}, "BO4", rules=RULES)
    game.play("BO4:L@FE-VE")
    assert chips(game) == [0, 0, 0]


def test_it_still_counts_at_its_other_city() -> None:
    game = game_at({"FE": "001/01", "VE": "11/00"}, "BO4", others=["VE3"], rules=RULES)
    game.play("BO4:L@FE-VE")
    game.play("VE3:L")
    assert chips(game) == [2, 2, 0]


# ---- the chip of minus three ----


def test_who_is_in_the_fewest_towers_at_messengers_loses_three() -> None:
    assert minus({"MI": "01/20", "PA": "0/1"}, "MI-PA") == [0, 0, -3]


def test_towers_count_not_cities_and_not_floors() -> None:
    assert minus({"MI": "0/0", "PA": "1111/"}, "MI-PA", players=2) == [0, -3]


def test_no_tower_at_all_is_fewest() -> None:
    assert minus({"MI": "01/10", "BO": "222/22"}, "MI-PA") == [0, 0, -3]


def test_other_cities_do_not_count() -> None:
    assert minus({"MI": "0/1", "PA": "0/1", "BO": "2/2"}, "BO-FI") == [0, 0, 0]
    assert minus({"MI": "0/1", "PA": "0/", "BO": "1/1"}, "MI-PA", players=2) == [0, -3]


def test_a_tie_goes_to_who_has_the_fewest_floors_there() -> None:
    assert minus({"MI": "011/20", "PA": "1/22"}, "MI-PA") == [-3, 0, 0]


def test_a_tie_in_towers_is_broken_only_among_the_tied() -> None:
    """Seat 2 has the fewest floors, but stands in two towers."""
    assert minus({"LU": "1111/2", "MI": "000/2"}, "LU-MI") == [-3, 0, 0]


def test_still_tied_nobody_loses() -> None:
    assert minus({"MI": "011/22", "PA": "/0"}, "MI-PA") == [0, 0, 0]
    assert minus({"MI": "01/01"}, "MI-PA", players=2) == [0, 0]
    assert minus({"MI": "00/11", "PA": "0/"}, "MI-PA", players=4) == [0, 0, 0, 0]


def test_with_no_messenger_on_the_board_nobody_loses() -> None:
    assert minus({"MI": "000/0", "PA": "1/"}, "") == [0, 0, 0]


def test_without_the_option_nobody_loses() -> None:
    game = game_at({"MI": "01/20"}, messengers="MI-PA")
    assert [score.minus for score in game.scores()] == [0, 0, 0]


def test_one_laid_at_scored_cities_counts_for_it() -> None:
    game = game_at({"MI": "0000/111", "PA": "000/11"}, "VE4", rules=RULES)
    game.play("VE4:L@MI-PA")
    assert [score.minus for score in game.scores()] == [0, 0, -3]


def test_a_city_with_two_messengers_counts_once() -> None:
    assert minus({"LU": "0/", "MI": "1/", "SI": "1/"}, "LU-MI LU-SI", players=2) == [-3, 0]
    assert minus({"LU": "0/", "MI": "1/"}, "LU-MI LU-SI", players=2) == [0, 0]


def test_messengers_never_laid_have_no_effect() -> None:
    game = game_at({"FE": "01/01"}, "FE3", rules=RULES)
    game.play("FE3:L")
    assert chips(game) == [0, 0, 0]
    assert [score.minus for score in game.scores()] == [0, 0, 0]


# ---- the option messenger-at-built-city ----


def test_then_it_may_lie_at_the_city_just_built_in() -> None:
    game = new_game(4, AT_BUILT_CITY, hands=["FE3 BO4 FI4"])
    assert places(game, "FE3") == EDGES


def test_then_the_other_rules_of_placement_still_hold() -> None:
    game = game_at(hand="FE3", rules=AT_BUILT_CITY, messengers="BO-FE FE-LU MI-PA")
    assert places(game, "FE3") == EDGES - {"BO-FE", "FE-LU", "FE-VE", "MI-PA"}


def test_then_a_city_completed_is_scored_after_the_messenger() -> None:
    game = game_at({"FE": "02/11"}, "FE3", rules=AT_BUILT_CITY)
    assert game.play("FE3:L@FE-VE").scored == Scored("FE", taller=0, lower=1, chips=2)
    assert chips(game) == [2, 2, 0]
    assert [score.tokens for score in game.scores()] == [5, 2, 0]


def test_then_it_is_not_scored_before_the_end_of_the_turn() -> None:
    game = game_at({"FE": "02/11"}, "FE3", rules=AT_BUILT_CITY)
    game.decide(decision_code("FE3:L"))
    assert game.phase == "messenger"
    assert game.view(None).cities[1].winners is None
    assert [score.tokens for score in game.scores()] == [0, 0, 0]
    game.decide(decision_code("@"))
    assert game.view(None).cities[1].winners == (0, 1)
    assert [score.tokens for score in game.scores()] == [5, 2, 0]


@pytest.mark.parametrize("build", ["FE3:L", "FE2:L"])
def test_then_a_city_is_scored_without_a_messenger_too(build: str) -> None:
    game = game_at({"FE": "02/11"}, build[:3], rules=AT_BUILT_CITY)
    assert game.play(build).scored == Scored("FE", taller=0, lower=1, chips=0)


def test_then_the_special_action_still_spares_the_city_just_built_in() -> None:
    game = game_at({"FE": "02/11", "MI": "0/"}, "FE2", rules=AT_BUILT_CITY)
    assert legal(game, "FE2:L") == {"FE2:L", "FE2:L>MI.L"}


def test_then_a_messenger_elsewhere_gives_the_completed_city_nothing() -> None:
    game = game_at({"FE": "02/11"}, "FE3", rules=AT_BUILT_CITY)
    game.play("FE3:L@MI-PA")
    assert chips(game) == [0, 0, 0]


# ---- loaded decks: a star card with a power does both ----


def loaded_deck() -> Deck:
    cards = {card: face.text for card, face in Deck.classic().faces}
    return Deck.of("starry powers", cards | {"LU3": ">*", "BO3": "?*"})


def test_a_star_with_the_special_action_does_both() -> None:
    game = game_at({"MI": "01/2"}, "LU3", rules=RULES, deck=loaded_deck())
    phases = []
    for text in ("LU3:L", ">MI.L", "@PA-VE"):
        phases.append(game.phase)
        game.decide(decision_code(text))
    assert phases == ["build", "move", "messenger"]
    assert game.records[0].move.text == "LU3:L>MI.L@PA-VE"
    assert towers(game, "MI") == "0/21"
    assert game.view(None).messengers == ("PA-VE",)


def test_a_star_with_a_free_draw_does_both() -> None:
    game = game_at(hand="BO3", rules=RULES, deck=loaded_deck(), display={"FI": "RO1"})
    phases = []
    for text in ("BO3:R", "+FI", "@PA-VE"):
        phases.append(game.phase)
        game.decide(decision_code(text))
    assert phases == ["build", "draw", "messenger"]
    record = game.records[0]
    assert record.move.text == "BO3:R+FI@PA-VE"
    assert record.drawn == "RO1"


def test_each_of_both_may_be_declined() -> None:
    game = game_at({"MI": "01/2"}, "LU3", rules=RULES, deck=loaded_deck())
    texts = legal(game, "LU3:L")
    assert {"LU3:L", "LU3:L>MI.R", "LU3:L@PA-VE", "LU3:L>MI.R@PA-VE"} <= texts


def test_a_starry_power_may_be_dealt() -> None:
    game = new_game(2, RULES, loaded_deck(), hands=["LU3 BO3 FE3"])
    assert game.play("BO3:L+BO@PA-VE").seat == 0
