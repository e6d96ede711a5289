"""Learned by self-play: features of a position, its value, priors over decisions, weights.

Compiled inference only; fitting is done in `training/`.
"""
