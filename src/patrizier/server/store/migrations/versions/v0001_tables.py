"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    _tables()
    _people()
    _results()


def downgrade() -> None:
    """Go back to an empty database."""
    for name in ("mails", "ratings", "result_seats", "results", "people"):
        op.drop_table(name)
    for name in ("members", "events", "pulse", "tables"):
        op.drop_table(name)


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("pace", sa.String(32), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("to_move", sa.String(64)),
        sa.Column("due", sa.Double),
        sa.Column("bot_to_move", sa.Boolean, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.Column("members", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_open", "tables", ["phase", "public", "created"])
    op.create_index("ix_tables_to_move", "tables", ["to_move"])
    for name, column, where in (
        ("ix_tables_due", "due", sa.text("due IS NOT NULL")),
        ("ix_tables_bot", "id", sa.text("bot_to_move")),
    ):
        op.create_index(name, "tables", [column], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("person", sa.String(64)),
        sa.Column("command_id", sa.String(64)),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        _belongs_to_table("events"),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
        sa.UniqueConstraint("person", "table_id", "command_id", "part", name="uq_events_command"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "members",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        _belongs_to_table("members"),
        sa.PrimaryKeyConstraint("person", "table_id", name="pk_members"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_members_table_id", "members", ["table_id"])


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("login", sa.String(64)),
        sa.Column("password_hash", sa.String(256)),
        sa.Column("email", sa.String(254)),
        sa.Column("mail", sa.Boolean, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("erased", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("login", name="uq_people_login"),
    )
    op.create_index("ix_people_seen", "people", ["seen"])
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person", "players", name="pk_ratings"),
    )
    op.create_table(
        "mails",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("turn", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        _belongs_to_table("mails"),
        sa.PrimaryKeyConstraint("table_id", "turn", "person", name="pk_mails"),
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("rules", sa.String(128), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("finished", sa.Double, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        _belongs_to_table("results"),
        sa.PrimaryKeyConstraint("table_id", name="pk_results"),
    )
    op.create_table(
        "result_seats",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("person", sa.String(64)),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("bot", sa.String(64)),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("left", sa.Boolean, nullable=False),
        sa.Column("finished", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["results.table_id"], name="fk_result_seats_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_result_seats"),
    )
    op.create_index("ix_result_seats_person", "result_seats", ["person", "finished"])


def _belongs_to_table(name: str) -> sa.ForeignKeyConstraint:
    """Return a foreign key that deletes the row with its table."""
    return sa.ForeignKeyConstraint(
        ["table_id"], ["tables.id"], name=f"fk_{name}_table_id", ondelete="CASCADE"
    )
