"""The rules: small compiled functions over one named record (`state`).

`legal` lists decisions, `apply` applies one, `score` counts points. Imports NumPy and Numba only.
Kernels check nothing; Python calls them through `boundary`.
"""

RULES_VERSION = 1
"""Changes only when the behaviour of the rules changes."""
