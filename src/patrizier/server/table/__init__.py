"""The table: the one authority over its game, as a pure value made from events.

What a command asks (`commands`, `actor`) is refused or becomes events (`dispatch`, `preparation`,
`turns`, `deadlines`), events make the next state (`state`), and `visibility` says what a person may
see of it. No I/O, no asyncio, no clock and no randomness of its own: all come from outside.
"""
