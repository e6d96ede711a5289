"""The types of an analysis are those of its JSON."""

import json
from typing import get_args

import pytest

from analysis.games import LIGHT, random_game
from patrizier.analysis.analyser import analyse
from patrizier.analysis.reasons import SENTENCES
from patrizier.analysis.verdicts import Verdict
from patrizier.rules.codes import STEPS
from patrizier.server.protocol.analyses import Analysis, DecisionKind, ReasonKind
from patrizier.server.protocol.messages import Verdict as VerdictName


@pytest.mark.parametrize(("players", "rules"), [(2, ()), (3, ("messengers",))])
def test_every_step_of_an_analysis_has_the_form_of_the_protocol(
    players: int, rules: tuple[str, ...]
) -> None:
    steps = [*analyse(random_game(players, 1, rules), effort=LIGHT)]
    for step in (steps[0], steps[len(steps) // 2], steps[-1]):
        told = step.to_json()
        read = Analysis.model_validate_json(json.dumps(told))
        assert json.loads(read.model_dump_json(exclude_unset=True)) == told


def test_all_kinds_are_named() -> None:
    assert get_args(ReasonKind) == tuple(SENTENCES)
    assert get_args(VerdictName) == tuple(verdict.value for verdict in Verdict)
    assert get_args(DecisionKind) == STEPS
