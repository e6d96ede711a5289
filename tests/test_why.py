"""What the rules bar from a turn: every step of every turn, over whole random games."""

from collections.abc import Iterator
from random import Random

from page.truths import truths
from patrizier import Game, Options, State
from patrizier.why import Barred, barred
from support.kinds import STARRY, for_every

LATE = ("messengers", "messenger-at-built-city")
KINDS = [Options(players, rules) for players in (2, 3, 4, 5) for rules in (("messengers",), LATE)]
KINDS += [Options(2), Options(3, LATE, STARRY), Options(5, LATE, STARRY)]
PLAIN = (Options(2),)
NEXT = {"build": ":", "move": ">", "draw": "+", "messenger": "@"}
ALL = {
    *("must-fill-site", "built-here", "scored", "no-floor", "empty-site", "no-card"),
    *("forced-draw", "messenger-pair", "messenger-two", "messenger-city-built"),
}


def positions(options: Options, seed: int) -> Iterator[State]:
    """Give every position of a random game at which there is something to decide."""
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        yield game.state
        game.decide(rng.choice(game.legal_decisions()))


def bar_on(told: Barred, card: str, step: str) -> str | None:
    """Return what bars a step, looked up as the page does."""
    wide = step.split(".")[0]
    for name in (f"{card}{wide}", wide, step, f"{card}+" if step[0] == "+" else ""):
        for bar, steps in told.items():
            if name in steps:
                return bar
    return None


@for_every(KINDS, PLAIN)
def test_every_step_that_is_not_legal_is_barred_by_a_true_reason(options: Options) -> None:
    for state in positions(options, seed=11):
        told, view, phase = barred(state), state.view(state.seat), state.phase
        legal = {state.decision_text(code) for code in state.legal_decisions()}
        for card in {move.card for move in view.legal}:
            for step, true in truths(view, card).items():
                bar = bar_on(told, card, step)
                assert bar is None or bar in true, step
                if NEXT[phase] in step:
                    assert (bar is None) == (step in legal), step


@for_every(KINDS, PLAIN)
def test_later_steps_of_a_turn_are_barred_before_it_begins(options: Options) -> None:
    for state in positions(options, seed=12):
        if state.phase != "build":
            continue
        told = barred(state)
        for code in state.legal_decisions():
            card, later = state.decision_text(code).split(":")[0], state.apply(code)
            if later.phase not in ("move", "draw"):
                continue
            legal = {later.decision_text(each) for each in later.legal_decisions()}
            for step in truths(later.view(None), card):
                if NEXT[later.phase] in step:
                    assert (bar_on(told, card, step) is None) == (step in legal), step


def test_every_reason_comes_up() -> None:
    kinds = [(Options(2, ("messengers",)), 3), (Options(5, LATE), 1), (Options(4), 2)]
    found = {bar for options, seed in kinds for s in positions(options, seed) for bar in barred(s)}
    assert found == ALL


def test_a_game_that_is_over_bars_nothing() -> None:
    game, rng = Game(Options(2), seed=1), Random(1)
    while not game.is_over:
        game.decide(rng.choice(game.legal_decisions()))
    assert barred(game.state) == {}
