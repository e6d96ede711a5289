"""Submits a command, from socket or route alike: limited, counted and measured."""

from collections.abc import Sequence

from patrizier.server.protocol.messages import TableMessage
from patrizier.server.reasons import Reason
from patrizier.server.runtime.hub import Subscription
from patrizier.server.store.rows import Person
from patrizier.server.table.commands import Command, Join, Refused, Say
from patrizier.server.table.events import Decided, Stored, TurnPlayed
from patrizier.server.table.table import Table

from .context import Parts, Visitor
from .metrics import Metrics


async def act(
    here: Parts,
    who: Visitor,
    table_id: str,
    command: Command,
    *,
    key: str = "",
    since: int = 0,
    via: Subscription | None = None,
    address: str = "",
) -> TableMessage:
    """Carry out a command; return the table as that person sees it. Raises Refused, TooMuch."""
    person = who.person
    if isinstance(command, Say):
        here.limits.check("say", person.id)
    if isinstance(command, Join):
        here.limits.check("join", person.id)
        here.limits.check("join-network", address)
    if isinstance(command, Join | Say):
        person = await _present(here, who)
    if isinstance(command, Join):
        await here.people.keep(person)
    try:
        with here.metrics.command(command.kind):
            return await here.service.command(
                table_id,
                person.id,
                command,
                name=person.name,
                key=key,
                since=since,
                via=via,
                address=address,
                avatar=person.avatar,
            )
    except Refused as error:
        here.metrics.refused.labels(error.code).inc()
        raise


async def _present(here: Parts, who: Visitor) -> Person:
    """Return the person as stored now: a socket may be older than their name."""
    person = await here.people.of(who.identity)
    if person is None:
        raise Refused(Reason.SIGNED_OUT)
    return person


class TurnCounter:
    """Counts turns for the metrics."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def __call__(self, table: Table, stored: Sequence[Stored]) -> None:
        """Count the turns among newly appended events."""
        for each in stored:
            match each.event:
                case TurnPlayed(by=by):
                    self._metrics.turns.labels(by).inc()
                case Decided(by=by) if table.step == 0:  # the last decision of its turn
                    self._metrics.turns.labels(by).inc()
