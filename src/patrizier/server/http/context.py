"""The parts of a running server, as dependencies of routes."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from patrizier.bots.warmup import RULES
from patrizier.kernels.preparation import Preparation
from patrizier.options import Options
from patrizier.printing.paper import PaperName
from patrizier.printing.sheet import What
from patrizier.server.http.limits.guesses import Guesses
from patrizier.server.http.limits.open_sockets import OpenSockets
from patrizier.server.http.limits.rates import Limits, address_of
from patrizier.server.language import COOKIE, DEFAULT, Language, preferred
from patrizier.server.people.accounts import People
from patrizier.server.people.friends import Friends
from patrizier.server.people.identity import Identity, Signatures
from patrizier.server.people.known_devices import KnownDevices
from patrizier.server.people.sessions import Sessions
from patrizier.server.settings import Settings
from patrizier.server.store.rows import Person

from .metrics import Metrics

if TYPE_CHECKING:
    from patrizier.server.http.answers.insights import Insights
    from patrizier.server.jobs.analyses import Analyses
    from patrizier.server.mail.mailer import Addresses, Mailer
    from patrizier.server.puzzles.progress import Progress
    from patrizier.server.runtime.presence import Presence
    from patrizier.server.runtime.service import TableService
    from patrizier.server.store.sql import SqlStore
    from patrizier.server.workers.guest_bots import GuestBot


@dataclass(slots=True)
class Parts:
    """The parts that routes use."""

    settings: Settings
    signatures: Signatures
    limits: Limits
    metrics: Metrics
    now: Callable[[], float]
    store: "SqlStore"
    people: People
    sessions: Sessions
    sockets: OpenSockets
    preparation: Preparation
    steps_before: Callable[[str, Options], frozenset[str]]  # of the preparation, by level and game
    guest_bots: "Collection[GuestBot]"
    devices: KnownDevices
    guesses: Guesses
    friends: Friends
    service: "TableService"
    presence: "Presence"
    waiting: Callable[[], int]  # how many tables wait for their bot
    analyses: "Analyses"
    insights: "Insights"
    puzzles: "Progress"
    mailer: "Mailer | None"
    addresses: "Addresses"
    make_sheet: Callable[[PaperName, Language, What], bytes]
    most_refused: int  # socket messages in a row before the socket is closed


def parts_of(connection: HTTPConnection) -> Parts:
    """Return the parts of the server behind a request."""
    parts = connection.app.state.parts
    assert isinstance(parts, Parts)
    return parts


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person behind a request, and the identity in their cookie."""

    person: Person
    identity: Identity


def language_of(connection: HTTPConnection) -> Language | None:
    """Return the reader's language, as far as the browser says."""
    chosen = connection.cookies.get(COOKIE, "")
    return preferred(chosen, connection.headers.get("accept-language", ""))


async def recognised(connection: HTTPConnection) -> Visitor | None:
    """Return the visitor; None without a valid cookie."""
    parts = parts_of(connection)
    identity = parts.signatures.identity(connection)
    person = await parts.people.of(identity, language_of(connection)) if identity else None
    return Visitor(person, identity) if person and identity else None


async def guest_again(connection: HTTPConnection) -> Visitor | None:
    """Return the guest that a visitor was before signing in, if their session has ended."""
    parts = parts_of(connection)
    identity = parts.signatures.identity(connection)
    if identity is None or identity.guest is None:
        return None
    guest = Identity(identity.guest)
    person = await parts.people.of(guest, language_of(connection))
    return Visitor(person, guest) if person else None


async def _visitor(request: Request, response: Response) -> Visitor:
    """Return the visitor; a new one becomes a guest."""
    parts = parts_of(request)
    visitor = await recognised(request) or await guest_again(request)
    if visitor is None:
        parts.limits.check("guest", address_of(request))
        person = parts.people.newcomer(language_of(request))
        visitor = Visitor(person, Identity(person.id))
    if visitor.identity.is_stale:
        parts.signatures.remember(response, request, visitor.identity)
    return visitor


def _parts(request: Request) -> Parts:
    return parts_of(request)


async def _maybe_visitor(request: Request) -> Visitor | None:
    return await recognised(request)


def _reads(request: Request) -> Language:
    return language_of(request) or DEFAULT


async def _rules_ready(request: Request) -> None:
    """Wait until the rules are compiled, in another process."""
    await parts_of(request).preparation.wait({RULES})


RulesReady = Depends(_rules_ready)
Here = Annotated[Parts, Depends(_parts)]
Who = Annotated[Visitor, Depends(_visitor)]
Reads = Annotated[Language, Depends(_reads)]
MaybeWho = Annotated[Visitor | None, Depends(_maybe_visitor)]
