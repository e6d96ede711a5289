"""What answers are made of: listings, figures, replays and lines, from rows and records.

Routes ask for it; nothing here knows a request.
"""
