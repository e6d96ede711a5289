"""Analysis of games, turn by turn: chances, errors, luck, and reasons.

Works on records alone, with the bots' search and value; nothing here knows servers, terminals or
pages. `docs/analysis.md` defines every figure.
"""
