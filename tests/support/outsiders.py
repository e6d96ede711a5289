"""Positions to corrupt, and a check that whatever is accepted can be played.

Compiled code checks no bounds, so what comes from outside must be refused or be playable.
"""

from functools import cache
from random import Random

from patrizier import Game, Options, State
from support.kinds import STARRY

KINDS = [
    Options(2),
    Options(2, {"messengers"}, STARRY),
    Options(3, {"messengers", "messenger-at-built-city"}),
    Options(4, {"open-ledger"}),
    Options(5, {"messengers"}, STARRY),
]


@cache
def good_games() -> list[Game]:
    """Return games that stand everywhere: each phase, early and late."""
    games = []
    for seed, options in enumerate(KINDS):
        game, rng = Game(options, seed=seed), Random(seed)
        seen = dict.fromkeys(("build", "move", "draw", "messenger"), 0)
        while not game.is_over:
            late = len(game.deal.pile) + 3 < game.turn
            if rng.random() < (0.3 if late else 0.1) or seen[game.phase] < 2:
                seen[game.phase] += 1
                games.append(game.copy())
            game.decide(rng.choice(game.legal_decisions()))
        games.append(game)
    return games


def play_to_the_end(state: State, rng: Random) -> None:
    """Play at random; every position on the way is one that can be kept."""
    turns = 55 if state.options.players == 5 else 48
    for _ in range(4 * turns):
        if state.is_over:
            break
        codes = state.legal_decisions()
        assert codes, f"nothing can be decided in {state}"
        state = state.apply(rng.choice(codes))
        if rng.random() < 0.02:
            assert State.from_bytes(state.to_bytes()) == state
    assert State.from_bytes(state.to_bytes()) == state
    assert state.turn == turns
    outcome = state.outcome()
    assert outcome is not None
    tokens = [value for city in state.view(None).cities for value in city.tokens]
    assert sum(score.tokens for score in outcome.scores) == sum(tokens)
