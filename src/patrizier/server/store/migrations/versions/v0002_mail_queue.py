"""The queue of mails."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    op.create_table(
        "mail_queue",
        sa.Column("key", sa.String(256), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("due", sa.Double),
        sa.PrimaryKeyConstraint("key", name="pk_mail_queue"),
    )
    waiting = sa.text("due IS NOT NULL")
    op.create_index(
        "ix_mail_queue_due",
        "mail_queue",
        ["due"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("mail_queue")
