"""The routes, one file per resource.

A route reads the request, calls the runtime or `people`, and returns a message of `protocol`.
Limits, security and refusals are middleware and handlers in `http`.
"""
