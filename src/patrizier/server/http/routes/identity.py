"""Who I am: a guest with a name, or an account."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from patrizier.server.errors import Declined
from patrizier.server.http.context import Here, Parts, Visitor, Who, guest_again, language_of
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.names import check_email, fold_login
from patrizier.server.people.devices import device_of
from patrizier.server.people.identity import Identity
from patrizier.server.protocol.messages import (
    EraseBody,
    MailBody,
    Me,
    NameBody,
    NewPasswordBody,
    PasswordBody,
    ProfileBody,
    SessionLine,
    SessionList,
    alias_of,
    avatar_of,
)
from patrizier.server.protocol.rest import SHORTEST_PASSWORD
from patrizier.server.reasons import Reason
from patrizier.server.store.rows import Person

router = APIRouter(prefix="/api", tags=["people"], responses=PROBLEMS)

SessionId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="From the list.")]


@router.get("/me", summary="Get who I am")
async def get_me(here: Here, who: Who) -> Me:
    """Return who I am; a newcomer becomes a guest."""
    return _tell(here, who.person, who.identity)


@router.put("/me/name", summary="Change my name")
async def set_name(body: NameBody, here: Here, who: Who) -> Me:
    """Change my name, also at unfinished tables."""
    here.limits.check("rename", who.person.id)
    person = await here.people.rename(who.person, body.name)
    await here.service.rename(person.id, person.name)
    return _tell(here, person, who.identity)


@router.put("/me/profile", summary="Choose my avatar and privacy")
async def set_profile(body: ProfileBody, here: Here, who: Who) -> Me:
    """Choose an avatar, or whether leaderboards show me."""
    here.limits.check("rename", who.person.id)
    person = await here.people.set_profile(who.person, body.avatar, body.listed)
    if body.avatar is not None:
        await here.service.rename(person.id, person.name, person.avatar)
    return _tell(here, person, who.identity)


@router.put("/me/mail", summary="Turn e-mails on or off")
async def set_mail(body: MailBody, request: Request, here: Here, who: Who) -> Me:
    """Turn "your turn" e-mails on or off. A new address must be confirmed first."""
    person = who.person
    if body.email is None or body.email == person.email:
        person = await here.people.set_mail(person, body.email, body.wanted)
    else:
        address = check_email(body.email)
        if here.mailer is None:
            raise Declined(409, Reason.NO_MAIL)
        here.limits.check("mail", address_of(request))
        here.limits.check("all mails", "")
        await here.people.keep(person)
        if not await here.mailer.ask(person.id, address):
            raise Declined(429, Reason.MAIL_SENT)
    return _tell(here, person, who.identity)


@router.post("/account", status_code=201, summary="Create an account")
async def open_account(
    body: PasswordBody, request: Request, response: Response, here: Here, who: Who
) -> Me:
    """Create an account from the guest, keeping all games."""
    here.limits.check("account", address_of(request))
    _check_new(body.password)
    here.guesses.hashing(address_of(request))
    person = await here.people.open_account(who.person, body.name, body.password)
    here.sockets.recheck([who.identity.key])  # the guest's cookie is no longer valid
    return await _enter(here, request, response, person, None)


@router.put("/account/password", summary="Change my password")
async def change_password(
    body: NewPasswordBody, request: Request, response: Response, here: Here, who: Who
) -> Me:
    """Set another password; all other devices are signed out."""
    _check_signed_in(who)
    _check_new(body.new)
    with here.guesses.by_known(who.identity.key):
        person = await here.people.change_password(who.person, body.old, body.new)
    return await _enter(here, request, response, person, who.identity.guest)


@router.post("/session", summary="Sign in")
async def sign_in(
    body: PasswordBody, request: Request, response: Response, here: Here, who: Who
) -> Me:
    """Sign in to an account. It takes over my guest's games; signing out returns to the guest."""
    login = fold_login(body.name)
    device = here.devices.find(request, login)
    guesses = here.guesses
    with (
        guesses.by_known(f"{device} {login}")
        if device
        else guesses.by_stranger(address_of(request), login)
    ):
        person = await here.people.sign_in(login, body.password, known=device is not None)
    if who.person.login is None:
        await here.service.take_along(who.person.id, person.id, person.name)
    else:
        await here.sessions.end(who.person, only=who.identity.key)
    return await _enter(here, request, response, person, _guest_of(who))


@router.delete("/session", summary="Sign out")
async def sign_out(request: Request, response: Response, here: Here, who: Who) -> Me:
    """Sign out in all browsers; this one becomes the guest it was before signing in.

    Guests cannot sign out: without the cookie their games would be lost. They can delete their
    data instead.
    """
    _check_signed_in(who)
    await here.sessions.end(who.person)
    return await _go_back(here, request, response, who)


@router.get("/sessions", summary="List my sessions")
async def list_sessions(here: Here, who: Who) -> SessionList:
    """List the browsers in which I am signed in, the last used first."""
    _check_signed_in(who)
    return await _sessions(here, who)


@router.delete("/sessions/others", summary="End my other sessions")
async def end_other_sessions(here: Here, who: Who) -> SessionList:
    """Sign out in all browsers but this one."""
    _check_signed_in(who)
    await here.sessions.end(who.person, but=who.identity.key)
    return await _sessions(here, who)


@router.delete("/sessions/{session}", summary="End one of my sessions")
async def end_session(session: SessionId, here: Here, who: Who) -> SessionList:
    """End one of my sessions; others stay signed in."""
    _check_signed_in(who)
    await here.sessions.end(who.person, only=session)
    return await _sessions(here, who)


@router.post("/me/erase", summary="Delete my data")
async def erase_me(
    body: EraseBody, request: Request, response: Response, here: Here, who: Who
) -> Me:
    """Delete my data. Seats are left; finished games stay, without my name."""
    with here.guesses.by_known(who.identity.key):
        await here.people.erase(who.person, body.password)
    here.devices.forget(response, request)
    here.sockets.recheck([who.identity.key])
    return await _go_back(here, request, response, who)


def _tell(here: Parts, person: Person, identity: Identity) -> Me:
    return Me(
        name=person.name,
        alias=alias_of(person.name, person.id),
        account=person.login,
        email=person.email,
        mail_wanted=person.mail,
        avatar=avatar_of(person.avatar),
        listed=person.listed,
        token=here.signatures.token(identity),
    )


async def _sessions(here: Parts, who: Visitor) -> SessionList:
    lines = (
        SessionLine(
            id=each.id,
            device=each.device,
            here=each.id == who.identity.key,
            began=each.began,
            seen=each.seen,
        )
        for each in await here.sessions.of(who.person)
    )
    return SessionList(sessions=tuple(lines))


def _become(here: Parts, request: Request, response: Response, person: Person, be: Identity) -> Me:
    """Give the browser another identity."""
    here.signatures.remember(response, request, be)
    return _tell(here, person, be)


async def _enter(
    here: Parts, request: Request, response: Response, account: Person, guest: str | None
) -> Me:
    """Sign the browser in to an account, with a token that nobody knew before."""
    assert account.login is not None, "only an account has a session"
    here.devices.remember(response, request, account.login)
    device = device_of(request.headers.get("user-agent", ""))
    token = await here.sessions.begin(account, device)
    return _become(here, request, response, account, Identity(account.id, token, guest))


async def _go_back(here: Parts, request: Request, response: Response, who: Visitor) -> Me:
    """Make the browser the guest it was before signing in, or a new one."""
    back = await guest_again(request)
    person = back.person if back else here.people.newcomer(language_of(request))
    return _become(here, request, response, person, Identity(person.id))


def _guest_of(who: Visitor) -> str | None:
    return who.person.id if who.person.login is None else who.identity.guest


def _check_signed_in(who: Visitor) -> None:
    if who.person.login is None:
        raise Declined(409, Reason.NO_ACCOUNT)


def _check_new(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise Declined(422, Reason.WEAK_PASSWORD, least=SHORTEST_PASSWORD)
