"""What a server is built with: the real collaborators by default, others in tests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from patrizier.printing.paper import PaperName
from patrizier.printing.sheet import What, make
from patrizier.server.deal.dealer import FAIR_DEALER, Dealer
from patrizier.server.http.limits.rates import BODY_TIMEOUT
from patrizier.server.language import Language
from patrizier.server.people.passwords import Passwords
from patrizier.server.runtime.service import new_watch_key
from patrizier.server.runtime.shared_time import SharedTime, TimeSource
from patrizier.server.workers.analyst import Analyst
from patrizier.server.workers.pool import WorkerPool

from .pages.site import DOCS, STATIC
from .socket import MOST_REFUSED

MakeSheet: TypeAlias = Callable[[PaperName, Language, What], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collaborators:
    """What a server is built with, beside its settings."""

    time: TimeSource = field(default_factory=SharedTime)
    dealer: Dealer = FAIR_DEALER
    watch_key: Callable[[], str] = new_watch_key  # makes the secret part of a watchers' link
    passwords: Callable[[], Passwords] = Passwords
    workers: Callable[[int], WorkerPool] = WorkerPool  # from the number of processes
    analyst: Callable[[], Analyst] = Analyst  # analyses games in a process of its own
    make_sheet: MakeSheet = make
    static: Path = STATIC  # the built page
    docs: Path = DOCS  # the built documentation
    body_timeout: float = BODY_TIMEOUT  # seconds
    most_refused: int = MOST_REFUSED  # socket messages in a row
