"""Two servers with different clocks on one database: nobody loses time or their identity."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from pydantic import SecretStr

from patrizier.server.http.collaborators import Collaborators
from patrizier.server.runtime.shared_time import SharedTime
from server.support.postgres import Postgres
from server.support.serving import Guest, Serving, next_turn, serving

DAY = 86_400.0
SECRET = SecretStr("a signing secret of more than thirty-two characters")


class Skewed(SharedTime):
    """The time of a machine with a wrong clock."""

    def __init__(self, ahead: float) -> None:
        super().__init__(wall=lambda: time.time() + ahead)


@pytest.fixture(params=[(0.0, 0.08), (3600.0, -2 * DAY)], ids=["80 ms", "two days"])
def servers(
    request: pytest.FixtureRequest, postgres: Postgres, tmp_path: Path
) -> Iterator[list[Serving]]:
    url = asyncio.run(postgres.new_database())
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                serving(
                    tmp_path / str(number),
                    Collaborators(time=Skewed(ahead)),
                    database=url,
                    secret=SECRET,
                )
            )
            for number, ahead in enumerate(request.param)
        ]


def test_guests_go_to_and_fro_and_stay_who_they_are(servers: list[Serving]) -> None:
    for number in range(20):
        one, other = servers if number % 2 else servers[::-1]
        guest = Guest(one, f"Guest of {number}")
        cookies = dict(guest.http.cookies)
        answer = guest.http.get(f"{other.url}/api/me")
        assert answer.json()["name"] == f"Guest of {number}"
        assert "set-cookie" not in answer.headers
        assert dict(guest.http.cookies) == cookies
        guest.close()


def test_a_game_by_the_clock_on_both_servers(servers: list[Serving]) -> None:
    anna, ben = (Guest(server, name) for server, name in zip(servers, ("Anna", "Ben"), strict=True))
    table = anna.create(pace={"kind": "realtime", "base": 600, "increment": 0})["table"]
    seq = ben.act(table, "join", contribution="2" * 64)["seq"]
    anna.look(table, since=seq - 1, wait=20)
    rng = Random(1)
    for _ in range(8):
        told = [(who, who.look(table)) for who in (anna, ben)]
        now, later = told[0][1]["now"], told[1][1]["now"]
        assert abs(later - now) < 60  # both servers have the same time, about
        who, message = next(each for each in told if each[1]["you"]["to_move"] is not None)
        deadline = message["clock"]["deadline"]
        assert 0 < deadline - message["now"] <= 600
        after = who.act(table, "play", **next_turn(message, rng))
        for each in (anna, ben):  # wait until both servers know of it
            each.look(table, since=after["seq"] - 1, wait=20)
        for seat in after["seats"]:
            assert seat["stand_in"] is None
            assert 500 < seat["seconds_left"] <= 600
    anna.close()
    ben.close()
