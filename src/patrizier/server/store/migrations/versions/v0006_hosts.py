"""The host of a table as a column, and whether its bot moves with nobody present."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_DAY = 86_400.0


def upgrade() -> None:
    """Bring the database to this version."""
    op.add_column("tables", sa.Column("host", sa.String(64), nullable=False, server_default=""))
    tables = sa.table(
        "tables",
        sa.column("id", sa.String),
        sa.column("host", sa.String),
        sa.column("phase", sa.String),
        sa.column("pace", sa.String),
        sa.column("bot_to_move", sa.Boolean),
        sa.column("due", sa.Double),
        sa.column("updated", sa.Double),
        sa.column("summary", sa.Text),
    )
    connection = op.get_bind()
    unfinished = tables.c.phase.in_(("open", "playing"))
    query = sa.select(tables.c.id, tables.c.summary).where(unfinished)
    for table_id, summary in connection.execute(query).all():
        here = tables.c.id == table_id
        connection.execute(sa.update(tables).where(here).values(host=json.loads(summary)["host"]))
    # Bots wait until somebody is present; the timekeeper closes games that everybody has left.
    waiting = tables.c.bot_to_move & (tables.c.phase == "playing")
    unattended = waiting & ~tables.c.pace.startswith("correspondence")
    due = sa.func.coalesce(tables.c.due, tables.c.updated + _DAY)
    connection.execute(sa.update(tables).where(waiting).values(due=due))
    connection.execute(sa.update(tables).where(unattended).values(bot_to_move=False))
    op.create_index("ix_tables_host", "tables", ["host", "phase"])


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_index("ix_tables_host", "tables")
    op.drop_column("tables", "host")
