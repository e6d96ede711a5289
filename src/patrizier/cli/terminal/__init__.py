"""Terminal output and input: boards, players, result tables, a turn chosen step by step.

Only this folder and the commands use `rich`.
"""
