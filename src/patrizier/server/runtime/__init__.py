"""A running server: live tables, subscribers, bots' turns, deadlines, presence.

A command passes `service` → `live_tables` → the table, is stored, and then published by `hub`.
asyncio belongs here; HTTP does not, nor do the rules of a table.
"""
