from itertools import count
from random import Random

from patrizier.server.workers.account import NOWHERE, Account
from patrizier.server.workers.fair_queue import FairQueue


def serve(queue: FairQueue[int], turns: int, seconds: float = 1.0) -> list[Account]:
    """Serve this many items, each for some time; return their accounts."""
    served = []
    for _ in range(turns):
        found = queue.pop()
        assert found is not None
        account, _ = found
        queue.charge(account, seconds)
        served.append(account)
    return served


def test_one_account_is_first_come_first_served() -> None:
    queue, anna = FairQueue[int](), Account("1.1.1.1", "anna")
    for item in range(5):
        queue.add(anna, item)
    queue.discard(anna, 2)
    queue.discard(anna, 7)
    assert len(queue) == queue.waiting("1.1.1.1") == 4
    assert [queue.pop() for _ in range(5)] == [(anna, 0), (anna, 1), (anna, 3), (anna, 4), None]
    assert len(queue) == 0


def test_whoever_asks_for_more_gets_no_more() -> None:
    queue = FairQueue[int]()
    greedy, modest = Account("1.1.1.1", "greedy"), Account("2.2.2.2", "modest")
    for item in range(100):
        queue.add(greedy, item)
    served = serve(queue, 10)
    for item in range(10):
        queue.add(modest, item)
    served = serve(queue, 20)
    assert served.count(modest) == 10
    assert modest in served[:2]  # a newcomer does not wait for what others have had


def test_many_owners_of_one_network_share_what_it_gets() -> None:
    queue, alone = FairQueue[int](), Account("2.2.2.2", "alone")
    crowd = [Account("1.1.1.1", f"guest {number}") for number in range(20)]
    for item in range(20):
        for account in crowd:
            queue.add(account, item)
        queue.add(alone, item)
    served = serve(queue, 40)
    assert served.count(alone) == 20
    assert {served.count(account) for account in crowd} == {1}


def test_shares_are_of_time_not_of_turns() -> None:
    queue = FairQueue[int]()
    slow, quick = Account("1.1.1.1", "doges"), Account("2.2.2.2", "merchants")
    for item in range(200):
        queue.add(slow, item)
        queue.add(quick, item)
    turns = {slow: 0, quick: 0}
    for _ in range(110):
        found = queue.pop()
        assert found is not None
        account, _ = found
        queue.charge(account, 1.0 if account == slow else 0.1)
        turns[account] += 1
    assert turns[slow] <= 11
    assert turns[quick] >= 99


def test_where_nobody_is_present_there_is_a_small_share() -> None:
    queue = FairQueue[int]()
    there, absent = Account("1.1.1.1", "there"), Account(NOWHERE, "absent")
    for item in range(100):
        queue.add(there, item)
        queue.add(absent, item)
    served = serve(queue, 44)
    assert 1 <= served.count(absent) <= 5


def test_being_idle_saves_nothing_up() -> None:
    queue = FairQueue[int]()
    busy, idle = Account("1.1.1.1", "busy"), Account("2.2.2.2", "idle")
    for item in range(100):
        queue.add(busy, item)
    serve(queue, 50)
    for item in range(50):
        queue.add(idle, item)
    assert abs(serve(queue, 20).count(idle) - 10) <= 1


def test_newcomers_without_end_do_not_keep_others_waiting() -> None:
    queue, names = FairQueue[int](), count()
    anna = Account("1.1.1.1", "anna")
    for item in range(50):
        queue.add(anna, item)
    served = []
    for _ in range(400):
        for _ in range(2):  # twice as many as can be served
            queue.add(Account(f"network {next(names)}", "guest"), 0)
        served += serve(queue, 1)
    assert served.count(anna) >= 4


def test_accounts_are_forgotten_when_they_are_even() -> None:
    queue = FairQueue[int]()
    for number in range(1000):
        account = Account(f"network {number % 900}", f"owner {number}")
        queue.add(account, number)
        serve(queue, 1)
    assert queue.networks < 10


def test_the_crowd_counts_those_with_equal_right() -> None:
    queue = FairQueue[int]()
    greedy, modest = Account("1.1.1.1", "greedy"), Account("2.2.2.2", "modest")
    assert queue.crowd(modest) == 1
    for item in range(100):
        queue.add(greedy, item)
    assert queue.crowd(greedy) == 101
    assert queue.crowd(modest) == 2
    for number in range(9):
        queue.add(Account(f"network {number}", "guest"), 0)
    assert queue.crowd(modest) == 11


def test_nothing_is_lost_or_served_twice() -> None:
    rng, queue = Random(5), FairQueue[int]()
    accounts = [Account(f"network {number % 4}", f"owner {number}") for number in range(12)]
    waiting = dict[int, Account]()
    for item in range(3000):
        account = rng.choice(accounts)
        match rng.randrange(3):
            case 0 if waiting:
                gone = rng.choice(list(waiting))
                queue.discard(waiting.pop(gone), gone)
            case 1 if waiting:
                found = queue.pop()
                assert found is not None
                assert waiting.pop(found[1]) == found[0]
                queue.charge(found[0], rng.random())
            case _:
                queue.add(account, item)
                waiting[item] = account
        assert len(queue) == len(waiting)
    while found := queue.pop():
        assert waiting.pop(found[1]) == found[0]
    assert not waiting
