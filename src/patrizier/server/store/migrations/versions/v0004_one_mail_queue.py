"""One table for mails: those already claimed become finished jobs of the queue."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    op.execute(
        sa.text(
            "INSERT INTO mail_queue (key, person, address, table_id, turn, tries, created, due) "
            "SELECT 'turn ' || table_id || ' ' || turn || ' ' || person, person, '', table_id, "
            "turn, 0, at, NULL FROM mails WHERE NOT EXISTS (SELECT 1 FROM mail_queue q WHERE "
            "q.table_id = mails.table_id AND q.turn = mails.turn AND q.person = mails.person)"
        )
    )
    op.drop_table("mails")
    op.create_index("ix_mail_queue_turn", "mail_queue", ["table_id", "turn", "person"])


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_index("ix_mail_queue_turn", "mail_queue")
    op.create_table(
        "mails",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("turn", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_mails_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "turn", "person", name="pk_mails"),
    )
    op.execute(
        sa.text(
            "INSERT INTO mails (table_id, turn, person, at) SELECT table_id, turn, person, created "
            "FROM mail_queue WHERE table_id IN (SELECT id FROM tables)"
        )
    )
