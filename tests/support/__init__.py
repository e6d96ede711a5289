"""Helpers of tests from several folders.

- `durations`: a plugin that notes how long every test file takes.
- `kinds`: kinds of games, every combination of rules among them, and a starry deck.
- `outsiders`: positions to corrupt, and a check that whatever is accepted can be played.
- `referee`: a naive referee, independent of the engine.
"""
