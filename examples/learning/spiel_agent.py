"""An agent of OpenSpiel becomes a bot of ours: train it there, and let it play in our arena.

    pip install "patrizier[openspiel]"
    python examples/learning/spiel_agent.py --games 20
    cd examples/learning && patrizier arena spiel_agent.AgentBot random --games 10

The agent here is OpenSpiel's table of Q values, because it needs no PyTorch. A table learns next to
nothing in a game this large: its agents with networks, such as DQN, go the same way.
"""

import argparse
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import Environment, ObservationType, StepType, TimeStep

import patrizier.bridges.open_spiel
from patrizier import View
from patrizier.batch import DECISIONS, observe_floats
from patrizier.bridges.bots import DecisionBot, legal_codes

assert patrizier.bridges.open_spiel  # registers the game
FILE = Path(__file__).with_name("agent.pickle")  # a pickle can run anything: load only your own


class AgentBot(DecisionBot):
    """Shows the agent what OpenSpiel's environment would show it."""

    name = "agent"
    about = "Plays what an agent of OpenSpiel has learnt."

    def __init__(self) -> None:
        self._agent = pickle.loads(FILE.read_bytes())

    def decide(self, view: View, rng: np.random.Generator) -> int:
        """Return the agent's action."""
        seats, seen = view.options.players, observe_floats(view).tolist()
        shown = {"info_state": [seen] * seats, "legal_actions": [legal_codes(view)] * seats}
        return int(self._agent.step(TimeStep(shown, None, None, StepType.MID), True).action)


def train(games: int) -> Any:
    """Return an agent that has played against itself."""
    environment = Environment(
        pyspiel.load_game("patrizier(players=2)"), observation_type=ObservationType.OBSERVATION
    )
    agents = [QLearner(seat, DECISIONS) for seat in range(2)]
    for _ in range(games):
        step = environment.reset()
        while not step.last():
            output = agents[step.observations["current_player"]].step(step)
            step = environment.step([output.action])
        for agent in agents:
            agent.step(step)  # the result
    return agents[0]


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    chosen = parser.parse_args()
    FILE.write_bytes(pickle.dumps(train(chosen.games)))
    print(f"{chosen.games} games played against itself: saved to {FILE.name}")


if __name__ == "__main__":
    main()
