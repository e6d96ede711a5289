"""Where tables, people and results are kept: SQLite, or PostgreSQL."""
