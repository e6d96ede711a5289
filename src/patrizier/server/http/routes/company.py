"""Friends and invitations.

Reading makes no guest: the page asks for /me at the same time, and of two new guests one is lost.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from patrizier.server.errors import Declined
from patrizier.server.http.answers.listings import friend_line, invitation_line
from patrizier.server.http.context import Here, MaybeWho, Parts, Who
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import (
    FriendBody,
    FriendCode,
    FriendId,
    FriendLink,
    FriendList,
    InvitationList,
    InviteBody,
    Invited,
    Stranger,
    alias_of,
    avatar_of,
)
from patrizier.server.reasons import Reason
from patrizier.server.store.rows import Person
from patrizier.server.table.commands import Refused
from patrizier.server.table.seats import held_by, people
from patrizier.server.table.table import Table

from .tables import TablePath

router = APIRouter(prefix="/api", tags=["company"], responses=PROBLEMS)

Code = Annotated[FriendCode, Path(description="From the link.")]
Handle = Annotated[FriendId, Path(description="From my list.")]


@router.get("/friends", summary="List my friends")
async def list_friends(here: Here, who: MaybeWho) -> FriendList:
    """List my friends, and who would like to be."""
    return await _list(here, who.person) if who else FriendList(friends=())


@router.post("/friends", summary="Send a friend request")
async def request_friend(body: FriendBody, here: Here, who: Who) -> FriendList:
    """Send a friend request to somebody I have played with; accept theirs if there is one."""
    here.limits.check("friend", who.person.id)
    table = await _mine(here, body.table, who.person.id)
    other = table.seats[body.seat].person if body.seat < len(table.seats) else None
    if other is None:
        raise Declined(404, Reason.NO_FRIEND)
    await here.people.keep(who.person)
    await here.friends.ask(who.person.id, other)
    return await _list(here, who.person)


@router.put("/friends/{friend}", summary="Accept a friend request")
async def accept_friend(friend: Handle, here: Here, who: Who) -> FriendList:
    """Agree to be friends with somebody who has asked."""
    here.limits.check("friend", who.person.id)
    other = await here.friends.find(who.person.id, friend)
    await here.friends.ask(who.person.id, other.id)
    return await _list(here, who.person)


@router.delete("/friends/{friend}", summary="Remove a friend")
async def remove_friend(friend: Handle, here: Here, who: Who) -> FriendList:
    """Remove somebody from my list, or decline; I am removed from theirs."""
    await here.friends.remove(who.person.id, friend)
    return await _list(here, who.person)


@router.post("/my/friend-link", summary="Get my friend link")
async def get_friend_link(here: Here, who: Who) -> FriendLink:
    """Return my link's code: whoever opens the link and agrees is my friend."""
    here.limits.check("friend", who.person.id)
    person = await here.people.keep(who.person)
    return FriendLink(code=await here.friends.code(person))


@router.delete("/my/friend-link", summary="Replace my friend link")
async def replace_friend_link(here: Here, who: Who) -> FriendLink:
    """End my link, and return the code of a new one."""
    here.limits.check("friend", who.person.id)
    person = await here.people.keep(who.person)
    return FriendLink(code=await here.friends.code(person, anew=True))


@router.get("/friend-links/{code}", summary="Get the owner of a friend link")
async def find_friend_link(code: Code, request: Request, here: Here, who: MaybeWho) -> Stranger:
    """Return whose link this is."""
    here.limits.check("friend-link", address_of(request))
    me = who.person if who else None
    return await _stranger(here, me, await here.friends.by_code(code))


@router.post("/friend-links/{code}", summary="Become friends by a link")
async def follow_friend_link(code: Code, request: Request, here: Here, who: Who) -> Stranger:
    """Become friends with the person whose link this is."""
    here.limits.check("friend-link", address_of(request))
    other = await here.friends.by_code(code)
    await here.people.keep(who.person)
    await here.friends.befriend(who.person.id, other.id)
    return await _stranger(here, who.person, other)


@router.get("/my/invitations", summary="List my invitations")
async def list_my_invitations(here: Here, who: MaybeWho) -> InvitationList:
    """List the tables to which I am invited."""
    if who is None:
        return InvitationList(invitations=())
    me = who.person.id
    found = await here.store.invitations.of(me)
    waiting = [each for each in found if all(seat.person != me for seat in each.table.seats)]
    return InvitationList(invitations=tuple(invitation_line(each, me) for each in waiting))


@router.delete("/my/invitations/{table}", summary="Decline an invitation")
async def decline_invitation(table: TablePath, here: Here, who: Who) -> InvitationList:
    """Decline an invitation; I am not invited to this table again."""
    await here.store.invitations.decline(table, who.person.id)
    return await list_my_invitations(here, who)


@router.get("/tables/{table}/invitations", summary="List the friends invited to a table")
async def list_invited(table: TablePath, here: Here, who: MaybeWho) -> Invited:
    """Return which of my friends were invited to a table of mine."""
    if who is None:
        raise Refused(Reason.NOT_SEATED)
    await _mine(here, table, who.person.id)
    return await _invited(here, table, who.person.id)


@router.post("/tables/{table}/invitations", summary="Invite friends to a table")
async def invite(table: TablePath, body: InviteBody, here: Here, who: Who) -> Invited:
    """Invite a friend to a table of mine, or everybody with whom I played at another one."""
    me = who.person.id
    here.limits.check("invite", me)
    found = await _mine(here, table, me)
    if found.phase != "open":
        raise Refused(Reason.GAME_STARTED)
    for person in await _guests(here, body, me):
        if person != me and person not in people(found.seats):
            await here.store.invitations.add(table, me, person, here.now())
    return await _invited(here, table, me)


async def _guests(here: Parts, body: InviteBody, me: str) -> tuple[str, ...]:
    """Return the people to invite."""
    if body.friend is not None:
        friend = await here.friends.find(me, body.friend)
        if not (friend.asked and friend.wants):
            raise Declined(403, Reason.NOT_FRIENDS)
        return (friend.id,)
    if body.again is None:
        raise Declined(422, Reason.NO_FRIEND)
    before = await _mine(here, body.again, me)
    return people(before.seats) if before.phase == "finished" else ()


async def _mine(here: Parts, table: str, me: str) -> Table:
    """Return a table that is mine, or at which I sit."""
    found = await here.service.tables.get(table)
    if found.host != me and not held_by(found.seats, me):
        raise Refused(Reason.NOT_SEATED)
    return found


async def _invited(here: Parts, table: str, me: str) -> Invited:
    asked = await here.store.invitations.invited(table)
    mine = [each.id for each in await here.friends.of(me) if each.id in asked]
    handles = tuple(here.friends.handle(me, each) for each in mine)
    return Invited(friends=handles, people=len(asked))


async def _list(here: Parts, person: Person) -> FriendList:
    found = await here.friends.of(person.id)
    return FriendList(
        friends=tuple(friend_line(each, here.friends.handle(person.id, each.id)) for each in found)
    )


async def _stranger(here: Parts, me: Person | None, other: Person) -> Stranger:
    friends = await here.friends.of(me.id) if me else ()
    known = [each for each in friends if each.id == other.id]
    return Stranger(
        name=other.name,
        alias=alias_of(other.name, other.id),
        avatar=avatar_of(other.avatar),
        you=me is not None and other.id == me.id,
        friends=any(each.asked and each.wants for each in known),
    )
