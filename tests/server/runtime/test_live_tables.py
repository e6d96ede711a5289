"""A table that another process has changed meanwhile."""

import pytest

from patrizier.server.store.sql import SqlStore, open_store
from patrizier.server.table.commands import OfferRematch
from server.support.players import (
    ANNA,
    BEN,
    a_service,
    new_id,
    next_play,
    play_turn,
    sit_down,
    whose_turn,
)

pytestmark = pytest.mark.anyio


async def test_a_turn_for_a_position_not_heard_of_yet(store: SqlStore, database_url: str) -> None:
    other_store = await open_store(database_url)
    try:
        here, there = a_service(store), a_service(other_store)
        table = await sit_down(here, ANNA, BEN)
        await there.message(table, ANNA)  # in its memory from now on
        await play_turn(here, table, ANNA, BEN)
        person, message = await whose_turn(here, table, ANNA, BEN)
        assert (await there.message(table, person)).turn == 0  # it was not notified
        assert (await there.command(table, person, next_play(message))).turn == 2
    finally:
        await other_store.close()


async def test_the_end_of_a_game_not_heard_of_yet(store: SqlStore, database_url: str) -> None:
    other_store = await open_store(database_url)
    try:
        here, there, third = a_service(store), a_service(other_store), a_service(other_store)
        table = await sit_down(here, ANNA, BEN)
        for behind in (there, third):
            await behind.message(table, ANNA)
        while (await here.message(table, ANNA)).phase == "playing":
            await play_turn(here, table, ANNA, BEN)
        assert (await there.message(table, ANNA)).phase == "playing"
        assert (await there.tables.get_finished(table)).record_text()
        await third.command(table, ANNA, OfferRematch(id=new_id()))  # refused while it is played
    finally:
        await other_store.close()
