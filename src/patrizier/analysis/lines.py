"""Optimal lines of play, where the ending can be solved."""

from patrizier.analysis.outlook import laid_open
from patrizier.bots.endgame.solver import solve
from patrizier.move import Move
from patrizier.state import State

LONGEST = 4  # turns


def solved_line(state: State, nodes: int) -> tuple[Move, ...]:
    """Return the next few turns of optimal play, as far as they can be solved."""
    line = list[Move]()
    while not state.is_over and len(line) < LONGEST:
        assert state.seat is not None
        solution = solve(laid_open(state).view(state.seat), nodes)
        if solution is None:
            break
        line.append(solution.move)
        state = state.play(solution.move)
    return tuple(line)
