"""Puzzles for pages: positions that can be tried without a connection, and who has tried what.

The puzzles themselves come from `patrizier.puzzles`.
"""
