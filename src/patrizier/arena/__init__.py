"""The arena: many games between bots, and statistics on the bots and on the game.

`schedule` → `tournament` → `match` play; `standings`, `ratings` and `sequential` evaluate;
`reports` shows. Nothing here prints: that is `cli`.
"""
