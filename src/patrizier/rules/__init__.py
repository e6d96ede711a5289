"""The rules: small compiled functions over one named record; NumPy and Numba only."""

RULES_VERSION = 1
"""Changes only when the behaviour of the rules changes."""
