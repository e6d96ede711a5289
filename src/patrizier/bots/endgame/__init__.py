"""Endings solved exactly, once nothing is hidden: the solver, and the survey that bounds it.

Nothing here is learned or guessed.
"""
