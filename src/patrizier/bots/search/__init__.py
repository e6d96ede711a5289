"""Searches over information sets: UCT (`ismcts`), PUCT with learned priors (`mcts`, `zero`).

Trees, playout policy and the bots that use them; fitted values and priors are in `learned`.
"""
