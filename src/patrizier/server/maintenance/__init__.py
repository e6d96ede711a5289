"""Maintenance by the administrator: back up, restore, and check the database.

It works on the database directly, beside a running server. What a server does by itself, such as
deleting what has expired, is in `jobs`; commands and their output are in `cli`.
"""
