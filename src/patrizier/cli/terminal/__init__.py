"""Drawing and asking in the terminal: boards, players, tables of figures, a turn put together.

Only this room and the commands know `rich`.
"""
