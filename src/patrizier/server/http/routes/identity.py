"""Who I am: a guest with a name, or an account."""

from fastapi import APIRouter, Request, Response

from patrizier.server.errors import Declined
from patrizier.server.http.context import Here, Parts, Visitor, Who, language_of
from patrizier.server.http.limits import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.names import check_email, fold_login
from patrizier.server.people.identity import Identity
from patrizier.server.protocol.messages import (
    EraseBody,
    MailBody,
    Me,
    NameBody,
    NewPasswordBody,
    PasswordBody,
    alias_of,
)
from patrizier.server.protocol.rest import SHORTEST_PASSWORD
from patrizier.server.reasons import Reason
from patrizier.server.store.rows import Person

router = APIRouter(prefix="/api", tags=["people"], responses=PROBLEMS)


@router.get("/me")
async def me(here: Here, who: Who) -> Me:
    """Tell who I am; a newcomer becomes a guest."""
    return _tell(here, who.person, who.identity)


@router.put("/me/name")
async def rename(body: NameBody, here: Here, who: Who) -> Me:
    """Change my name, at all tables that are not finished too."""
    person = await here.people.rename(who.person, body.name)
    await here.service.rename(person.id, person.name)
    return _tell(here, person, who.identity)


@router.put("/me/mail")
async def set_mail(body: MailBody, here: Here, who: Who) -> Me:
    """Ask for "your turn" by e-mail, or stop it. A new address has to be confirmed first."""
    person = who.person
    if body.email is None or body.email == person.email:
        person = await here.people.set_mail(person, body.email, body.wanted)
    else:
        address = check_email(body.email)
        if here.mailer is None:
            raise Declined(409, Reason.NO_MAIL)
        await here.people.keep(person)
        if not await here.mailer.ask(person.id, address):
            raise Declined(429, Reason.MAIL_SENT)
    return _tell(here, person, who.identity)


@router.post("/account", status_code=201)
async def open_account(body: PasswordBody, request: Request, here: Here, who: Who) -> Me:
    """Open an account for the guest I am: all my games come along."""
    here.limits.check("account", address_of(request))
    _check_new(body.password)
    person = await here.people.open_account(who.person, body.name, body.password)
    return _tell(here, person, who.identity)


@router.put("/account/password")
async def change_password(
    body: NewPasswordBody, request: Request, response: Response, here: Here, who: Who
) -> Me:
    """Set another password; all other devices are signed out."""
    here.limits.check("sign-in", f"login {who.person.id}")
    _check_new(body.new)
    person = await here.people.change_password(who.person, body.old, body.new)
    return _become(here, request, response, person, who.identity.guest)


@router.post("/session")
async def sign_in(
    body: PasswordBody, request: Request, response: Response, here: Here, who: Who
) -> Me:
    """Sign in to an account. It takes my games along; the guest I was waits until I sign out."""
    here.limits.check("sign-in", address_of(request))
    here.limits.check("sign-in", f"login {fold_login(body.name)}")
    person = await here.people.sign_in(body.name, body.password)
    if who.person.login is None:
        await here.service.take_along(who.person.id, person.id, person.name)
    return _become(here, request, response, person, _guest_of(who))


@router.delete("/session")
async def sign_out(request: Request, response: Response, here: Here, who: Who) -> Me:
    """Sign out here, and be the guest of before again."""
    if who.person.login is None:
        raise Declined(409, Reason.NO_ACCOUNT)
    return await _go_back(here, request, response, who)


@router.delete("/sessions")
async def sign_out_everywhere(request: Request, response: Response, here: Here, who: Who) -> Me:
    """Sign out on all devices."""
    if who.person.login is None:
        raise Declined(409, Reason.NO_ACCOUNT)
    await here.people.sign_out_everywhere(who.person)
    return await _go_back(here, request, response, who)


@router.post("/me/erase")
async def erase(body: EraseBody, request: Request, response: Response, here: Here, who: Who) -> Me:
    """Delete my data. Seats are left; finished games stay, without my name."""
    here.limits.check("sign-in", f"login {who.person.id}")
    await here.people.erase(who.person, body.password)
    return await _go_back(here, request, response, who)


def _tell(here: Parts, person: Person, identity: Identity) -> Me:
    return Me(
        name=person.name,
        alias=alias_of(person.name, person.id),
        account=person.login,
        email=person.email,
        mail_wanted=person.mail,
        token=here.signatures.token(identity),
    )


def _become(
    here: Parts, request: Request, response: Response, person: Person, guest: str | None
) -> Me:
    """Give the browser another identity."""
    identity = Identity(person.id, person.epoch, guest)
    here.signatures.remember(response, request, identity)
    return _tell(here, person, identity)


async def _go_back(here: Parts, request: Request, response: Response, who: Visitor) -> Me:
    """Make the browser the guest of before, or a new one."""
    guest = who.identity.guest
    person = await here.people.of(Identity(guest)) if guest else None
    if person is None or person.login is not None:  # the guest has become an account since
        person = here.people.newcomer(language_of(request))
    return _become(here, request, response, person, None)


def _guest_of(who: Visitor) -> str | None:
    return who.person.id if who.person.login is None else who.identity.guest


def _check_new(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise Declined(422, Reason.WEAK_PASSWORD, least=SHORTEST_PASSWORD)
