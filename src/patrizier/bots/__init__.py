"""Bots: the interface, the registry, the levels, and the simple bots; they see only a `View`.

Tree searches are in `search`, fitted values in `learned`, the exact solver in `endgame`. Nothing
here knows the arena or the server.
"""
