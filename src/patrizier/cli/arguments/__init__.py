"""Arguments that several commands share, and how a command fails.

Arguments of a single command are declared in its own file.
"""
