"""The messages: what is read, what is refused, and that no input is without a limit."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from patrizier import Deck
from patrizier.server.protocol import messages as protocol
from patrizier.server.protocol.messages import ClientMessage, ServerMessage
from patrizier.server.reasons import Reason
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.setup import Form, TableSetup
from server.support.table_driver import TABLE, TableDriver

CLIENT: TypeAdapter[Any] = TypeAdapter(ClientMessage)
SERVER: TypeAdapter[Any] = TypeAdapter(ServerMessage)
COMMAND: TypeAdapter[Any] = TypeAdapter(Command)

CARDS = {card: face.text for card, face in Deck.classic().faces}
BODIES: list[type[Form]] = [
    protocol.CreateTable,
    protocol.NameBody,
    protocol.PasswordBody,
    protocol.NewPasswordBody,
    protocol.MailBody,
    protocol.EraseBody,
    protocol.HintBody,
    protocol.ReplayBody,
    protocol.LessonBody,
]


def act(**command: Any) -> dict[str, Any]:
    return {"kind": "act", "table": TABLE, "command": {"id": "1", **command}}


GOOD: list[dict[str, Any]] = [
    {"kind": "watch", "table": TABLE},
    {"kind": "watch", "table": TABLE, "since": 17, "key": "abc"},
    {"kind": "unwatch", "table": TABLE},
    {"kind": "ping", "nonce": 3},
    act(kind="join"),
    act(kind="join", seat=2, contribution="0f" * 32, hot_seat=True, name="Ben"),
    act(kind="choose-colour", seat=0, colour="red"),
    act(kind="leave"),
    act(kind="seat-bot", seat=1, level="doge"),
    act(kind="fill-with-bots", level="apprentice"),
    act(kind="unseat", seat=1),
    act(kind="close"),
    act(kind="contribute", seat=0, contribution="0f" * 32),
    act(kind="start"),
    act(kind="play", seat=0, move="LU3:L>MI.R+FI@BO-FE", at_turn=3),
    act(kind="decide", seat=0, decision=">MI.R", at_turn=3, at_step=1),
    act(kind="resign", seat=0),
    act(kind="take-over", seat=0),
    act(kind="ask-undo", seat=0, to_turn=3, at_turn=4),
    act(kind="answer-undo", seat=0, to_turn=3, yes=False),
    act(kind="take-back", seat=0, to_turn=3, at_turn=5),
    act(kind="say", text="Hello"),
    act(kind="mute", who="0123456789ab", on=False),
    act(kind="offer-rematch"),
]


@pytest.mark.parametrize("message", GOOD, ids=lambda m: m.get("command", m)["kind"])
def test_messages_are_read_and_written_again(message: dict[str, Any]) -> None:
    read = CLIENT.validate_json(json.dumps(message))
    assert CLIENT.validate_json(read.model_dump_json()) == read


def test_every_command_is_tried() -> None:
    tried = {message["command"]["kind"] for message in GOOD if message["kind"] == "act"}
    schema = COMMAND.json_schema()
    assert tried == set(schema["discriminator"]["mapping"])


BAD: list[dict[str, Any]] = [
    {},
    {"kind": "dance"},
    {"kind": "watch"},
    {"kind": "watch", "table": "short"},
    {"kind": "watch", "table": "../../etc/passwd/x"},
    {"kind": "watch", "table": "a" * 65},
    {"kind": "watch", "table": TABLE, "since": -1},
    {"kind": "watch", "table": TABLE, "since": 2**40},
    {"kind": "watch", "table": TABLE, "more": 1},
    {"kind": "ping", "nonce": -1},
    act(kind="say", text=""),
    act(kind="say", text="x" * 301),
    act(kind="say", text="\ud800"),
    {**act(kind="say", text="x"), "command": {"kind": "say", "text": "x"}},
    {**act(kind="say", text="x"), "command": {"kind": "say", "id": "x" * 65, "text": "x"}},
    {**act(kind="say", text="x"), "command": {"kind": "say", "id": "", "text": "x"}},
    act(kind="play", seat=5, move="BO1:LL", at_turn=0),
    act(kind="play", seat=-1, move="BO1:LL", at_turn=0),
    act(kind="play", seat=0, move="B" * 33, at_turn=0),
    act(kind="play", seat=0, move="BO1:LL", at_turn=56),
    act(kind="play", seat=0, move="BO1:LL"),
    act(kind="play", seat=0, move="BO1:LL", at_turn=0, by="bot"),
    act(kind="seat-bot", seat=0, level="os.system"),
    act(kind="contribute", seat=0, contribution="xyz"),
    act(kind="contribute", seat=0, contribution="0F" * 32),
    act(kind="contribute", seat=0, contribution="0f" * 32 + "\n"),
    act(kind="join", name="x" * 61),
    act(kind="turn-played", seat=0, move="BO1:LL"),
]


@pytest.mark.parametrize("message", BAD, ids=range(len(BAD)))
def test_what_is_no_message_is_refused(message: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CLIENT.validate_json(json.dumps(message))


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_rubbish_is_refused(rubbish: Any) -> None:
    with pytest.raises(ValidationError):
        CLIENT.validate_python(rubbish)


# -- limits


def unlimited(schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the places of a schema where an input is unbounded."""
    kind = schema.get("type")
    closed = "enum" in schema or "const" in schema
    if kind == "string" and not closed and "maxLength" not in schema:
        yield f"{path}: a text"
    if kind == "array" and "maxItems" not in schema:
        yield f"{path}: a list"
    if kind in ("integer", "number") and not closed and "maximum" not in schema:
        yield f"{path}: a number"
    if kind == "object" and "properties" not in schema and "maxProperties" not in schema:
        yield f"{path}: an object"
    if "properties" in schema and schema.get("additionalProperties") is not False:
        yield f"{path}: more fields"
    for name, inner in schema.items():
        if name in ("default", "discriminator"):
            continue
        if isinstance(inner, dict):
            yield from (
                unlimited(inner, f"{path}/{name}")
                if name != "properties"
                else (place for key in inner for place in unlimited(inner[key], f"{path}/{key}"))
            )
        if isinstance(inner, list):
            for item in inner:
                if isinstance(item, dict):
                    yield from unlimited(item, path)


def test_every_input_has_a_limit() -> None:
    schemas = [CLIENT.json_schema(), *(body.model_json_schema() for body in BODIES)]
    for schema in schemas:
        assert list(unlimited(schema)) == []


def test_the_search_for_limits_finds_something() -> None:
    found = list(unlimited(SERVER.json_schema()))
    assert any("a text" in place for place in found)
    assert any("a list" in place for place in found)
    assert any("a number" in place for place in found)


# -- setting up a table


def test_a_table_is_set_up_with_sensible_defaults() -> None:
    setup = protocol.CreateTable(id="1").setup
    assert (setup.players, setup.public, setup.rated, setup.pace.kind) == (4, False, False, "none")
    assert setup.plan == ("person",) * 4


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ({"players": 6}, "less than or equal to 5"),
        ({"rules": ["magic"]}, "Input should be"),
        ({"rules": ["messenger-at-built-city"]}, "requires messengers"),
        ({"rules": ["messengers", "messengers"]}, "twice"),
        ({"players": 2, "colours": ["red", "blue"]}, "not a colour for 2 players"),
        ({"players": 3, "colours": ["red"]}, "3 different colours"),
        ({"players": 2, "seats": ["person"]}, "1 seats for 2 players"),
        ({"players": 2, "seats": ["doge", "doge"]}, "at least one seat is for a person"),
        ({"players": 2, "seats": ["person", "greedy"]}, "Input should be"),
        ({"pace": {"kind": "realtime", "base": 1}}, "greater than or equal to 10"),
        ({"pace": {"kind": "correspondence", "days": 1000}}, "less than or equal to 30"),
        ({"pace": {"kind": "hurry"}}, "does not match any of the expected tags"),
        ({"deck": {"name": "x", "cards": {"BO1": "2"}}}, "card"),
        ({"deck": {"name": "x", "cards": {"ZZ1": "2"}}}, "no such card"),
        ({"deck": {"name": "classic", "cards": CARDS}}, "not written out"),
        ({"secret": "00"}, "Extra inputs"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(
    setup: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValidationError, match=reason):
        TableSetup.model_validate(setup)


# -- from the server


def test_server_messages_come_back() -> None:
    driver = TableDriver()
    driver.sit("ben")
    driver.play_turns(3)
    messages = [
        driver.told("anna"),
        protocol.RefusedMessage.of(Refused(Reason.STEP_PASSED), TABLE, "1"),
        protocol.PresenceMessage(table=TABLE, seats=(0, 1), watchers=3),
        protocol.YourTurnMessage(table=TABLE, seat=0),
        protocol.PongMessage(nonce=1, now=2.0),
        protocol.ByeMessage(reason="slow"),
    ]
    for message in messages:
        assert SERVER.validate_json(message.model_dump_json()) == message
    finished = TableDriver()
    finished.sit("ben")
    finished.finish()
    told = finished.told("anna")
    assert SERVER.validate_json(told.model_dump_json()) == told


@pytest.mark.parametrize("command_id", ["a\0b", "a\nb", "a\n", "\u202e", "\x7f", "é", ""])
def test_the_id_of_a_command_is_plain_text(command_id: str) -> None:
    with pytest.raises(ValidationError):
        CLIENT.validate_python(act(kind="start", id=command_id))
    with pytest.raises(ValidationError):
        protocol.CreateTable(id=command_id)
