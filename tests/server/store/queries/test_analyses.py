"""The queue of analyses: one computation for all who ask, limits, restarts."""

import pytest

from patrizier.server.store.base import EnoughToday, OneAtATime
from patrizier.server.store.queries.analyses import MOST_TRIES
from patrizier.server.store.rows import AnalysisJob
from patrizier.server.store.sql import SqlStore

pytestmark = pytest.mark.anyio

ONE, TWO = (AnalysisJob(f"{digit * 64}-1", f"game {digit}", deep=False) for digit in "12")
DAY = 24 * 3600.0


async def ask(store: SqlStore, job: AnalysisJob, person: str, at: float = 0.0) -> None:
    await store.analyses.ask(job, 48, person, at, most=3)


async def test_two_people_ask_and_one_job_is_taken(store: SqlStore) -> None:
    await ask(store, ONE, "anna", 1.0)
    await ask(store, ONE, "ben", 2.0)
    assert await store.analyses.take(3.0, 100.0) == ONE
    assert await store.analyses.take(3.0, 100.0) is None


async def test_first_asked_first_served(store: SqlStore) -> None:
    await ask(store, TWO, "anna", 1.0)
    await ask(store, ONE, "ben", 2.0)
    found = await store.analyses.get(ONE.key, 3.0)
    assert found is not None
    assert (found.ahead, found.taken, found.done, found.turns) == (1, False, False, 48)
    assert await store.analyses.take(3.0, 100.0) == TWO


async def test_a_job_of_a_dead_server_is_taken_again(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await store.analyses.take(0.0, 100.0)
    assert await store.analyses.take(99.0, 200.0) is None
    assert await store.analyses.take(101.0, 200.0) == ONE


async def test_a_job_that_kills_its_workers_is_given_up(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    for number in range(MOST_TRIES):
        assert await store.analyses.take(10.0 * number, 10.0 * number + 5) == ONE
    assert await store.analyses.take(1000.0, 2000.0) is None
    found = await store.analyses.get(ONE.key, 1000.0)
    assert found is not None
    assert found.failed


async def test_a_server_that_stops_gives_its_job_back(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    for _ in range(MOST_TRIES + 1):
        assert await store.analyses.take(0.0, 100.0) == ONE
        await store.analyses.release(ONE.key)


async def test_what_is_done_is_there_for_everybody_and_for_nothing(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await store.analyses.take(0.0, 100.0)
    assert await store.analyses.store(ONE.key, 20, "half", 100.0)
    assert await store.analyses.store(ONE.key, 48, "all", None)
    await store.analyses.ask(ONE, 48, "ben", 1.0, most=0)
    assert await store.analyses.take(1000.0, 2000.0) is None
    found = await store.analyses.get(ONE.key, 1.0)
    assert found is not None
    assert (found.done, found.judged, found.body, found.ahead) == (True, 48, "all", 0)


async def test_one_at_a_time_for_each_person(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    with pytest.raises(OneAtATime) as refused:
        await ask(store, TWO, "anna")
    assert refused.value.key == ONE.key
    await ask(store, ONE, "anna")  # the same again is fine
    await store.analyses.store(ONE.key, 48, "all", None)
    await ask(store, TWO, "anna")


async def give_up(store: SqlStore, job: AnalysisJob, at: float = 0.0) -> None:
    """Let every try of a job fail."""
    for _ in range(MOST_TRIES):
        assert await store.analyses.take(at, at + 100.0) == job
        await store.analyses.release(job.key, failed=True)


async def test_who_asked_for_a_game_given_up_may_ask_for_another(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await give_up(store, ONE)
    await ask(store, TWO, "anna", 1.0)
    assert await store.analyses.take(1.0, 100.0) == TWO


async def test_a_job_whose_last_server_died_blocks_nobody_after_its_lease(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    for number in range(MOST_TRIES):
        await store.analyses.take(100.0 * number, 100.0 * number + 30.0)
    last = 100.0 * (MOST_TRIES - 1)
    with pytest.raises(OneAtATime):
        await ask(store, TWO, "anna", last + 29.0)
    await ask(store, TWO, "anna", last + 31.0)


async def test_a_failed_analysis_is_tried_again_for_who_asks_again(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await give_up(store, ONE)
    assert await store.analyses.take(1.0, 100.0) is None
    await ask(store, ONE, "anna", 2.0)
    found = await store.analyses.get(ONE.key, 2.0)
    assert found is not None
    assert not found.failed
    with pytest.raises(OneAtATime):
        await ask(store, TWO, "anna", 2.0)
    await give_up(store, ONE, 3.0)  # as often as the first time


async def test_trying_again_counts_as_a_new_one_that_day(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await give_up(store, ONE)
    await store.analyses.ask(ONE, 48, "anna", 2 * DAY, most=1)
    await give_up(store, ONE, 2 * DAY)
    with pytest.raises(EnoughToday):
        await store.analyses.ask(ONE, 48, "anna", 2 * DAY + 1.0, most=1)


async def test_the_request_for_a_game_given_up_is_forgotten_in_time(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await ask(store, TWO, "ben")
    await give_up(store, ONE)
    await store.analyses.forget(1e6)
    assert not await store.analyses.cancel("anna", ONE.key)
    assert await store.analyses.cancel("ben", TWO.key)  # it still waits for its turn


async def test_a_day_has_so_many_and_cancelling_does_not_give_them_back(store: SqlStore) -> None:
    for digit in "345":
        job = AnalysisJob(f"{digit * 64}-1", "", deep=False)
        await ask(store, job, "anna", 10.0)
        assert await store.analyses.cancel("anna", job.key)
    with pytest.raises(EnoughToday):
        await ask(store, ONE, "anna", 20.0)
    await ask(store, ONE, "ben", 20.0)
    await ask(store, ONE, "anna", 20.0 + DAY)


async def test_cancelled_by_one_it_goes_on_for_the_other(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await ask(store, ONE, "ben")
    assert not await store.analyses.cancel("anna", ONE.key)
    assert not await store.analyses.cancel("carla", ONE.key)
    assert await store.analyses.get(ONE.key, 0.0) is not None
    assert await store.analyses.cancel("ben", ONE.key)
    assert await store.analyses.get(ONE.key, 0.0) is None
    assert not await store.analyses.store(ONE.key, 3, "too late", 100.0)


async def test_what_is_done_stays_when_somebody_cancels(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await store.analyses.store(ONE.key, 48, "all", None)
    assert not await store.analyses.cancel("anna", ONE.key)
    assert await store.analyses.get(ONE.key, 0.0) is not None


async def test_old_requests_are_forgotten_but_not_analyses(store: SqlStore) -> None:
    await ask(store, ONE, "anna", 10.0)
    await store.analyses.store(ONE.key, 48, "all", None)
    await store.analyses.forget(20.0)
    assert await store.analyses.get(ONE.key, 0.0) is not None
    await store.analyses.ask(TWO, 48, "anna", 30.0, most=1)


async def test_an_erased_person_has_asked_for_nothing(store: SqlStore) -> None:
    await ask(store, ONE, "anna")
    await store.people.erase("anna")
    assert not await store.analyses.cancel("anna", ONE.key)
