"""Puzzles for pages: positions that can be tried offline, and people's attempts.

The puzzles themselves come from `patrizier.puzzles`, the SQL for attempts is in `store`. Nothing
here searches, nor judges a turn anew.
"""
