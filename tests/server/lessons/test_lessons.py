"""Every lesson has a position in which its goal can be reached, and missed."""

import pytest

from patrizier import Move
from patrizier.server import lessons
from patrizier.server.lessons.goals import CHECKS
from patrizier.server.protocol.messages import LessonAnswer, LessonBody, LessonName
from patrizier.server.table.commands import Refused


def tried(name: LessonName) -> dict[str, LessonAnswer]:
    """Return the answer to every legal turn of a lesson."""
    begun = lessons.play(name, LessonBody())
    return {
        move: lessons.play(name, LessonBody(moves=(move,))) for move in begun.view.root["legal"]
    }


def test_there_is_a_lesson_for_every_check() -> None:
    assert tuple(CHECKS) == lessons.NAMES == tuple(each.name for each in lessons.listed().lessons)


@pytest.mark.parametrize("name", lessons.NAMES)
def test_the_learner_is_to_move_and_can_reach_the_goal(name: LessonName) -> None:
    begun = lessons.play(name, LessonBody())
    assert begun.view.root["viewer"] == begun.view.root["seat"] == begun.seat == 0
    answers = tried(name)
    assert any(answer.reached for answer in answers.values())
    if name not in ("build", "last-cards"):
        assert not all(answer.reached for answer in answers.values())
    for move, answer in answers.items():
        assert answer.done
        assert answer.record is not None
        assert answer.record["move"] == move


def test_completing_a_city_brings_a_token() -> None:
    for answer in tried("complete").values():
        if answer.reached:
            assert answer.record is not None
            scored = answer.record["scored"]
            assert scored["city"] == answer.goal.city
            assert 0 in (scored["taller"], scored["lower"])
        else:
            assert answer.why in ("other-city", "other-card")


def test_the_tie_is_won_on_one_site_only() -> None:
    goal = lessons.load("tie").goal
    answers = {m: a for m, a in tried("tie").items() if m.startswith(str(goal.card))}
    assert {answer.why for answer in answers.values()} == {"", "wrong-site"}
    (won,) = [answer for answer in answers.values() if answer.reached]
    (city,) = [each for each in won.view.root["cities"] if each["code"] == goal.city]
    tower = city["left"] if city["taller"] == "L" else city["right"]
    assert tower.count(0) == tower.count(1)
    assert tower[-1] == 0


def test_the_last_floor_must_go_to_the_empty_site() -> None:
    goal = lessons.load("empty-site").goal
    (move,) = [each for each in tried("empty-site") if each.startswith(str(goal.card))]
    answer = tried("empty-site")[move]
    assert answer.reached
    (city,) = [each for each in answer.view.root["cities"] if each["code"] == goal.city]
    assert [0] in (city["left"], city["right"])  # a tower of one floor, the learner's


def test_with_the_last_cards_nothing_is_taken() -> None:
    begun = lessons.play("last-cards", LessonBody())
    assert begun.view.root["pile_left"] == 0
    assert all(city["card"] is None for city in begun.view.root["cities"])
    for answer in tried("last-cards").values():
        assert answer.reached
        assert answer.record is not None
        assert answer.record["drawn"] is None


def test_a_free_draw_takes_a_card_elsewhere() -> None:
    answers = tried("free-draw")
    assert {answer.why for answer in answers.values()} == {"", "other-card", "same-city"}


def test_one_special_action_wins_the_taller_tower() -> None:
    answers = tried("move")
    assert {a.why for a in answers.values()} >= {"", "other-card", "no-move"}
    assert len({Move(move).moved for move, answer in answers.items() if answer.reached}) == 1


def test_portraits_make_a_set_of_six_points() -> None:
    begun = lessons.load("portraits").record.game()
    before = begun.scores()[0].sets
    for move, answer in tried("portraits").items():
        game = lessons.load("portraits").record.game()
        game.play(move)
        assert answer.reached == (game.scores()[0].sets == before + 6)


def test_two_crests_go_one_on_each_tower() -> None:
    goal = lessons.load("double").goal
    answers = {m: a for m, a in tried("double").items() if m.startswith(str(goal.card))}
    assert {Move(m).sites for m, a in answers.items() if a.reached} == {"LR"}
    assert {a.why for a in answers.values()} == {"", "wrong-site"}


def test_a_messenger_may_be_laid_in_one_go_or_after_the_refill() -> None:
    answers = tried("messenger")
    assert {a.why for a in answers.values()} >= {"", "no-messenger", "wrong-cities"}
    reached = next(Move(move) for move, answer in answers.items() if answer.reached)
    build = f"{reached.card}:{reached.sites}"
    half = lessons.play("messenger", LessonBody(decisions=(build,)))
    assert not half.done
    assert half.view.root["phase"] == "messenger"
    assert half.view.root["pending"]["refill"]
    assert reached.text in half.view.root["legal"]
    whole = lessons.play("messenger", LessonBody(decisions=(build, f"@{reached.messenger}")))
    assert whole.reached
    none = lessons.play("messenger", LessonBody(decisions=(build, "@")))
    assert (none.done, none.why) == (True, "no-messenger")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (LessonBody(moves=("BO1:LL",)), "illegal"),
        (LessonBody(moves=("nonsense",)), "invalid"),
        (LessonBody(decisions=("nonsense",)), "invalid"),
        (LessonBody(decisions=("BO1:L",)), "illegal"),
        (LessonBody(decisions=("@",)), "illegal"),
        (LessonBody(moves=("BO1:LL",), decisions=("@",)), "invalid"),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_rule(body: LessonBody, code: str) -> None:
    with pytest.raises(Refused) as refused:
        lessons.play("messenger", body)
    assert refused.value.code == code
    assert refused.value.text


def test_nothing_goes_on_after_the_turn() -> None:
    begun = lessons.play("build", LessonBody())
    move = begun.view.root["legal"][0]
    with pytest.raises(Refused, match="over"):
        lessons.play("build", LessonBody(decisions=(move, move)))
