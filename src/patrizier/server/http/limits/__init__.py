"""Limits on requests: sizes, rates, password guesses, open sockets; all in bounded memory.

Limits on TCP connections are in `connections`, limits at one table in `table/handlers/budgets`.
"""
