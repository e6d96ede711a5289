"""The game server: `http` → `runtime` → `table`, with `store`, `people` and `mail` below.

The modules beside these rooms are shared by several of them. Importing this package alone loads
none of its dependencies.
"""
