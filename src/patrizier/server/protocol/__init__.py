"""The messages between server and clients, in both directions, as typed models.

The OpenAPI document and the page's TypeScript types are generated from them. Only data: no I/O.
"""
