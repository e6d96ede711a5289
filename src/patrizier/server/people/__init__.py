"""Guests and accounts: identity, names, passwords, sessions, ratings, deletion.

Of tables only their events are known here, of HTTP only cookies.
"""
