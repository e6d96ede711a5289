"""Printable sheets: the messengers to cut out, and reference cards."""
