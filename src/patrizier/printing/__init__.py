"""Sheets to print at home: the messengers to cut out, and reference cards for the table."""
