"""The SQL of the store by subject: people, sessions, results, mail, analyses, puzzles and more.

`sql` puts them together; the log of a table's events is in `appends`.
"""
