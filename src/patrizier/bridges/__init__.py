"""Bridges to the libraries of reinforcement learning: PettingZoo, Gymnasium, OpenSpiel.

Thin environments around the public API, one module for each library, imported only when used. No
rules here; nothing else in the package needs these libraries.
"""
