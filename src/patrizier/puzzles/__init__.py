"""Puzzles: positions with one best turn that is not obvious, each with its line and its why.

Made from games by search and proof, kept in one compact file. Nothing here knows servers, terminals
or pages. `docs/puzzles.md` says what counts as a puzzle.
"""
