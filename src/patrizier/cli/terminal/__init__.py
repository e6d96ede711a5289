"""Terminal output and input: a turn chosen step by step, replays, puzzles.

`drawing` draws positions, `results` shows tables. Only this folder and the commands use `rich`.
"""
