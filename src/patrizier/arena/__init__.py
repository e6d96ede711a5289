"""The arena: many games between bots, and statistics on the bots and on the game."""
