"""Warm-up: compiles what only an analysis needs ahead of need; `kernels.preparation` finds it."""

from patrizier.bots.search.puct import NOTHING, open_up
from patrizier.kernels.preparation import Step
from patrizier.rules.jit import direct
from patrizier.rules.state import new_cells


def _compile_analysis() -> None:
    direct(open_up, new_cells(2), NOTHING, 0)


STEPS = (Step("analysis", 0.5, _compile_analysis),)
