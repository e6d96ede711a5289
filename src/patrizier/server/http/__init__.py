"""Everything that speaks HTTP: the application, its routes and socket, limits and security.

A command arrives at `socket` or `routes`, passes through `submission`, and goes on to the runtime.
Nothing about a table is decided here.
"""
