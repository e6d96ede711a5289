"""Analyses of games, and who asked for them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    op.create_table(
        "analyses",
        sa.Column("key", sa.String(96), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("deep", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("taken", sa.Double),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("judged", sa.Integer, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_analyses"),
    )
    waiting = sa.text("NOT done")
    op.create_index(
        "ix_analyses_waiting",
        "analyses",
        ["created"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.create_table(
        "analysis_requests",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("key", sa.String(96), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("person", "key", name="pk_analysis_requests"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_analysis_requests_key", "analysis_requests", ["key"])


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("analysis_requests")
    op.drop_table("analyses")
