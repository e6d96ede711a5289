"""Runs migrations on the connection that `migrate` hands over."""

from alembic import context

from patrizier.server.store.models import metadata


def run() -> None:
    """Run the migrations; the caller owns the transaction."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads this file
    run()
