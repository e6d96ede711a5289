"""The game server. Importing this package alone loads none of its dependencies."""
