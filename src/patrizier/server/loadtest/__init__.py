"""Plays real games through real sockets against a server on this machine, and measures it."""
