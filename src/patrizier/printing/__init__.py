"""Printable sheets: the messengers to cut out, and reference cards, as PDF.

Drawings come from `art`, texts from `texts/`. Nothing here knows a game in progress.
"""
