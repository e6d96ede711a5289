"""HTML reports of tournaments and studies: one file each, plots included, nothing loaded.

Statistics are computed in the arena; here they are only shown.
"""
