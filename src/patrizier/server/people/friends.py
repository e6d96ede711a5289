"""Friends: found by a link or at a table, never by searching.

Nobody gets another person's id. On a list everybody has a handle that only its owner can use.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable

from patrizier.server.errors import Declined
from patrizier.server.reasons import Reason
from patrizier.server.store.base import FriendStore, PeopleStore
from patrizier.server.store.rows import Friend, Person

MOST = 200  # on one list


class Friends:
    """Operations on lists of friends."""

    def __init__(
        self, store: FriendStore, people: PeopleStore, secret: str, now: Callable[[], float]
    ) -> None:
        self._store = store
        self._people = people
        self._key = hmac.digest(secret.encode(), b"patrizier friend", "sha256")
        self._now = now

    def handle(self, person: str, friend: str) -> str:
        """Return the handle under which a person's list names another one."""
        pair = f"{person}~{friend}".encode()
        return hmac.new(self._key, pair, hashlib.sha256).hexdigest()[:24]

    async def of(self, person: str) -> list[Friend]:
        """Return a person's list: pending requests first, then by name."""
        found = await self._store.of(person)
        return sorted(found, key=lambda each: (each.asked, each.name.casefold()))

    async def find(self, person: str, handle: str) -> Friend:
        """Return somebody on a person's list."""
        for each in await self._store.of(person):
            if hmac.compare_digest(self.handle(person, each.id), handle):
                return each
        raise Declined(404, Reason.NO_FRIEND)

    async def ask(self, person: str, other: str) -> None:
        """Send a friend request, or accept theirs."""
        if other == person:
            raise Declined(409, Reason.OWN_FRIEND)
        for side in (person, other):  # a full list is not flooded with requests, either
            known = await self._store.of(side)
            is_new = all(each.id not in (person, other) for each in known)
            if is_new and len(known) >= MOST:
                raise Declined(409, Reason.MANY_FRIENDS, most=MOST)
        await self._store.add(person, other, self._now())

    async def befriend(self, person: str, other: str) -> None:
        """Make two people friends, both of whom have agreed."""
        await self.ask(person, other)
        await self._store.add(other, person, self._now())

    async def remove(self, person: str, handle: str) -> None:
        """Remove two people from each other's lists."""
        await self._store.remove(person, (await self.find(person, handle)).id)

    async def code(self, person: Person, *, anew: bool = False) -> str:
        """Return the code of a stored person's friend link; ``anew`` replaces it."""
        if person.friend_code and not anew:
            return person.friend_code
        code = secrets.token_urlsafe(16)
        await self._people.change(person.id, friend_code=code)
        return code

    async def by_code(self, code: str) -> Person:
        """Return the person whose friend link has this code."""
        person = await self._people.by_friend_code(code)
        if person is None or person.erased:
            raise Declined(404, Reason.NO_FRIEND_LINK)
        return person
