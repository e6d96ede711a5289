"""Searches over information sets: UCT (`ismcts`), PUCT with learned priors (`mcts`, `zero`).

Trees, playout policy and the bots that use them; fitted values and priors are in `learned`, exact
endgames in `endgame`. A search starts from a view, never from the true state, and knows no
registry.
"""
