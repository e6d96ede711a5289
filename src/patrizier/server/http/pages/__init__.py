"""What people see besides the API: the page's files, plain pages, preview pictures.

The page itself is made in `web`, texts are in `server.texts`, drawings in `printing` and `art`.
Nothing here answers with JSON: that is `routes`.
"""
