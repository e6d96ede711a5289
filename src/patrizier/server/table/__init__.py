"""The table: the authority over its game, a pure state machine over events.

A command (`commands`, `actor`) is refused or becomes events (`dispatch`, `preparation`, `turns`,
`deadlines`), events make the next state (`state`), and `visibility` filters what a person may see.
No I/O, no asyncio; time and randomness are passed in.
"""
