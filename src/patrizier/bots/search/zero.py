"""The bot that learned from nothing but its own games: a search guided by the network."""

from patrizier.bots.search.forest import GuidedTree, Tree
from patrizier.bots.search.mcts import MctsBot


class ZeroBot(MctsBot):
    """PUCT search guided by one network for two to five players; endgames are solved."""

    name = "zero"
    about = (
        "Learned from nothing but millions of its own games; looks at fewer turns, but better ones."
    )

    def _new_tree(self, room: int, players: int) -> Tree:
        return GuidedTree(room, players)
