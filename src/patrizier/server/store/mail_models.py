"""The table of mails that wait to be sent."""

from sqlalchemy import Column, Double, Index, Integer, String, Table

from .models import metadata

mail_queue = Table(
    "mail_queue",
    metadata,
    Column("key", String(256), primary_key=True),
    Column("person", String(64), nullable=False),
    Column("address", String(254), nullable=False),  # empty once it is done
    Column("table_id", String(64), nullable=False),
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
