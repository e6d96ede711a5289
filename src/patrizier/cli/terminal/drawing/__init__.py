"""Draws a position in the terminal: the board, cities, players, piles, points.

Nothing here asks questions or waits for input.
"""
