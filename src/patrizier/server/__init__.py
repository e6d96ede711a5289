"""The game server. Importing this package imports none of the libraries it needs."""
