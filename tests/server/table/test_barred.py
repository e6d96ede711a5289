"""Illegal steps are sent to the seat to decide, and to nobody else."""

from random import Random

from patrizier.server.table import commands as c
from patrizier.server.table.setup import TableSetup
from patrizier.why import barred
from server.support.table_driver import KEY, TableDriver


def test_only_the_mover_is_told_what_is_barred() -> None:
    setup = TableSetup(players=3, rules=("messengers",), watch="link", memory_help=True)
    game, rng = TableDriver(setup), Random(4)
    game.sit("ben", "cleo")
    while game.table.phase == "playing":
        state = game.game.state
        for person in ("anna", "ben", "cleo", None):
            (only,) = game.told(person, key="" if person else KEY).views
            assert only.barred == (barred(state) if person == game.mover else {})
        seat = game.table.to_move
        assert seat is not None
        command = c.Decide(
            id=game.id(),
            seat=seat,
            decision=state.decision_text(rng.choice(state.legal_decisions())),
            at_turn=game.table.turn,
            at_step=game.table.step,
        )
        game.do(game.mover, command)
    (only,) = game.told("anna").views
    assert only.barred == {}
