"""What goes on in a running server: live tables, subscribers, bots, deadlines, presence.

A command passes `service` → `live_tables` → the table, is stored, and then told by `hub`.
asyncio lives here; HTTP does not, and neither do the rules of a table.
"""
