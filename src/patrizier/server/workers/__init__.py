"""The worker pool for bots, and fair sharing of its time.

Tables and people are not known here: only views, levels and accounts.
"""
