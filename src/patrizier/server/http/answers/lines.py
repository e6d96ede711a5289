"""Lines: hypothetical positions, reached from a record by further turns."""

from patrizier.game import Game
from patrizier.prospects import prospects
from patrizier.ptr import GameRecord
from patrizier.server.continuation import play_on
from patrizier.server.errors import Refused
from patrizier.server.protocol.messages import LineAnswer, LineBody, View
from patrizier.server.reasons import Reason
from patrizier.standing import Standings, legal_standings, standings_of
from patrizier.why import barred

from .replays import frame, hands_in, scores_in


def game_of(record: GameRecord, body: LineBody) -> Game:
    """Return the game at the end of a line; raises Refused."""
    whole = record.game()
    if body.at > whole.turn:
        raise Refused(Reason.NO_SUCH_TURN, turns=whole.turn)
    game = Game(whole.options, deal=whole.deal)
    for played in record.moves[: body.at]:
        game.play(played)
    play_on(game, body.moves, body.decisions)
    return game


def position(record: GameRecord, body: LineBody) -> LineAnswer:
    """Return the position at the end of a line; raises Refused."""
    game = game_of(record, body)
    seat, outcome, state = game.seat, game.outcome(), game.state
    return LineAnswer(
        view=View(state.view(seat).to_json()),
        frame=View(frame(game)),
        seat=seat,
        record=game.records[-1].to_json() if game.turn else None,
        steps=_steps(game),
        standings=legal_standings(state) if outcome is None else {},
        prospects=prospects(game.view(seat)) if outcome is None else None,
        barred=barred(state) if outcome is None else {},
        hands=hands_in(game),
        scores=scores_in(game),
        outcome=outcome.to_json() if outcome else None,
    )


def _steps(game: Game) -> Standings:
    """Return the standings after each step of the turn under way; else of the last one."""
    if game.state.phase in ("build", "over"):
        if not game.turn:
            return {}
        before = game.copy()
        before.take_back()
    else:
        before = game.copy()
        before.take_back(0)
    taken = len(before.decisions)
    return standings_of(before.state, game.decisions[taken:])
