"""Guests and accounts: names, passwords, deletion."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from patrizier.server.errors import Declined
from patrizier.server.language import Language, known
from patrizier.server.logs import log
from patrizier.server.names import check_email, fold_login, guest_name, tidy_name
from patrizier.server.reasons import Reason
from patrizier.server.store.base import LoginTaken, PeopleStore
from patrizier.server.store.rows import Person

from .identity import Identity, new_person_id
from .passwords import Passwords
from .sessions import Sessions

SEEN_EVERY = 30.0  # seconds: precision of the last visit


class People:
    """Operations on people. Guests are stored once they do something."""

    def __init__(
        self,
        store: PeopleStore,
        sessions: Sessions,
        passwords: Passwords,
        leave_tables: Callable[[str], Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._sessions = sessions
        self._passwords = passwords
        self._leave_tables = leave_tables  # removes a person from all tables
        self._now = now

    async def of(self, identity: Identity, language: Language | None = None) -> Person | None:
        """Return the person of an identity, and store their language; None if it is not valid."""
        person = await self._store.get(identity.person)
        if person is None:
            return self._guest(identity.person, language) if identity.session is None else None
        if person.erased:
            return None
        # A guest's cookie gives no access to an account, not even to their own later one.
        if person.login is not None and await self._sessions.find(identity) is None:
            return None
        language = language or known(person.language)
        if self._now() - person.seen > SEEN_EVERY:
            try:
                await self._store.seen(person.id, self._now(), language or "")
            except Exception:  # reading must work without a writable store
                log.warning("a visit could not be stored", exc_info=True)
        return replace(person, language=language or "")

    def newcomer(self, language: Language | None = None) -> Person:
        """Return a new guest; nothing is stored yet."""
        return self._guest(new_person_id(), language)

    async def keep(self, person: Person) -> Person:
        """Store a new guest, and the person's language."""
        stored = await self._store.get(person.id)
        if stored is None:
            await self._store.add(person)
        elif stored.language != person.language:
            await self._store.seen(person.id, self._now(), person.language)
        return person

    async def rename(self, person: Person, name: str) -> Person:
        """Give a person another name; raises BadName."""
        return await self._change(person, name=tidy_name(name))

    async def set_profile(
        self, person: Person, avatar: str | None = None, listed: bool | None = None
    ) -> Person:
        """Change what others see of a person; None: as before."""
        wanted = {"avatar": avatar, "listed": listed}
        fields = {name: value for name, value in wanted.items() if value is not None}
        return await self._change(person, **fields) if fields else person

    async def set_mail(self, person: Person, email: str | None, wanted: bool) -> Person:
        """Set or remove the address for "your turn" e-mails; raises BadName."""
        address = check_email(email) if email else None
        return await self._change(person, email=address, mail=wanted)

    async def open_account(self, person: Person, login: str, password: str) -> Person:
        """Turn a guest into an account: the same person, so all games are kept."""
        if person.login is not None:
            raise Declined(409, Reason.HAS_ACCOUNT)
        login = fold_login(login)
        await self._check_common(password, login, person)
        kept = await self._passwords.hash(password)
        try:
            return await self._change(person, login=login, password_hash=kept)
        except LoginTaken:
            raise Declined(409, Reason.LOGIN_TAKEN) from None

    async def sign_in(self, login: str, password: str, *, known: bool = False) -> Person:
        """Return the account of a login and password; ``known``: from a known browser."""
        person = await self._store.by_login(fold_login(login))
        kept = person.password_hash if person else None
        if not await self._passwords.matches(kept, password, known=known) or person is None:
            raise Declined(403, Reason.WRONG_PASSWORD)
        if kept and self._passwords.outdated(kept):
            better = await self._passwords.hash(password, known=True)
            person = await self._change(person, password_hash=better)
        return person

    async def change_password(self, person: Person, old: str, new: str) -> Person:
        """Set a new password; all sessions end."""
        if person.login is None:
            raise Declined(409, Reason.NO_ACCOUNT)
        if not await self._passwords.matches(person.password_hash, old, known=True):
            raise Declined(403, Reason.WRONG_OLD_PASSWORD)
        await self._check_common(new, person.login, person)
        kept = await self._passwords.hash(new, known=True)
        changed = await self._change(person, password_hash=kept)
        await self._sessions.end(person)
        return changed

    async def erase(self, person: Person, password: str | None) -> None:
        """Delete a person's data: seats are left, finished games say "somebody"."""
        if person.login is not None and not await self._passwords.matches(
            person.password_hash, password or "", known=True
        ):
            raise Declined(403, Reason.CONFIRM_PASSWORD)
        await self.keep(person)  # else a copy of the cookie could revive the id
        await self._leave_tables(person.id)
        await self._sessions.end(person)
        await self._store.erase(person.id)

    async def _check_common(self, password: str, login: str, person: Person) -> None:
        if await self._passwords.is_common(password, (login, person.name)):
            raise Declined(422, Reason.COMMON_PASSWORD)

    async def _change(self, person: Person, **fields: object) -> Person:
        changed = replace(person, **fields)  # type: ignore[arg-type]
        if await self._store.get(person.id) is None:
            await self._store.add(changed)
        else:
            # Only these fields: others may have changed since this person was read.
            await self._store.change(person.id, **fields)
        return changed

    def _guest(self, person: str, language: Language | None) -> Person:
        now = self._now()
        return Person(person, guest_name(person), created=now, seen=now, language=language or "")
