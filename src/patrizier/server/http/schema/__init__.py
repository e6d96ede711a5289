"""The API described for others: the OpenAPI document, and the page's TypeScript types from it."""
