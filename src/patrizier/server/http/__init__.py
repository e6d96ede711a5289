"""Everything that speaks HTTP: the application, its routes and socket, limits and security.

A command enters by `socket` or `routes`, passes `submission`, and goes on to the runtime.
No decision about a table is taken here.
"""
