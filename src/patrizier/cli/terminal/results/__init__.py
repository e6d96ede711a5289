"""Results in the terminal: the tables of tournaments, series and tests, live while they run.

Figures come from `arena`; nothing is computed here.
"""
