"""The game server: `http` → `runtime` → `table`, with `store`, `people` and `mail` below.

`startup` puts these together; the other modules beside the rooms are shared by several of them.
Importing this package alone loads none of its dependencies.
"""
