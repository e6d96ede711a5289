"""What people are told: all they may know, and nothing else."""

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from patrizier import View
from patrizier.server.table import commands as c
from patrizier.server.table.chat import mark_of
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.setup import Correspondence, Realtime, TableSetup
from patrizier.server.table.table import Table
from patrizier.server.table.visibility import log_since, record_text, visible
from server.tables import KEY, NAMES, SECRET, TABLE, Parlour, with_other_secrets

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "view.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def game(players: int = 3, **setup: Any) -> Parlour:
    parlour = Parlour(TableSetup(players=players, **setup))
    parlour.sit(*("ben", "cleo", "dora", "eve")[: players - 1])
    return parlour


def view(parlour: Parlour, person: str | None, key: str = "") -> dict[str, Any]:
    (only,) = parlour.told(person, key=key).views
    return only.view.root


# -- who is told what


def test_players_get_the_view_of_their_seat() -> None:
    parlour = game()
    parlour.play_turns(4)
    for seat, person in enumerate(("anna", "ben", "cleo")):
        told = parlour.told(person)
        assert told.you.role == "player"
        assert told.you.seats == (seat,)
        assert [shown.seat for shown in told.views] == [seat]
        assert view(parlour, person)["viewer"] == seat
        mine = seat == parlour.table.to_move
        assert told.you.to_move == (seat if mine else None)
        assert bool(view(parlour, person)["legal"]) == mine
        assert len(view(parlour, person)["seats"][seat]["hand"]) == 3


def test_watchers_get_what_everybody_may_know() -> None:
    parlour = game(watch="everyone", memory_help=True)
    parlour.play_turns(4)
    for person in ("eve", None):
        told = parlour.told(person)
        assert told.you.role == "watcher"
        assert view(parlour, person)["viewer"] is None
        assert view(parlour, person)["legal"] == []
        assert not any(seat["secret"] for seat in view(parlour, person)["seats"])
        assert told.you.watch_key is None


@pytest.mark.parametrize("watch", ["nobody", "link"])
def test_outsiders_see_only_who_sits_there(watch: str) -> None:
    parlour = game(watch=watch)
    parlour.do("anna", c.Say(id="1", text="Hello"))
    parlour.finish()
    told = parlour.told("eve", key="wrong")
    assert told.you.role == "outsider"
    assert told.views == ()
    assert told.log == ()
    assert told.result is None
    assert told.deal.secret is None
    assert [seat.name for seat in told.seats] == ["Anna", "Ben", "Cleo"]
    with pytest.raises(Refused):
        record_text(parlour.table, "eve", "wrong")
    assert parlour.told("eve", key=KEY).you.role == ("watcher" if watch == "link" else "outsider")


def test_players_learn_the_watchers_link() -> None:
    parlour = game(watch="link")
    assert parlour.told("anna").you.watch_key == KEY
    assert KEY not in parlour.told("eve").model_dump_json()
    assert KEY not in parlour.told("eve", key=KEY).model_dump_json()


def test_a_hot_seat_gets_one_view_for_each_of_its_seats() -> None:
    parlour = Parlour(TableSetup(players=3))
    parlour.do("anna", c.Join(id="1", hot_seat=True, name="Ben"))
    parlour.sit("cleo")
    told = parlour.told("anna")
    assert [shown.seat for shown in told.views] == [0, 1]
    assert [shown.view.root["viewer"] for shown in told.views] == [0, 1]
    assert [shown.seat for shown in parlour.told("cleo").views] == [2]


def test_who_resigned_still_sees_the_own_seat_but_is_not_to_move() -> None:
    parlour = game(players=2)
    parlour.do(parlour.mover, c.Resign(id="1", seat=parlour.table.to_move or 0))
    person = parlour.table.seats[parlour.table.to_move or 0].person
    told = parlour.told(person)
    assert told.views
    assert told.you.to_move is None
    (info,) = (seat for seat in told.seats if seat.you)
    assert (info.state, info.stand_in, info.level) == ("person", "resigned", "merchant")


# -- memory help


def test_with_memory_help_the_view_is_whole() -> None:
    parlour = game(memory_help=True, rules=("messengers",))
    while parlour.table.phase == "playing":
        parlour.play_turns(11)
        for person, seat in (("anna", 0), (None, None)):
            data = view(parlour, person)
            VALIDATOR.validate(data)
            again = View.from_json(json.loads(json.dumps(data)))
            assert again == parlour.game.state.view(seat)


@pytest.mark.parametrize(
    "rules", [(), ("open-ledger",), ("messengers",), ("messengers", "open-tokens")]
)
def test_without_it_others_are_shown_as_the_table_shows_them(rules: tuple[str, ...]) -> None:
    parlour = game(rules=rules)
    for _ in range(9):
        parlour.play_turns(5)
        if parlour.table.phase != "playing":
            break
        full = parlour.game.state.view(1).to_json()
        data = view(parlour, "ben")
        VALIDATOR.validate(data)
        assert data["unseen"] == []
        assert data["history"] == []
        for name in set(data) - {"unseen", "seats"}:
            assert data[name] == full[name]
        assert data["seats"][1] == full["seats"][1]
        for seat in (0, 2):
            shown, known = data["seats"][seat], full["seats"][seat]
            assert shown["hand"] == []
            assert shown["unknown"] == len(known["hand"]) + known["unknown"]
            for name in ("supply", "messengers_left", "top", "colour"):
                assert shown[name] == known[name]
            if "open-ledger" in rules:
                for name in ("pile", "tokens", "chips", "heads"):
                    assert shown[name] == known[name]
            else:
                open_tokens = "open-tokens" in rules
                won = (known["tokens"], known["chips"]) if open_tokens else ([], 0)
                assert (shown["tokens"], shown["chips"]) == won
                assert shown["pile"] == [known["top"]]
                assert set(shown["heads"].values()) == {0}


def test_without_it_the_log_goes_back_one_round() -> None:
    for memory_help, turns in ((False, 3), (True, 10)):
        parlour = game(memory_help=memory_help)
        parlour.play_turns(10)
        entries = [entry for entry in parlour.told("anna").log if entry.kind == "turn"]
        assert len(entries) == turns
        parlour.finish()
        entries = [entry for entry in parlour.told("anna").log if entry.kind == "turn"]
        assert len(entries) == 48  # now everything is open


# -- the log


def test_the_log_tells_what_is_new() -> None:
    parlour = game(memory_help=True)
    parlour.play_turns(3)
    since = parlour.table.seq
    assert log_since(parlour.table, "anna", since) == []
    parlour.play_turns(2)
    parlour.do("ben", c.Say(id="1", text="Hm"))
    entries = log_since(parlour.table, "anna", since)
    assert [entry.kind for entry in entries] == ["turn", "turn", "said"]
    assert [entry.seq for entry in entries] == [since + 1, since + 2, since + 3]
    assert entries[0].kind == "turn"
    assert entries[0].record == parlour.game.records[3].to_json()
    told = parlour.told("anna", since=since)
    assert told.log_since == since
    assert list(told.log) == entries


def test_turns_taken_back_are_told_and_gone() -> None:
    parlour = Parlour(TableSetup(players=2, seats=("person", "doge"), memory_help=True, rated=True))
    parlour.sit()
    while parlour.table.turn < 6 or parlour.table.to_move != 0:
        parlour.play()
    since, turn = parlour.table.seq, parlour.table.turn
    parlour.do("anna", c.TakeBack(id="1", seat=0, to_turn=turn - 2, at_turn=turn))
    (entry,) = log_since(parlour.table, "anna", since)
    assert entry.kind == "undone"
    assert entry.to_turn == turn - 2
    turns = [entry for entry in log_since(parlour.table, "anna", 0) if entry.kind == "turn"]
    assert len(turns) == turn - 2
    assert not parlour.told("anna").rated


def test_news_are_told_in_order() -> None:
    parlour = game(players=2)
    parlour.do("ben", c.Resign(id="1", seat=1))
    parlour.do("ben", c.TakeOver(id="2", seat=1))
    news = [e for e in parlour.told("anna").log if e.kind == "news"]
    assert [entry.what for entry in news] == [
        "created",
        "joined",
        "joined",
        "started",
        "resigned",
        "stand-in",
        "took-over",
    ]
    assert news[5].detail == "resigned"
    assert news[6].name == "Ben"


# -- chat


def texts(parlour: Parlour, person: str | None, key: str = "") -> list[str]:
    return [entry.text for entry in parlour.told(person, key=key).log if entry.kind == "said"]


def test_players_and_watchers_read_apart_until_the_end() -> None:
    parlour = game(watch="everyone")
    parlour.do("anna", c.Say(id="1", text="among us"))
    parlour.do("eve", c.Say(id="2", text="among you"))
    assert texts(parlour, "ben") == ["among us"]
    assert texts(parlour, "eve") == texts(parlour, None) == ["among you"]
    parlour.finish()
    assert texts(parlour, "ben") == ["among us", "among you"]
    assert texts(parlour, "eve") == ["among you"]


def test_a_player_can_mute() -> None:
    parlour = game()
    parlour.do("ben", c.Say(id="1", text="bla"))
    mark = parlour.told("anna").seats[1].who
    assert mark
    parlour.do("anna", c.Mute(id="2", who=mark))
    assert parlour.do("anna", c.Mute(id="3", who=mark)) == []
    parlour.do("ben", c.Say(id="2", text="bla bla"))
    assert texts(parlour, "anna") == []
    assert texts(parlour, "cleo") == ["bla", "bla bla"]
    assert parlour.told("anna").you.muted == (mark,)
    assert parlour.told("ben").you.muted == ()
    parlour.do("anna", c.Mute(id="4", who=mark, on=False))
    assert texts(parlour, "anna") == ["bla", "bla bla"]


def test_muting_has_its_limits() -> None:
    parlour = game()
    own = parlour.told("anna").seats[0].who
    for person, who, code in (
        ("anna", "nobody", "unknown"),
        ("anna", own, "unknown"),
        ("eve", own, "not-allowed"),
    ):
        with pytest.raises(Refused) as refused:
            parlour.do(person, c.Mute(id="1", who=who or ""))
        assert refused.value.code == code


def test_watchers_can_be_muted_too() -> None:
    parlour = game()
    parlour.do("eve", c.Say(id="1", text="I know better"))
    parlour.do("anna", c.Mute(id="2", who=mark_of(TABLE, "eve")))
    parlour.finish()
    assert texts(parlour, "anna") == []
    assert texts(parlour, "ben") == ["I know better"]


# -- around it


def test_clocks_are_told() -> None:
    parlour = game(players=2, pace=Realtime(base=60, increment=5))
    told = parlour.told("anna")
    assert told.clock.seat == parlour.table.to_move
    assert told.clock.deadline == parlour.now + 60
    assert [seat.seconds_left for seat in told.seats] == [60, 60]
    slow = game(players=2, pace=Correspondence(days=1)).told("anna")
    assert slow.clock.deadline == parlour.now + 86_400
    assert slow.seats[0].seconds_left is None
    assert game(players=2).told("anna").clock.deadline is None


def test_undo_is_told_to_players() -> None:
    parlour = game()
    while parlour.game.view(None).unseen:
        parlour.play()
    parlour.play_turns(2)
    turn = parlour.table.turn
    parlour.do("ben", c.AskUndo(id="1", seat=1, to_turn=turn - 1, at_turn=turn))
    undo = parlour.told("anna").undo
    assert undo
    assert (undo.seat, undo.to_turn, undo.agreed, undo.waiting) == (1, turn - 1, (1,), (0, 2))
    assert parlour.told("eve").undo is None


def test_the_end_is_told_with_its_proof() -> None:
    parlour = game(rated=True)
    parlour.do("ben", c.Resign(id="1", seat=1))
    assert parlour.told("anna").result is None
    parlour.finish()
    told = parlour.told("anna")
    outcome = parlour.game.outcome()
    assert told.result
    assert outcome
    assert told.result.outcome == outcome.to_json()
    assert told.result.forfeits == (1,)
    assert told.deal.secret == SECRET.hex()
    assert told.deal.contributions == tuple(seat.contribution for seat in parlour.table.seats)
    assert SECRET.hex() in record_text(parlour.table, "anna")
    parlour.do("anna", c.OfferRematch(id="2"))
    assert parlour.told("ben").rematch_wanted == (0,)


# -- secrets


def deal_is_hidden(parlour: Parlour, person: str | None, text: str) -> None:
    for word in (SECRET.hex(), *(s.contribution or "-" * 9 for s in parlour.table.seats)):
        assert word not in text
    for other in NAMES:
        assert f'"{other}"' not in text  # ids are nobody's business


def test_no_message_has_the_secret_or_an_id() -> None:
    parlour = game(memory_help=True, rules=("messengers",))
    parlour.do("anna", c.Say(id="x", text="Hello"))
    parlour.do("eve", c.Say(id="y", text="Hello"))
    parlour.do("anna", c.Mute(id="z", who=mark_of(TABLE, "eve")))
    rng = Random(2)
    while parlour.table.phase == "playing":
        for person in (*NAMES, None):
            deal_is_hidden(parlour, person, parlour.told(person).model_dump_json())
        parlour.play(rng=rng)


HOSTILE: list[Command] = [
    *(c.Play(id="h", seat=seat, move="BO1:LL", at_turn=7) for seat in (0, 1, 2, 4)),
    *(c.Decide(id="h", seat=seat, decision="BO4:L", at_turn=7, at_step=0) for seat in (0, 1, 2, 4)),
    c.AskUndo(id="h", seat=0, to_turn=3, at_turn=7),
    c.TakeBack(id="h", seat=0, to_turn=3, at_turn=7),
    c.AnswerUndo(id="h", seat=1, to_turn=3, yes=True),
    c.TakeOver(id="h", seat=1),
    c.Contribute(id="h", seat=1, contribution="00" * 32),
    c.OfferRematch(id="h"),
    c.Start(id="h"),
    c.Mute(id="h", who="0123456789ab"),
]


def answer(table: Table, person: str, command: Command) -> str:
    """Return how a table answers a command: the refusal, or what it would bring."""
    try:
        return str(table.handle(command, person, 0.0, name="Name"))
    except Refused as refused:
        return f"{refused.code}: {refused.text}"


@pytest.mark.parametrize(
    ("players", "rules", "memory_help"),
    [
        (2, (), False),
        (2, ("messengers",), True),
        (3, ("messengers",), False),
        (3, ("messengers", "open-ledger"), True),
        (4, ("open-ledger",), False),
        (4, ("messengers", "open-tokens"), False),
        (5, ("messengers",), True),
    ],
)
def test_nothing_told_depends_on_what_is_hidden(
    players: int, rules: tuple[str, ...], memory_help: bool
) -> None:
    """Exchange the hidden cards, the secret and the others' contributions: no byte changes."""
    parlour = game(players, rules=rules, memory_help=memory_help, watch="everyone")
    people = [*("anna", "ben", "cleo", "dora", "eve")[:players], None]
    rng, changed = Random(players), 0
    while parlour.table.phase == "playing":
        if parlour.table.turn == 7:
            parlour.do("anna", c.Say(id="s", text="Hello"))
        for viewer, person in enumerate(people):
            if rng.random() < 0.8:
                continue
            seat = None if person is None else viewer
            other = Table.load(TABLE, with_other_secrets(parlour, seat, rng))
            assert other.game
            changed += other.game.deal != parlour.game.deal
            told = parlour.told(person).model_dump_json()
            assert visible(other, person, now=parlour.now).model_dump_json() == told
            assert other.due(parlour.now) == parlour.table.due(parlour.now)
            with pytest.raises(Refused):
                record_text(other, person)
            for command in HOSTILE if person and parlour.table.turn < 12 else ():
                mine = answer(parlour.table, person or "", command)
                assert answer(other, person or "", command) == mine
        if "messengers" in rules and rng.random() < 0.5 and parlour.game.phase == "build":
            game_now = parlour.game
            decision = game_now.state.decision_text(rng.choice(game_now.legal_decisions()))
            table = parlour.table
            parlour.do(
                parlour.mover,
                c.Decide(
                    id=parlour.id(),
                    seat=table.to_move or 0,
                    decision=decision,
                    at_turn=table.turn,
                    at_step=table.step,
                ),
            )
        else:
            parlour.play(rng=rng)
    assert changed > 10
