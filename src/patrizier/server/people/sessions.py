"""Sessions of accounts: one revocable token per browser."""

import secrets
from collections.abc import Callable, Sequence

from patrizier.server.errors import Declined
from patrizier.server.logs import log
from patrizier.server.reasons import Reason
from patrizier.server.store.base import PasswordChanged, SessionStore
from patrizier.server.store.rows import Person, Session

from .identity import Identity, session_id

MOST = 20  # sessions per account; the longest unused ends
UNUSED = 400 * 24 * 3600.0  # seconds without use until a session expires
_SEEN_EVERY = 600.0  # seconds: precision of the last use


class Sessions:
    """Starts and ends sessions, and reports those that end."""

    def __init__(
        self,
        store: SessionStore,
        now: Callable[[], float],
        tell: Callable[[Sequence[str]], None] = lambda _ids: None,
    ) -> None:
        self._store = store
        self._now = now
        self._tell = tell  # with the ids of ended sessions

    async def begin(self, person: Person, device: str) -> str:
        """Start a session; return its token, of which only a hash is stored."""
        token, now = secrets.token_urlsafe(24), self._now()
        session = Session(session_id(token), person.id, device, began=now, seen=now)
        try:
            ended = await self._store.add(session, person.password_hash or "", MOST)
        except PasswordChanged:
            raise Declined(403, Reason.WRONG_PASSWORD) from None
        self._tell(ended)
        return token

    async def find(self, identity: Identity) -> Session | None:
        """Return the session that a cookie belongs to, unless it has ended."""
        if identity.session is None:
            return None
        session = await self._store.get(identity.key)
        now = self._now()
        if session is None or session.person != identity.person or now - session.seen > UNUSED:
            return None
        if now - session.seen > _SEEN_EVERY:
            try:
                await self._store.seen(session.id, now)
            except Exception:  # reading must work without a writable store
                log.warning("a session's use could not be stored", exc_info=True)
        return session

    async def of(self, person: Person) -> list[Session]:
        """Return a person's sessions, the last used first."""
        oldest = self._now() - UNUSED
        return [each for each in await self._store.of(person.id) if each.seen >= oldest]

    async def end(self, person: Person, *, only: str | None = None, but: str | None = None) -> None:
        """End a person's sessions: all, one, or all but one (by id)."""
        self._tell(await self._store.end(person.id, only=only, but=but))

    async def sweep(self) -> None:
        """Delete expired sessions."""
        await self._store.forget(self._now() - UNUSED)
