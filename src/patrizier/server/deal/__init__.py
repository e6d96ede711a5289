"""The provably fair deal: commitment, contributions, derivation, and its verification.

Standard library and the public API only, so that anyone can check a deal without a server.
"""
