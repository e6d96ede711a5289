"""Lines that somebody has kept under a link."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    op.create_table(
        "kept_lines",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("study", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_kept_lines"),
    )
    op.create_index("ix_kept_lines_person", "kept_lines", ["person", "at"])


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("kept_lines")
