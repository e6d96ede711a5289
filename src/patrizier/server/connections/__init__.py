"""TCP connections: limits on their number, in all and per network, and on idle time.

Of a request, only whether it is complete is known here; nothing about people.
"""
