"""Exact endgame solver for positions without hidden cards, and the bounds that prune it.

Nothing here is learned or sampled.
"""
