"""The tables of the database. Migrations create them; a test compares both."""

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ID = String(64)


def _table_id() -> Column[str]:
    return Column("table_id", _ID, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


tables = Table(
    "tables",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("seq", Integer, nullable=False),  # of the last event
    Column("phase", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("host", _ID, nullable=False, server_default=""),  # the person who manages it
    Column("pace", String(32), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("to_move", _ID),  # the person whose turn it is
    Column("due", Double),  # next deadline
    Column("bot_to_move", Boolean, nullable=False),  # even with nobody present
    Column("settled", Boolean, nullable=False),  # its result is stored
    Column("watched", Boolean, nullable=False, server_default=false()),  # listed for watchers
    Column("members", Text, nullable=False),  # ids of seated people, sorted
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("summary", Text, nullable=False),  # TableSummary as JSON
)
Index("ix_tables_open", tables.c.phase, tables.c.public, tables.c.created)
Index("ix_tables_due", tables.c.due, sqlite_where=tables.c.due.is_not(None),
      postgresql_where=tables.c.due.is_not(None))  # fmt: skip
Index("ix_tables_bot", tables.c.id, sqlite_where=tables.c.bot_to_move,
      postgresql_where=tables.c.bot_to_move)  # fmt: skip
Index("ix_tables_watched", tables.c.updated, sqlite_where=tables.c.watched,
      postgresql_where=tables.c.watched)  # fmt: skip
Index("ix_tables_to_move", tables.c.to_move)
Index("ix_tables_host", tables.c.host, tables.c.phase)

pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 1
    Column("at", Double, nullable=False),  # last heartbeat of any server
)

events = Table(
    "events",
    metadata,
    _table_id(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("person", _ID),
    Column("command_id", _ID),
    Column("part", Integer, nullable=False),  # number of the event within its command
    Column("body", Text, nullable=False),  # the event as JSON
    # Person first, so that the index also finds all events of a person.
    UniqueConstraint("person", "table_id", "command_id", "part", name="uq_events_command"),
    sqlite_with_rowid=False,
)

members = Table(
    "members",
    metadata,
    Column("person", _ID, primary_key=True),
    _table_id(),
    Index("ix_members_table_id", "table_id"),
    sqlite_with_rowid=False,
)

people = Table(
    "people",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Column("login", String(64), unique=True),
    Column("password_hash", String(256)),
    Column("email", String(254)),
    Column("mail", Boolean, nullable=False),
    Column("language", String(8), nullable=False, server_default=""),
    Column("erased", Boolean, nullable=False),
    Column("avatar", String(16), nullable=False, server_default=""),  # a drawing of ours
    Column("listed", Boolean, nullable=False, server_default=true()),  # in leaderboards
    Column("friend_code", _ID),  # in the link that makes friends; None: no link yet
)
Index("ix_people_seen", people.c.seen)
Index("ix_people_friend_code", people.c.friend_code, unique=True)

sessions = Table(
    "sessions",
    metadata,
    Column("id", _ID, primary_key=True),  # hash of the token
    Column("person", _ID, ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("device", String(64), nullable=False),
    Column("began", Double, nullable=False),
    Column("seen", Double, nullable=False),
)
Index("ix_sessions_person", sessions.c.person)
Index("ix_sessions_seen", sessions.c.seen)

results = Table(
    "results",
    metadata,
    _table_id(),
    Column("players", Integer, nullable=False),
    Column("rules", String(128), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("finished", Double, nullable=False),
    Column("record", Text, nullable=False),
)

result_seats = Table(
    "result_seats",
    metadata,
    Column("table_id", _ID, ForeignKey("results.table_id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", _ID),
    Column("name", String(64), nullable=False),
    Column("bot", String(64)),
    Column("points", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("left", Boolean, nullable=False),
    Column("finished", Double, nullable=False),  # duplicated, to sort a person's games by index
)
Index("ix_result_seats_person", result_seats.c.person, result_seats.c.finished)

ratings = Table(
    "ratings",
    metadata,
    Column("person", _ID, primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
)

Index("ix_ratings_players", ratings.c.players)

# A row for each direction: people are friends once both rows are there.
friends = Table(
    "friends",
    metadata,
    Column("person", _ID, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("friend", _ID, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("since", Double, nullable=False),
    Index("ix_friends_friend", "friend"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("person", _ID, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    _table_id(),
    Column("host", _ID, ForeignKey("people.id", ondelete="CASCADE"), nullable=False),  # who invites
    Column("at", Double, nullable=False),
    Column("declined", Boolean, nullable=False),  # kept, so that nobody is asked twice
    Index("ix_invitations_table_id", "table_id"),
    Index("ix_invitations_host", "host"),
)

mail_queue = Table(
    "mail_queue",
    metadata,
    Column("key", String(256), primary_key=True),
    Column("person", _ID, nullable=False),
    Column("address", String(254), nullable=False),  # empty once done
    Column("table_id", _ID, nullable=False),  # empty: not about a table
    Column("turn", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("due", Double),  # when to try next; None: done
)
Index(
    "ix_mail_queue_due",
    mail_queue.c.due,
    sqlite_where=mail_queue.c.due.is_not(None),
    postgresql_where=mail_queue.c.due.is_not(None),
)
Index("ix_mail_queue_turn", mail_queue.c.table_id, mail_queue.c.turn, mail_queue.c.person)

analyses = Table(
    "analyses",
    metadata,
    Column("key", String(96), primary_key=True),  # hash of the game, analyser's version, settings
    Column("record", Text, nullable=False),  # the game, without names
    Column("deep", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("taken", Double),  # locked by a server until then; null: not locked
    Column("tries", Integer, nullable=False),  # attempts so far
    Column("turns", Integer, nullable=False),
    Column("judged", Integer, nullable=False),  # turns
    Column("done", Boolean, nullable=False),
    Column("body", Text, nullable=False),  # the analysis so far: base64 of gzipped JSON
)
Index("ix_analyses_waiting", analyses.c.created, sqlite_where=~analyses.c.done,
      postgresql_where=~analyses.c.done)  # fmt: skip

puzzle_solvers = Table(
    "puzzle_solvers",
    metadata,
    Column("person", _ID, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("tries", Integer, nullable=False),  # puzzles that were tried
    Column("streak", Integer, nullable=False),  # solved, one after the other
    Column("best", Integer, nullable=False),  # the longest such streak
    Column("day", Integer, nullable=False),  # the last whose puzzle was solved, since 1970
    Column("days", Integer, nullable=False),  # up to then, one after the other
    sqlite_with_rowid=False,
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", _ID, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("tries", Integer, nullable=False),  # people who have tried it
    sqlite_with_rowid=False,
)

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("person", _ID, primary_key=True),
    Column("puzzle", _ID, primary_key=True),
    Column("times", Integer, nullable=False),
    Column("solved", Boolean, nullable=False),  # the last time
    Column("at", Double, nullable=False),  # the last time
    sqlite_with_rowid=False,
)

analysis_requests = Table(
    "analysis_requests",
    metadata,
    Column("person", _ID, primary_key=True),
    Column("key", String(96), primary_key=True),  # of an analysis, which may be cancelled by now
    Column("at", Double, nullable=False),
    Column("open", Boolean, nullable=False),  # still waiting for it
    Column("counts", Boolean, nullable=False),  # had to be computed: counts against the limit
    Index("ix_analysis_requests_key", "key"),
    sqlite_with_rowid=False,
)

kept_lines = Table(
    "kept_lines",
    metadata,
    Column("id", String(32), primary_key=True),  # random, as in the link
    Column("person", _ID, nullable=False),  # who kept them
    Column("at", Double, nullable=False),
    Column("study", Text, nullable=False),  # record and lines, as packed by the page
    Index("ix_kept_lines_person", "person", "at"),
)
