"""The links in mails: what they do, and that others do nothing."""

import pytest

from patrizier.server.mail.links import CONFIRM_WITHIN, MailLinks
from server.support.mailing import ANNA, SECRET, URL, Mailing, PostOffice, token

pytestmark = pytest.mark.anyio


async def test_links_that_are_old_forged_or_of_another_kind_do_nothing(mailing: Mailing) -> None:
    await mailing.store.people.add(ANNA)
    confirm = token(mailing.links.confirm(ANNA.id, "new@example.org"))
    stop = token(mailing.links.stop(ANNA.id))
    other = MailLinks(SECRET + "!", URL, mailing.now)
    forged = token(other.confirm(ANNA.id, "new@example.org"))
    for wrong in (stop, forged, confirm[:-2], "", "x" * 5000, "é.é.é"):
        assert not await mailing.addresses.confirm(wrong)
    for wrong in (confirm, token(other.stop(ANNA.id)), stop[:-2], "", "x" * 5000, "é.é"):
        assert not await mailing.addresses.stop(wrong)
    mailing.time += CONFIRM_WITHIN + 1
    assert not await mailing.addresses.confirm(confirm)
    mailing.time -= 2 * CONFIRM_WITHIN + 2  # no clock is as wrong as that
    assert not await mailing.addresses.confirm(confirm)
    assert await mailing.store.people.get(ANNA.id) == ANNA
    assert not await mailing.addresses.stop(token(mailing.links.stop("nobody")))


async def test_a_link_from_a_server_that_is_ahead_is_good(mailing: Mailing) -> None:
    await mailing.store.people.add(ANNA)
    mailing.time += 3600
    confirm = token(mailing.links.confirm(ANNA.id, "new@example.org"))
    mailing.time -= 3600
    assert await mailing.addresses.confirm(confirm)


async def test_erased_people_get_nothing_and_change_nothing(
    mailing: Mailing, office: PostOffice
) -> None:
    await mailing.store.people.add(ANNA)
    link = mailing.links.confirm(ANNA.id, "new@example.org")
    await mailing.mailer.ask(ANNA.id, "new@example.org")
    await mailing.store.people.erase(ANNA.id)
    assert await mailing.mailer.round() == 0
    assert not await mailing.addresses.confirm(token(link))
    assert not await mailing.addresses.stop(token(mailing.links.stop(ANNA.id)))
