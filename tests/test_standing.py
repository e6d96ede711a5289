"""What each step of a turn changes: every step of every legal turn, over whole random games."""

from collections.abc import Iterator
from random import Random

from patrizier import Game, Options, State
from patrizier.rules.codes import NO_MOVE
from patrizier.standing import Standing, legal_standings, standings_of
from patrizier.view import CityView
from support.kinds import STARRY, for_every
from support.referee import tower_winner

LATE = ("messengers", "messenger-at-built-city")
KINDS = [Options(players, rules) for players in (2, 3, 4, 5) for rules in (("messengers",), LATE)]
KINDS += [Options(2), Options(3, LATE, STARRY), Options(5, LATE, STARRY)]
PLAIN = (Options(2),)


def positions(options: Options, seed: int) -> Iterator[State]:
    """Give every position of a random game at which there is something to decide."""
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        yield game.state
        game.decide(rng.choice(game.legal_decisions()))


def city_of(state: State, code: str) -> CityView:
    (found,) = [city for city in state.view(None).cities if city.code == code]
    return found


def expected(left: list[int], right: list[int]) -> tuple[object, ...]:
    """Return the taller site and the leaders as the referee sees them."""
    taller = None if len(left) == len(right) else "L" if len(left) > len(right) else "R"
    leaders = tuple(tower_winner(tower) if tower else None for tower in (left, right))
    return taller, leaders


def check(standing: Standing, left: list[int], right: list[int], winners: object) -> None:
    assert (standing.taller, standing.leaders) == expected(left, right)
    assert standing.winners == winners


@for_every(KINDS, PLAIN)
def test_every_step_of_every_legal_turn_is_told(options: Options) -> None:
    late = False
    for state in positions(options, seed=5):
        told, wanted = legal_standings(state), set[str]()
        for code in state.legal_decisions():
            if state.phase == "build":
                later = check_build(state, code, told, wanted)
                if later.phase == "move":
                    for move in later.legal_decisions():
                        check_move(later, move, told, wanted)
            if state.phase == "move":
                check_move(state, code, told, wanted)
        assert set(told) == wanted
        late = late or any(standing.late for standing in told.values())
    assert late == (options.rules == frozenset(LATE))


def check_build(state: State, code: int, told: dict[str, Standing], wanted: set[str]) -> State:
    text, later = state.decision_text(code), state.apply(code)
    card, sites = text.split(":")
    before = city_of(state, card[:2])
    for step in {text, f"{card}:{sites[0]}", f"{card}:{sites[-1]}"}:
        left, right = list(before.left), list(before.right)
        for site in step.split(":")[1]:
            (left if site == "L" else right).append(int(state.seat or 0))
        complete = len(left) + len(right) == before.capacity
        towers = sorted((left, right), key=len, reverse=True) if complete else []
        check(told[step], left, right, tuple(map(tower_winner, towers)) or None)
        if not told[step].late and step == text:
            assert told[step].winners == city_of(later, card[:2]).winners
        if told[step].late:
            assert state.options.rules == frozenset(LATE)
            assert city_of(later, card[:2]).winners is None
        wanted.add(step)
    return later


def check_move(state: State, code: int, told: dict[str, Standing], wanted: set[str]) -> None:
    if code == NO_MOVE:
        return
    text = state.decision_text(code)
    after = city_of(state.apply(code), text[1:3])
    check(told[text], list(after.left), list(after.right), None)
    assert not told[text].late
    wanted.add(text)


@for_every(KINDS, PLAIN)
def test_a_turn_tells_its_own_steps(options: Options) -> None:
    game, rng = Game(options, seed=8), Random(8)
    while not game.is_over:
        state, taken = game.state, len(game.decisions)
        ended = False
        while not ended:
            legal = legal_standings(game.state)
            ended = game.decide(rng.choice(game.legal_decisions()))
            told = standings_of(state, game.decisions[taken:])
            assert all(told[step] == legal[step] for step in told if step in legal)
        record = game.records[-1]
        move = record.move
        steps = {f"{move.card}:{move.sites}"} | {f"{move.card}:{site}" for site in move.sites}
        assert set(told) == steps | ({f">{move.moved}"} if move.moved else set())
        standing = told[f"{move.card}:{move.sites}"]
        assert (standing.winners is not None) == (record.scored is not None)
        if record.scored:
            assert standing.winners == (record.scored.taller, record.scored.lower)
