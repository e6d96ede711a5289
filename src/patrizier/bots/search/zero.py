"""The bot that learned from nothing but its own games: a search guided by the network."""

from patrizier.bots.budget import Budget
from patrizier.bots.learned.network import Network
from patrizier.bots.search.forest import GuidedTree, Tree
from patrizier.bots.search.mcts import MctsBot


class ZeroBot(MctsBot):
    """PUCT search guided by one network for two to five players; endgames are solved."""

    name = "zero"
    about = (
        "Learned from nothing but millions of its own games; looks at fewer turns, but better ones."
    )

    def __init__(self, budget: Budget | None = None, *, network: Network | None = None) -> None:
        super().__init__(budget)
        self._network = network  # instead of the one in the package

    def _new_tree(self, room: int, players: int) -> Tree:
        return GuidedTree(room, players, self._network)
