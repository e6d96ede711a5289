"""Builds answers from rows and records: listings, figures, replays, lines.

Called by routes; nothing here knows a request.
"""
