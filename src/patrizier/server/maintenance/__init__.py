"""Maintenance by the administrator: back up, restore, and check the database.

It works on the database directly, beside a running server.
"""
