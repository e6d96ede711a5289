"""The store: tables, people and results in SQLite or PostgreSQL."""
