"""Files that commands read and write: downloads, game records, reports.

Formats are defined elsewhere (`ptr`, `arena.reports`); this folder is about paths and errors.
"""
