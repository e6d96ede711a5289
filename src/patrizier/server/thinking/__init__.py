"""Where bots think: processes of their own, and who gets how much of their time.

Nothing here knows tables or people: only views, levels, and on whose account somebody thinks.
"""
