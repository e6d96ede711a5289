"""TCP connections, before anything is known of who is at the other end.

How many there may be, in all and from one network, and how long one may stay silent. Nothing here
knows requests beyond whether one is complete.
"""
