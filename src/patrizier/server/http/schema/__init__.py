"""The API described for others: the OpenAPI document, and the page's TypeScript types from it.

Messages are defined in `protocol`, operations in `routes`; neither is written down here again.
"""
