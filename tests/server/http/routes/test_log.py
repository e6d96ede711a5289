"""The log says that people played, not what."""

import io
import json
import logging
import time
from collections.abc import Callable
from random import Random

from patrizier.server.logs import JsonLines
from server.support.serving import Guest, next_turn

Make = Callable[..., Guest]


def test_the_log_keeps_no_secrets(guest: Make) -> None:
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(JsonLines())
    ours = logging.getLogger("patrizier")
    ours.addHandler(handler)
    level = ours.level
    ours.setLevel(logging.DEBUG)
    try:
        anna, ben = guest("Annalena"), guest("Benjamin")
        password = {"name": "annalena-the-first", "password": "correct horse battery"}
        anna.know(anna.http.post("/api/account", json=password))
        table = anna.create()["table"]
        with ben.live() as line:
            line.act(table, "join", contribution="2" * 64)
            line.hear_kind("table")
        anna.act(table, "say", text="a word among friends")
        who = anna if anna.look(table)["you"]["to_move"] is not None else ben
        turn = next_turn(who.look(table), Random(1))
        who.act(table, "play", **turn)
        who.act(table, "play", status=409, **turn)
        ben.ask("POST", "/api/session", status=403, json=password | {"password": "a wrong one"})
        until = time.monotonic() + 20
        while "/api/session" not in text.getvalue() and time.monotonic() < until:
            time.sleep(0.02)  # a line is written after its answer
    finally:
        ours.removeHandler(handler)
        ours.setLevel(level)
    lines = [json.loads(line) for line in text.getvalue().splitlines()]
    assert len(lines) > 8
    assert {"/api/tables/{table}/commands", "/api/session"} <= {line.get("route") for line in lines}
    hand = anna.look(table)["views"][0]["view"]["seats"][0]["hand"]
    for secret in (
        table,
        anna.cookie.partition("=")[2],
        anna.me["token"],
        "Annalena",
        "annalena",
        "correct horse",
        "a wrong one",
        "among friends",
        turn["move"],
        *hand,
    ):
        assert secret not in text.getvalue()
