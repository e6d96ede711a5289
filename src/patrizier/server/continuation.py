"""Plays on from a position with what a client sent: whole turns, then decisions of one more."""

from collections.abc import Iterable

from patrizier.errors import IllegalMove, InvalidMove
from patrizier.game import Game
from patrizier.rules.codes import decision_code
from patrizier.server.errors import Refused
from patrizier.server.reasons import Reason


def play_on(game: Game, moves: Iterable[str], decisions: Iterable[str]) -> None:
    """Play the turns, then the decisions; raises Refused."""
    try:
        for move in moves:
            game.play(move)
        turn = game.turn
        for decision in decisions:
            if game.turn != turn:
                raise Refused(Reason.TURN_ENDED, decision=decision)
            code = decision_code(decision)
            if game.state.decision_text(code) != decision:
                raise Refused(Reason.NOT_POSSIBLE, decision=decision)
            game.decide(code)
    except (InvalidMove, IllegalMove) as error:
        raise Refused.by_rules(error) from None
    except ValueError as error:  # not a decision
        raise Refused(Reason.UNREADABLE_TURN, why=str(error)) from None
