"""The predicted effects of a turn agree with playing on, over whole random games."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, product
from random import Random

from patrizier import Game, Move, Options, State
from patrizier.prospects import Answer, Prospects, prospects
from patrizier.rules.codes import NO_MESSENGER, NO_MOVE
from patrizier.view import CityView, View
from support.kinds import STARRY, for_every
from support.referee import tower_winner

LATE = ("messengers", "messenger-at-built-city")
KINDS = [Options(players, rules) for players in (2, 3, 4, 5) for rules in (("messengers",), LATE)]
KINDS += [Options(2), Options(3, LATE, STARRY), Options(5, ("messengers",), STARRY)]
PLAIN = (Options(2),)

every_kind = for_every(KINDS, PLAIN)


def walk(options: Options, seed: int) -> Iterator[Game]:
    """Give a random game at every decision; some messengers are kept until cities get complete."""
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        yield game
        keep = game.phase == "messenger" and rng.random() < 0.93
        game.decide(NO_MESSENGER if keep else rng.choice(game.legal_decisions()))


def told(game: Game) -> tuple[View, Prospects]:
    view = game.view(game.seat)
    return view, prospects(view)


def city_of(view: View, code: str) -> CityView:
    (found,) = [city for city in view.cities if city.code == code]
    return found


def played_out(state: State, step: int) -> State:
    """Return the position after a turn that does nothing more than it must."""
    turn, state = state.turn, state.apply(step)
    while state.turn == turn:
        legal = state.legal_decisions()
        state = state.apply(next((no for no in (NO_MOVE, NO_MESSENGER) if no in legal), legal[0]))
    return state


def points(state: State) -> list[int]:
    return [score.tokens + score.chips for score in state.scores()]


@every_kind
def test_points_are_those_that_playing_on_brings(options: Options) -> None:
    scoring = Counter[str]()
    for game in chain(walk(options, seed=1), walk(options, seed=11), walk(options, seed=12)):
        state, (_, facts) = game.state, told(game)
        wanted = {}
        for code in state.legal_decisions():
            if state.phase in ("build", "messenger"):
                after = points(played_out(state, code))
                more = {
                    seat: two - one
                    for seat, (one, two) in enumerate(zip(points(state), after, strict=True))
                    if two > one
                }
                if more:
                    wanted[state.decision_text(code)] = more
        assert {step: dict(shares) for step, shares in facts.takes.items()} == wanted
        for shares in facts.takes.values():
            assert list(shares) == sorted(shares, key=lambda share: (-share[1], share[0]))
        scoring[game.phase] += len(wanted)
    assert scoring["build"] > 9
    assert bool(scoring["messenger"]) == (options.rules == frozenset(LATE))


@every_kind
def test_portraits_are_those_on_the_pile_after_the_turn(options: Options) -> None:
    sets = 0
    for game in walk(options, seed=2):
        state, (view, facts) = game.state, told(game)
        seat = view.viewer
        assert seat is not None
        if state.phase != "build":
            assert not facts.gains
            continue
        shown = set()
        for code in state.legal_decisions():
            card, later = state.decision_text(code)[:3], state.apply(code)
            gain = facts.gains.get(card)
            before, after = state.scores()[seat].sets, later.scores()[seat].sets
            assert (gain.points if gain else 0) == after - before
            if gain is None:
                continue
            shown.add(card)
            heads = later.view(seat).seats[seat].heads
            assert gain.heads == heads[gain.noble] > view.seats[seat].heads[gain.noble]
            assert 1 <= gain.missing <= 3
            assert (gain.heads + gain.missing) % 3 == 0
            sets += gain.points > 0
        assert set(facts.gains) == shown
    assert sets > 3


@every_kind
def test_messengers_count_for_towers_that_are_still_to_be_scored(options: Options) -> None:
    pairs = 0
    for game in walk(options, seed=3):
        view, facts = told(game)
        legal = {move.messenger for move in view.legal if move.messenger}
        assert set(facts.leads) == (legal if game.phase == "messenger" else set())
        for pair, shares in facts.leads.items():
            leaders = [
                tower_winner(list(tower))
                for code in pair.split("-")
                for city in [city_of(view, code)]
                for tower in (city.left, city.right)
                if tower and not city.winners
            ]
            assert dict(shares) == Counter(leaders)
            pairs += 1
    assert (pairs > 0) == ("messengers" in options.rules)


# -- who could answer


def towers_after(view: View, step: str) -> tuple[str, list[int], list[int]]:
    """Return a city's towers after a build or a special action."""
    assert view.viewer is not None
    code = step.strip(">")[:2]
    city = city_of(view, code)
    left, right = list(city.left), list(city.right)
    if step[0] == ">":
        one, two = (left, right) if step.endswith("L") else (right, left)
        two.append(one.pop())
    else:
        for site in step.split(":")[1]:
            (left if site == "L" else right).append(view.viewer)
    return code, left, right


def possible(
    view: View, code: str, left: list[int], right: list[int], seat: int, card: str
) -> Iterator[tuple[list[int], list[int]]]:
    """Give the towers that a card could turn these into, as the rules read."""
    face, capacity = view.options.deck[card], city_of(view, code).capacity
    if card[:2] == code:
        for sites in product("LR", repeat=face.crests):
            one = left + [seat] * sites.count("L")
            two = right + [seat] * sites.count("R")
            if len(one) + len(two) < capacity or (one and two):
                yield one, two
    elif face.special_action and seat in left + right:
        if left:
            yield left[:-1], right + left[-1:]
        if right:
            yield left + right[-1:], right[:-1]


def expected_answers(view: View, step: str) -> list[Answer]:
    code, left, right = towers_after(view, step)
    city, found = city_of(view, code), []
    assert view.viewer is not None
    if len(left) + len(right) == city.capacity:
        return []
    for ahead in range(1, view.options.players):
        seat = (view.viewer + ahead) % view.options.players
        for card in view.seats[seat].hand:
            lost, most = set(), 0
            for one, two in possible(view, code, left, right, seat, card):
                for site, before, after in (("L", left, one), ("R", right, two)):
                    mine = bool(before) and tower_winner(before) == view.viewer
                    if mine and after and tower_winner(after) == seat:
                        lost.add(site)
                if len(one) + len(two) == city.capacity:
                    ranked = sorted((one, two), key=len, reverse=True)
                    bonus = 2 * city.messengers
                    won = [
                        token + bonus
                        for token, tower in zip(city.tokens, ranked, strict=True)
                        if tower_winner(tower) == seat
                    ]
                    most = max(most, sum(won))
            if lost or most:
                found.append(Answer(seat, card, "".join(sorted(lost)), most))
    return found


@every_kind
def test_answers_are_those_of_cards_seen_and_of_no_others(options: Options) -> None:
    kinds = Counter[str]()
    for game in walk(options, seed=4):
        view, facts = told(game)
        steps = set()
        for move in view.legal:
            if game.phase == "build":
                steps.add(f"{move.card}:{move.sites}")
            if game.phase in ("build", "move") and move.moved:
                steps.add(f">{move.moved}")
        assert set(facts.answers) <= steps
        for step in steps:
            answers = expected_answers(view, step)
            assert list(facts.answers.get(step, ())) == answers
            for answer in answers:
                kinds["move" if answer.card[:2] != step.strip(">")[:2] else "build"] += 1
                kinds["complete"] += answer.points > 0
    assert min(kinds["build"], kinds["move"], kinds["complete"]) > 5


@every_kind
def test_the_next_player_can_really_answer_like_that(options: Options) -> None:
    answered = 0
    for game in walk(options, seed=5):
        view, facts = told(game)
        if game.phase != "build":
            continue
        for move in view.legal:
            step = f"{move.card}:{move.sites}"
            if move.moved or move.messenger or step not in facts.answers:
                continue
            answer = facts.answers[step][0]
            if answer.seat != (view.viewer or 0) + 1:
                continue
            trial = game.copy()
            trial.play(move)
            replies = [reply for reply in trial.legal_moves if reply.card == answer.card]
            assert any(takes_over(trial, reply, move, answer) for reply in replies)
            answered += 1
            break
    assert answered > 2


def takes_over(game: Game, reply: Move, move: Move, answer: Answer) -> bool:
    trial = game.copy()
    record = trial.play(reply)
    city = city_of(trial.view(None), move.card[:2])
    leads = any(city.leaders["LR".index(site)] == answer.seat for site in answer.sites)
    scored = record.scored is not None and answer.seat in (
        record.scored.taller,
        record.scored.lower,
    )
    return leads or scored


# -- what is not said


def test_nothing_is_said_to_those_who_do_not_decide() -> None:
    for game in walk(Options(3, LATE), seed=6):
        for viewer in (0, 1, 2, None):
            if viewer != game.seat:
                assert prospects(game.view(viewer)) == Prospects()
    assert prospects(game.view(0)) == Prospects()


def test_without_help_nothing_is_said_of_cards_one_would_have_to_remember() -> None:
    answers = 0
    for game in walk(Options(4, ("messengers",)), seed=7):
        view, facts = told(game)
        forgetful = prospects(view, memory=False)
        assert not forgetful.answers
        assert forgetful.takes == facts.takes
        assert forgetful.gains == facts.gains
        answers += len(facts.answers)
    assert answers
