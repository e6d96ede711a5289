"""E-mail: texts, signed links, and sending by SMTP.

The queue is in the store, recipients are in `people`.
"""
