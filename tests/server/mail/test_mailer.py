"""Mails for slow games, through a real mail server and a real database."""

import asyncio
from dataclasses import replace
from email.message import EmailMessage

import pytest
from sqlalchemy import select

from patrizier.server.mail.mailer import (
    ASK_MAILBOX_EVERY,
    ASK_MAILBOX_MOST,
    ASK_PERSON_EVERY,
)
from patrizier.server.store.models import mail_queue
from patrizier.server.store.rows import Person
from server.support.mailing import (
    ANNA,
    BEN,
    URL,
    Mailing,
    PostOffice,
    links_in,
    token,
)
from server.support.statements import statements

pytestmark = pytest.mark.anyio


# -- "your turn"


async def test_one_mail_a_turn_with_a_link_that_stops_them(
    mailing: Mailing, office: PostOffice
) -> None:
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    assert await mailing.mailer.round() == 1
    assert await mailing.mailer.round() == 0
    assert await mailing.another(mailing.send).round() == 0  # another process
    (mail,) = office.mails
    assert office.to == ["anna@example.org"]
    assert "Anna" in mail.get_content()
    table, stop = links_in(mail)
    assert table == f"{URL}/t/table-0123456789"
    assert mail["List-Unsubscribe"] == f"<{stop}>"
    assert f"\r\nList-Unsubscribe: <{stop}>\r\n".encode() in office.raw[0]  # in one piece
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["From"] == "Patrizier <turns@patrizier.example>"

    await mailing.table(turn=5)
    assert await mailing.mailer.round() == 1
    mailing.time += 10 * 365 * 24 * 3600  # the link works however old it is
    assert await mailing.addresses.stop(token(stop))
    await mailing.table(turn=7)
    assert await mailing.mailer.round() == 0
    assert len(office.mails) == 2
    person = await mailing.store.people.get(ANNA.id)
    assert person == replace(ANNA, mail=False)


async def test_who_plays_on_at_once_gets_no_mail(mailing: Mailing, office: PostOffice) -> None:
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    mailing.time -= 2
    assert await mailing.mailer.round() == 0
    mailing.time += 2
    assert await mailing.mailer.round() == 1


@pytest.mark.parametrize(
    "person",
    [
        replace(ANNA, email=None),
        replace(ANNA, mail=False),
        replace(ANNA, email="no address at all"),
    ],
)
async def test_nobody_gets_a_mail_without_an_address_or_a_wish(
    mailing: Mailing, office: PostOffice, person: Person
) -> None:
    await mailing.store.people.add(person)
    await mailing.table(turn=3)
    assert await mailing.mailer.round() == 0
    assert office.mails == []


async def test_quick_games_send_none(mailing: Mailing, office: PostOffice) -> None:
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3, pace="realtime:300+5")
    assert await mailing.mailer.round() == 0


# -- failures


async def test_a_mail_that_fails_is_tried_again_later_and_later(
    mailing: Mailing, office: PostOffice
) -> None:
    office.answer = "451 not now"
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    for wait in (60, 300, 1800, 7200, 28800):
        assert await mailing.mailer.round() == 0
        mailing.time += wait - 1
        office.answer = "250 OK"
        assert await mailing.mailer.round() == 0  # too early
        office.answer = "451 not now"
        mailing.time += 1
    office.answer = "250 OK"
    assert await mailing.mailer.round() == 1
    assert len(office.mails) == 1


async def test_in_the_end_a_mail_is_given_up(mailing: Mailing, office: PostOffice) -> None:
    office.answer = "451 not now"
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    for _ in range(6):
        assert await mailing.mailer.round() == 0
        mailing.time += 28800
    office.answer = "250 OK"
    assert await mailing.mailer.round() == 0


async def test_what_the_mail_server_refuses_for_good_is_not_tried_again(
    mailing: Mailing, office: PostOffice
) -> None:
    office.answer = "550 nobody here"
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    assert await mailing.mailer.round() == 0
    office.answer = "250 OK"
    mailing.time += 100_000
    assert await mailing.mailer.round() == 0


async def test_a_mail_that_comes_too_late_to_be_true_is_dropped(
    mailing: Mailing, office: PostOffice
) -> None:
    office.answer = "451 not now"
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    assert await mailing.mailer.round() == 0
    office.answer = "250 OK"
    await mailing.table(turn=4, person=replace(ANNA, id="somebody-else-012345"))
    mailing.time += 60
    assert await mailing.mailer.round() == 0
    assert office.mails == []


async def test_a_process_that_died_with_a_mail_in_hand_costs_only_time(
    mailing: Mailing, office: PostOffice
) -> None:
    async def die(message: EmailMessage) -> None:
        raise KeyboardInterrupt

    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    with pytest.raises(KeyboardInterrupt):
        await mailing.another(die).round()
    assert await mailing.mailer.round() == 0
    mailing.time += 301
    assert await mailing.mailer.round() == 1
    assert await mailing.mailer.round() == 0


async def test_a_round_that_fails_does_not_end_the_work(
    mailing: Mailing, office: PostOffice
) -> None:
    tries = []

    async def broken(message: EmailMessage) -> None:
        tries.append(message)
        mailing.time += 301
        if len(tries) < 3:
            raise ZeroDivisionError
        working.set_result(None)

    working: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    task = asyncio.create_task(mailing.another(broken).run(every=0.01))
    await asyncio.wait_for(working, 10)
    task.cancel()


async def test_who_gives_an_address_is_asked_at_once(mailing: Mailing, office: PostOffice) -> None:
    await mailing.store.people.add(ANNA)
    task = asyncio.create_task(mailing.mailer.run(every=1000))
    await asyncio.sleep(0.05)
    await mailing.mailer.ask(ANNA.id, "new@example.org")
    for _ in range(500):
        if office.mails:
            break
        await asyncio.sleep(0.01)
    assert office.to == ["new@example.org"]
    task.cancel()


async def test_sent_mails_leave_no_address_behind(mailing: Mailing, office: PostOffice) -> None:
    await mailing.store.people.add(ANNA)
    await mailing.table(turn=3)
    assert await mailing.mailer.round() == 1
    rows = await mailing.store.database.read(lambda c: list(c.execute(select(mail_queue))))
    assert len(rows) == 1
    assert "anna@example.org" not in str(rows)
    await mailing.queue.clean(mailing.time + 1)
    assert not await mailing.store.database.read(lambda c: list(c.execute(select(mail_queue))))


# -- addresses


async def test_an_address_is_used_only_after_a_click(mailing: Mailing, office: PostOffice) -> None:
    await mailing.store.people.add(replace(ANNA, email=None, mail=False))
    assert await mailing.mailer.ask(ANNA.id, "new@example.org")
    assert not await mailing.mailer.ask(ANNA.id, "other@example.org")  # not that often
    await mailing.table(turn=3)
    assert await mailing.mailer.round() == 1
    (question,) = office.mails
    assert office.to == ["new@example.org"]
    assert question["List-Unsubscribe"] is None
    (link,) = links_in(question)

    assert await mailing.addresses.confirm(token(link))
    person = await mailing.store.people.get(ANNA.id)
    assert person == replace(ANNA, email="new@example.org", mail=True)
    assert await mailing.mailer.round() == 1
    assert office.to == ["new@example.org"] * 2


async def test_nobody_is_asked_too_often(mailing: Mailing, office: PostOffice) -> None:
    for person in (ANNA, BEN):
        await mailing.store.people.add(person)
    assert await mailing.mailer.ask(ANNA.id, "new@example.org")
    assert await mailing.mailer.round() == 1
    assert await mailing.mailer.ask(BEN.id, "New@example.org")  # is not told, and not written to
    assert not await mailing.mailer.ask(BEN.id, "ben@example.org")  # that was an attempt, too
    assert await mailing.mailer.round() == 0
    mailing.time += ASK_PERSON_EVERY
    assert await mailing.mailer.ask(BEN.id, "ben@example.org")
    assert await mailing.mailer.ask(ANNA.id, "newer@example.org")  # the first had a slip
    assert not await mailing.mailer.ask(ANNA.id, "new@example.org")
    assert await mailing.mailer.round() == 2
    mailing.time += ASK_MAILBOX_EVERY
    assert await mailing.mailer.ask(ANNA.id, "new@example.org")
    assert await mailing.mailer.round() == 1
    assert office.to[:1] + office.to[-1:] == ["new@example.org"] * 2


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [
        ("anna@post.example", "Anna+{}@Post.Example", "an.na@post.example"),
        ("anna@gmail.com", "a.n.n.a+{}@googlemail.com", "anne@gmail.com"),
    ],
)
async def test_a_mailbox_is_not_flooded_by_its_other_addresses(
    mailing: Mailing, office: PostOffice, address: str, same: str, other: str
) -> None:
    people = [Person(f"person-{number:016}", "", 0.0, 0.0) for number in range(40)]
    for person in people:
        await mailing.store.people.add(person)
    mailing.time -= mailing.time % 86_400  # midnight
    assert await mailing.mailer.ask(people[0].id, address)
    assert await mailing.mailer.round() == 1
    for number, person in enumerate(people[1:10]):
        assert await mailing.mailer.ask(person.id, same.format(number))
    assert await mailing.mailer.round() == 0
    asked = 1
    for number, person in enumerate(people[10:30]):
        mailing.time += ASK_MAILBOX_EVERY
        assert await mailing.mailer.ask(person.id, same.format(number))
        asked += await mailing.mailer.round()
    assert asked == ASK_MAILBOX_MOST
    assert await mailing.mailer.ask(people[30].id, other)  # a box of its own
    assert await mailing.mailer.round() == 1
    mailing.time += 86_400
    assert await mailing.mailer.ask(people[31].id, address)
    assert await mailing.mailer.round() == 1


async def test_who_asks_too_often_uses_up_nobodys_mailbox(mailing: Mailing) -> None:
    for person in (ANNA, BEN):
        await mailing.store.people.add(person)
    assert await mailing.mailer.ask(BEN.id, "ben@example.org")
    assert not await mailing.mailer.ask(BEN.id, "anna@example.org")
    assert await mailing.mailer.round() == 1
    assert await mailing.mailer.ask(ANNA.id, "anna@example.org")
    assert await mailing.mailer.round() == 1


async def test_a_question_is_not_lost_where_it_failed_or_its_process_died(
    mailing: Mailing, office: PostOffice
) -> None:
    """The mailbox's limit counts this mail once, also when it is retried."""

    async def die(message: EmailMessage) -> None:
        raise KeyboardInterrupt

    await mailing.store.people.add(ANNA)
    mailing.time -= mailing.time % 86_400  # midnight
    await mailing.mailer.ask(ANNA.id, "new@example.org")
    with pytest.raises(KeyboardInterrupt):
        await mailing.another(die).round()
    mailing.time += 301
    office.answer = "451 not now"
    assert await mailing.mailer.round() == 0
    office.answer = "250 OK"
    mailing.time += 61
    assert await mailing.mailer.round() == 1
    assert office.to == ["new@example.org"]


async def test_the_answer_does_not_depend_on_the_address(
    mailing: Mailing, office: PostOffice
) -> None:
    """Neither the answer nor the work reveals whether an address is used or was written to."""
    people = [Person(f"person-{number:016}", "", 0.0, 0.0) for number in range(4)]
    for person in (ANNA, *people):
        await mailing.store.people.add(person)
    await mailing.mailer.ask(people[0].id, "asked@example.org")
    assert await mailing.mailer.round() == 1
    told = []
    addresses = ("asked@example.org", ANNA.email or "", "nobody@example.org")
    for person, address_ in zip(people[1:], addresses, strict=True):
        with statements() as said:
            answer = await mailing.mailer.ask(person.id, address_)
        told.append((answer, said))
    assert told[0] == told[1] == told[2]
    assert told[0][0]
    assert told[0][1]
    assert await mailing.mailer.round() == 2  # not to who was written to just before
