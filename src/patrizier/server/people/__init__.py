"""Guests and accounts: identity, names, passwords, ratings, and the right to be forgotten.

Knows no tables beyond their events, and no HTTP beyond the cookie's text.
"""
