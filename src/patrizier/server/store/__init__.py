"""The store: tables, people, results and the mail queue, in SQLite or PostgreSQL.

`base` has the protocols that others use; all SQL is in this folder. Events and summaries are stored
as given: nothing about the game is decided here.
"""
