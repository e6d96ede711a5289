"""The rules, once: small compiled functions over one named record."""

RULES_VERSION = 1
"""Changes only when the behaviour of the rules changes."""
