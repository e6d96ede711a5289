"""The worker pool for bots, and how its time is shared.

Nothing here knows tables or people: only views, levels, and on whose account somebody thinks.
"""
