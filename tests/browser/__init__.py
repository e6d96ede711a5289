"""The page in a real browser, on the real server.

A package, so that its browser is closed before other tests run their own event loops.
"""
