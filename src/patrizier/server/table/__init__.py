"""The table: the authority over its game, a pure state machine over events.

A command (`commands`, `actor`) passes `table` → `handlers`, which refuse it or return events;
`state` folds events; `visibility` filters what each person may see. No I/O, no asyncio; time and
randomness are passed in.
"""
