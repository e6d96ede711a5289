"""Hostile messages, and what a server may answer."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

from patrizier import Game, Options

KINDS = (
    "join", "choose-colour", "leave", "seat-bot", "fill-with-bots", "unseat", "close", "contribute",
    "start", "play", "decide", "take-over", "ask-undo", "answer-undo", "take-back", "say", "mute",
    "offer-rematch",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 5, 2**31, 2**63, -(2**70), 0.5, 1e308, "", " ", "0", "\x00",
    "\u202e", "é", "👑" * 8, "a" * 65, "../../etc/passwd", "' OR 1=1 --", "<script>", [], {},
    [[]], {"": ""}, [None] * 50, {"kind": "play"}, "BO1:LL", "@", ">", "\ud800",
)  # fmt: skip
CARD = ["BO1", "BO4", "FE2", "FI3", "LU5", "MI3", "PA1", "RO7", "SI2", "VE4", "PI1", "XX9"]

_RECORD = str(Game(Options(players=2), seed=1).record(["Anna", "Ben"])).encode()


class Fuzzer:
    """Makes messages about some tables: wrong, late, foreign, huge or malformed."""

    def __init__(self, rng: Random, tables: list[str]) -> None:
        self._rng = rng
        self._tables = tables
        self.moves: list[str] = ["BO4:L"]  # turns that were legal at some point
        self.turn = 0  # completed turns of the main game

    def message(self) -> bytes:
        """Return the content of a text frame."""
        rng = self._rng
        honest = self._honest()
        way = rng.random()
        if way < 0.35:
            return _text(honest)
        if way < 0.75:
            return _text(self._twisted(honest))
        if way < 0.85:
            return self._damaged(_text(honest))
        return self._garbage()

    def homework(self) -> bytes:
        """Return the body of a request about hints, records and lessons."""
        rng = self._rng
        record = self._damaged(_RECORD).decode("utf-8", "replace")
        body: dict[str, Any] = rng.choice(
            [
                {"seat": rng.randrange(5), "at_turn": self._turn()},
                {"record": rng.choice([record, _RECORD.decode(), _RECORD.decode() * 2])},
                {"moves": [self._move()], "decisions": []},
                {"decisions": [rng.choice(["FE4:L", "FE4:R", "@", ">", "+FI", self._move()])]},
            ]
        )
        return _text(body if rng.random() < 0.5 else self._twisted(body))

    def _honest(self) -> dict[str, Any]:
        """Return a well-formed message at the wrong place or time."""
        rng = self._rng
        table = rng.choice([*self._tables, "nowhere-0123456789abcd"])
        what = rng.random()
        if what < 0.08:
            return {"kind": "watch", "table": table, "since": rng.choice([0, 1, 10**6])}
        if what < 0.1:
            return {"kind": "unwatch", "table": table}
        if what < 0.12:
            return {"kind": "ping", "nonce": rng.randrange(10)}
        return {"kind": "act", "table": table, "command": self._command()}

    def _command(self) -> dict[str, Any]:
        rng = self._rng
        kind = rng.choice(KINDS)
        fields: dict[str, Any] = {"kind": kind, "id": f"c{rng.randrange(10**6)}"}
        if rng.random() < 0.5:  # everything is right, but perhaps the move
            now = {"seat": rng.randrange(2), "move": self._move(), "at_turn": self.turn}
            return fields | now | {"kind": "play"}
        if rng.random() < 0.05:
            fields["id"] = "c1"
        if kind not in ("close", "start", "say", "mute", "offer-rematch", "fill-with-bots"):
            fields["seat"] = rng.randrange(3)
        match kind:
            case "join" | "choose-colour":
                fields["colour"] = rng.choice(["black", "white", "blue"])
            case "contribute":
                fields["contribution"] = rng.randbytes(32).hex()
            case "seat-bot" | "fill-with-bots":
                fields["level"] = rng.choice(["apprentice", "doge"])
            case "play":
                fields |= {"move": self._move(), "at_turn": self._turn()}
            case "decide":
                text = rng.choice([self._move(), ">MI.R", ">", "+FI", "@MI-PA", "@"])
                fields |= {"decision": text, "at_turn": self._turn(), "at_step": 0}
            case "ask-undo" | "take-back":
                fields |= {"to_turn": self._turn(), "at_turn": self._turn()}
            case "answer-undo":
                fields |= {"to_turn": self._turn(), "yes": rng.random() < 0.5}
            case "say":
                fields["text"] = rng.choice(["hello", "\u202e!", "x" * 300])
            case "mute":
                fields["who"] = rng.randbytes(6).hex()
        return fields

    def _turn(self) -> int:
        rng = self._rng
        return rng.choice([self.turn, self.turn, max(0, self.turn - 1), rng.randrange(50)])

    def _move(self) -> str:
        rng = self._rng
        if rng.random() < 0.5:
            return rng.choice(self.moves)
        return f"{rng.choice(CARD)}:{rng.choice(['L', 'R', 'LL', 'LR', 'RR', 'X'])}"

    def _twisted(self, message: dict[str, Any]) -> Any:
        """Return a message with one part changed."""
        rng = self._rng
        copy: dict[str, Any] = json.loads(json.dumps(message))
        for _ in range(rng.randint(1, 3)):
            place = copy
            inner = copy.get("command")
            if isinstance(inner, dict) and rng.random() < 0.7:
                place = inner
            key = rng.choice([*place, "extra", "seat", "id", "kind"])
            if rng.random() < 0.3:
                place.pop(key, None)
            else:
                place[key] = self._odd()
        return rng.choice([copy, copy, copy, copy, [copy], {"kind": copy}])

    def _odd(self) -> Any:
        rng = self._rng
        value = deepcopy(rng.choice(ODD))
        if rng.random() < 0.02:
            return "x" * rng.choice([301, 1000, 20_000])
        return value

    def _damaged(self, text: bytes) -> bytes:
        """Return a text with bytes cut, changed, doubled or lost."""
        rng, data = self._rng, bytearray(text)
        match rng.randrange(4):
            case 0:
                del data[rng.randrange(len(data)) :]
            case 1:
                for _ in range(rng.randint(1, 5)):
                    data[rng.randrange(len(data))] = rng.randrange(256)
            case 2:
                at = rng.randrange(len(data))
                data[at:at] = data[: rng.randrange(50)]
            case 3:
                del data[rng.randrange(len(data))]
        return bytes(data)

    def _garbage(self) -> bytes:
        rng = self._rng
        match rng.randrange(6):
            case 0:
                return rng.randbytes(rng.randrange(200))
            case 1:
                return rng.choice([b"", b"null", b"[]", b"{}", b"0", b'""', b"NaN", b"\xff"])
            case 2:
                depth = rng.choice([10, 1000, 7000])
                return b"[" * depth + b"]" * rng.choice([0, depth])
            case 3:
                return b'{"kind":"ping","nonce":' + b"9" * rng.choice([5, 100, 5000]) + b"}"
            case 4:
                return b'{"kind":"ping","kind":"act","table":1,"table":2}'
        return b" " * rng.choice([1, 16_000, 17_000, 70_000])


def _text(message: Any) -> bytes:
    return json.dumps(message).encode()


class Answers:
    """Counts answers; fails on those that must never occur."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def check(self, answer: dict[str, Any], sent: bytes) -> None:
        """Check the answer to a message."""
        kind = answer["kind"]
        self.counts[f"{kind} {answer.get('code', '')}".strip()] += 1
        assert kind in ("table", "refused", "presence", "your-turn", "pong", "bye"), answer
        if kind == "bye":
            assert answer["reason"] != "restart", f"the server failed over {sent!r}"
        if kind == "refused":
            assert len(answer["text"]) < 1000
            for card in CARD:
                assert card not in answer["text"] or card.encode() in sent, answer
