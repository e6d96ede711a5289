"""E-mail: what is written to whom, the links in it, and handing it to a mail server.

Queues live in the store; whoever reads mails is a person of `people`.
"""
