"""Friends, invitations, avatars, hiding from leaderboards, and games to watch."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this version."""
    op.add_column(
        "tables", sa.Column("watched", sa.Boolean, nullable=False, server_default=sa.false())
    )
    watched = sa.column("watched", sa.Boolean)
    op.create_index(
        "ix_tables_watched", "tables", ["updated"], sqlite_where=watched, postgresql_where=watched
    )
    op.add_column("people", sa.Column("avatar", sa.String(16), nullable=False, server_default=""))
    op.add_column(
        "people", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true())
    )
    op.add_column("people", sa.Column("friend_code", sa.String(64)))
    op.create_index("ix_people_friend_code", "people", ["friend_code"], unique=True)
    op.create_index("ix_ratings_players", "ratings", ["players"])
    op.create_table(
        "friends",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("friend", sa.String(64), nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        *_people("friends", "person", "friend"),
        sa.PrimaryKeyConstraint("person", "friend", name="pk_friends"),
    )
    op.create_index("ix_friends_friend", "friends", ["friend"])
    op.create_table(
        "invitations",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        *_people("invitations", "person", "host"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_invitations_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person", "table_id", name="pk_invitations"),
    )
    op.create_index("ix_invitations_table_id", "invitations", ["table_id"])
    op.create_index("ix_invitations_host", "invitations", ["host"])


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("invitations")
    op.drop_table("friends")
    op.drop_index("ix_ratings_players", "ratings")
    op.drop_index("ix_people_friend_code", "people")
    for name in ("friend_code", "listed", "avatar"):
        op.drop_column("people", name)
    op.drop_index("ix_tables_watched", "tables")
    op.drop_column("tables", "watched")


def _people(table: str, *columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], ["people.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
        )
        for column in columns
    ]
