"""The language that a person reads, for their mails."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    language = sa.Column("language", sa.String(8), nullable=False, server_default="")
    op.add_column("people", language)


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_column("people", "language")
