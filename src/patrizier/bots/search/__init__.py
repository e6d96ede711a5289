"""The two searches over information sets: UCT (`ismcts`) and PUCT with learned priors (`mcts`).

Trees, playout policy and the bots that use them; fitted values and priors are in `learned`.
"""
