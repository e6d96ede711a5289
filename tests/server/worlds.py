"""The same game on two servers, in worlds that differ only in what one seat may not know.

Everything that one client receives, on its socket and to its requests, is written down; as far as
the worlds cannot be told apart by the rules, it has to be the same, byte for byte.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import httpx
from websockets.sync.client import ClientConnection

from patrizier import Deal, Game, Options
from patrizier.rules.board import CARDS
from patrizier.server.people.identity import Identity, Signatures, cookie_name
from patrizier.server.store.rows import Pulse
from patrizier.server.table.setup import TableSetup
from server.serving import Serving, serving

NOON = 1_700_000_000.0
KEY = "a signing secret of more than thirty-two characters"
_TIMEOUT = 30.0  # seconds
_DULL = ("date",)  # headers that differ by nature


class Fate:
    """What chance gives the table that is being made, instead of real chance."""

    def __init__(self) -> None:
        self.now = NOON
        self.secret = bytes(32)
        self.deal: Deal | None = None

    def __call__(self) -> float:
        return self.now

    def agree(self, _pulse: Pulse) -> float:
        return self.now

    def derive(self, *_: object) -> Deal:
        assert self.deal is not None
        return self.deal

    @contextmanager
    def rules(self) -> Iterator[None]:
        """Let fate decide in all servers of this process."""

        def commit(_secret: bytes, table_id: str, _options: Options) -> str:
            return hashlib.sha256(table_id.encode()).hexdigest()  # of any secret: it is hidden

        async def no_bots(_: object) -> None:
            """Start no processes for bots that never play."""

        chosen = {
            "patrizier.server.thinking.pool.WorkerPool.warm_up": no_bots,
            "patrizier.server.deal.provably_fair.derive_from": self.derive,
            "patrizier.server.runtime.service.new_secret": lambda: self.secret,
            "patrizier.server.runtime.service.commit": commit,
            "patrizier.server.runtime.service.secrets": SimpleNamespace(
                token_urlsafe=lambda _: "k" * 16
            ),
        }
        with ExitStack() as stack:
            for name, value in chosen.items():
                stack.enter_context(patch(name, value))
            yield


@dataclass(frozen=True)
class Step:
    """Something that happens in a game, the same in both worlds."""

    who: str  # a person, or "viewer" for something that only asks
    command: dict[str, Any] | None = None
    request: str = ""  # a path to get
    change: Callable[[Game], None] | None = None  # what it does to the game


@dataclass
class Story:
    """A game: how it was set up, and everything that happened in it."""

    name: str
    setup: TableSetup
    deal: Deal
    viewer: int | None  # seat; None: a watcher
    steps: list[Step] = field(default_factory=list)

    @property
    def people(self) -> list[str]:
        return [f"{self.name}-seat-{seat}-0123456789" for seat in range(self.setup.players)]

    @property
    def client(self) -> str:
        """Whose socket it is that everything is written down of."""
        if self.viewer is None:
            return f"{self.name}-watcher-0123456789"
        return self.people[self.viewer]

    def game_after(self, count: int) -> Game:
        """Return the game after so many steps."""
        game = Game(self.setup.options, deal=self.deal)
        for step in self.steps[:count]:
            if step.change is not None:
                step.change(game)
        return game


class World:
    """One server with one game on it, and the notes of the client."""

    def __init__(
        self, server: Serving, fate: Fate, story: Story, deal: Deal, secrets: Random
    ) -> None:
        self._server = server
        self._fate = fate
        self._story = story
        self._signatures = Signatures(KEY, now=lambda: fate.now)
        self._stack = ExitStack()
        self._http = self._stack.enter_context(
            httpx.Client(base_url=server.url, timeout=_TIMEOUT, trust_env=False)
        )
        self.secret, self.contributions = secrets.randbytes(32), list[str]()
        self._secrets = secrets
        self._deal = deal
        self._number = 0
        self._line: ClientConnection | None = None
        self.table = ""
        self.notes: list[list[str]] = []  # what the client received, step by step

    def __enter__(self) -> "World":
        fate, story = self._fate, self._story
        fate.secret, fate.deal, fate.now = self.secret, self._deal, NOON
        body = {"id": "create", "setup": story.setup.model_dump(mode="json")}
        made = self._ask(story.people[0], "POST", "/api/tables", body)
        self.table = made.json()["table"]
        for person in story.people[1:]:
            self._act(person, {"kind": "join"})
        self.notes.append([])
        self._open_line()
        for seat, person in enumerate(story.people):
            given = self._secrets.randbytes(32).hex()
            if seat == story.viewer:
                given = "5e" * 32  # the client knows its own
            self.contributions.append(given)
            command = {"kind": "contribute", "seat": seat, "contribution": given}
            self._happen(Step(person, command))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def go_on(self, step: Step) -> None:
        """Let one thing happen, and write down what the client receives."""
        self.notes.append([])
        self._fate.now += 1
        self._happen(step)

    def _happen(self, step: Step) -> None:
        client = self._story.client
        if step.request:
            answer = self._ask(client, "GET", step.request.replace("{table}", self.table))
            headers = sorted((k, v) for k, v in answer.headers.items() if k not in _DULL)
            self._note(f"{answer.status_code} {headers} {answer.text}")
        elif step.who == client:
            self._act_on_line(step.command)
        else:
            seq = self._act(step.who, step.command).json().get("seq", 0)
            self._hear(lambda told: told["kind"] == "table" and told["seq"] >= seq)

    def _open_line(self) -> None:
        headers = {"Cookie": self._cookie(self._story.client), "Origin": self._server.url}
        self._line = self._stack.enter_context(self._server.live(**headers))
        self._line.send(json.dumps({"kind": "watch", "table": self.table}))
        self._hear(lambda told: told["kind"] == "presence")

    def _hear(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        assert self._line is not None
        while True:
            text = self._line.recv(_TIMEOUT)
            assert isinstance(text, str)
            self._note(text)
            if wanted(json.loads(text)):
                return

    def _act_on_line(self, command: dict[str, Any] | None) -> None:
        assert self._line is not None
        sent = self._numbered(command)
        self._line.send(json.dumps({"kind": "act", "table": self.table, "command": sent}))
        self._hear(lambda told: sent["id"] in (told.get("answers"), told.get("command")))

    def _act(self, person: str, command: dict[str, Any] | None) -> httpx.Response:
        path = f"/api/tables/{self.table}/commands"
        answer = self._ask(person, "POST", path, self._numbered(command))
        assert answer.status_code == 200, answer.text
        return answer

    def _numbered(self, command: dict[str, Any] | None) -> dict[str, Any]:
        self._number += 1
        return {"id": f"c{self._number}", **(command or {})}

    def _ask(self, person: str, method: str, path: str, body: object = None) -> httpx.Response:
        headers = {
            "Cookie": self._cookie(person),
            "X-Patrizier-Token": self._signatures.token(Identity(person)),
        }
        return self._http.request(method, path, json=body, headers=headers)

    def _cookie(self, person: str) -> str:
        return f"{cookie_name(secure=False)}={self._signatures.sign(Identity(person))}"

    def _note(self, text: str) -> None:
        self.notes[-1].append(text)


@contextmanager
def equal_servers(folder: Path, count: int) -> Iterator[tuple[Fate, list[Serving]]]:
    """Run servers that differ in nothing but the folder of their database."""
    fate = Fate()
    with ExitStack() as stack:
        stack.enter_context(fate.rules())
        servers = [
            stack.enter_context(serving(folder / str(number), clock=fate, secret=KEY))
            for number in range(count)
        ]
        yield fate, servers


# -- making up a story while it happens


def tell_story(world: World, story: Story, rng: Random) -> None:
    """Play a whole game with all sorts of questions and wrong commands in between."""
    game = Game(story.setup.options, deal=story.deal)

    def happen(step: Step) -> None:
        story.steps.append(step)
        world.go_on(step)
        if step.change is not None:
            step.change(game)

    while not game.is_over:
        if rng.random() < 0.5:
            happen(_question(story, game, rng))
        if game.seat == story.viewer and rng.random() < 0.8:
            happen(_impossible(story, game, rng))
        if rng.random() < 0.15 and story.viewer is not None:
            _ask_undo(world, story, game, happen, rng)
        if game.is_over:
            break
        _turn(story, game, happen, rng)
    for request in ("/api/tables/{table}", "/api/tables/{table}/record", "/api/my/tables"):
        happen(Step("viewer", request=request))


def _turn(story: Story, game: Game, happen: Callable[[Step], None], rng: Random) -> None:
    """Let whoever is to move play, at once or decision by decision."""
    seat, turn = game.seat, game.turn
    assert seat is not None
    person = story.people[seat]
    moves = [move.text for move in game.legal_moves]
    known = [move for move in moves if move[:3] not in story.deal.hands[seat]]
    # Starting cards stay in hand for long: they are the secrets.
    move = rng.choice(known if known and rng.random() < 0.8 else moves)
    if rng.random() < 0.6:
        command = {"kind": "play", "seat": seat, "move": move, "at_turn": turn}
        happen(Step(person, command, change=partial(_play, move)))
        return
    number = 0
    while game.turn == turn and not game.is_over:
        code = rng.choice(game.legal_decisions())
        text = game.state.decision_text(code)
        command = {"kind": "decide", "seat": seat, "decision": text, "at_turn": turn}
        happen(Step(person, command | {"at_step": number}, change=partial(_decide, code)))
        number += 1


def _play(move: str, game: Game) -> None:
    game.play(move)


def _decide(code: int, game: Game) -> None:
    game.decide(code)


def _take_back(turns: int, game: Game) -> None:
    game.take_back(turns)


def _question(story: Story, game: Game, rng: Random) -> Step:
    """Return something that the client asks, or does although it may not."""
    requests = [
        "/api/tables/{table}", "/api/tables/{table}?since=3", "/api/tables/{table}/record",
        "/api/tables/{table}/replay", "/api/lessons", "/api/lessons/tie", "/api/config",
        "/api/my/tables", "/api/tables", "/api/my/games", "/api/me",
    ]  # fmt: skip
    if rng.random() < 0.4:
        return Step("viewer", request=rng.choice(requests))
    own = story.viewer if story.viewer is not None else 0
    seat = rng.choice([own, rng.randrange(story.setup.players)])
    card, sites = rng.choice(CARDS), rng.choice(["L", "R", "LL", "LR", "RR"])
    turn = rng.choice([game.turn, game.turn, game.turn + 1, max(0, game.turn - 1)])
    wrong: list[dict[str, Any]] = [
        {"kind": "play", "seat": seat, "move": f"{card}:{sites}@BO-BO", "at_turn": game.turn},
        {"kind": "play", "seat": seat, "move": f"{card}:{sites}", "at_turn": game.turn + 1},
        {"kind": "decide", "seat": seat, "decision": ">XX.L", "at_turn": turn, "at_step": 0},
        {"kind": "take-back", "seat": seat, "to_turn": 0, "at_turn": turn},
        {"kind": "contribute", "seat": seat, "contribution": "00" * 32},
        {"kind": "join"},
        {"kind": "start"},
        {"kind": "offer-rematch"},
    ]
    if game.seat != seat or card not in game.view(seat).seats[seat].hand:
        wrong += 4 * [{"kind": "play", "seat": seat, "move": f"{card}:{sites}", "at_turn": turn}]
        at_step = {"at_turn": turn, "at_step": 0}
        wrong += [{"kind": "decide", "seat": seat, "decision": f"{card}:{sites}", **at_step}]
    return Step(story.client, rng.choice(wrong))


def _impossible(story: Story, game: Game, rng: Random) -> Step:
    """Return a turn with a card that the client does not hold: nobody may say where it is."""
    assert story.viewer is not None
    view = game.view(story.viewer)
    unseen = [*view.unseen, *(card for seat in view.seats for card in seat.pile)]
    card = rng.choice([card for card in unseen if card not in view.seats[story.viewer].hand])
    sites = rng.choice(["L", "R"] if story.setup.options.deck[card].crests == 1 else ["LL", "LR"])
    command = {"seat": story.viewer, "at_turn": game.turn}
    if rng.random() < 0.5:
        return Step(story.client, {"kind": "play", "move": f"{card}:{sites}", **command})
    decision = {"kind": "decide", "decision": f"{card}:{sites}", "at_step": 0}
    return Step(story.client, decision | command)


def _ask_undo(
    world: World, story: Story, game: Game, happen: Callable[[Step], None], rng: Random
) -> None:
    """Ask to take something back; if that is possible, everybody agrees or somebody does not."""
    back = rng.randint(1, 2)
    to_turn = game.turn - back
    if to_turn < 0:
        return
    seat = story.viewer
    ask = {"kind": "ask-undo", "seat": seat, "to_turn": to_turn, "at_turn": game.turn}
    happen(Step(story.client, ask))
    if json.loads(world.notes[-1][-1])["kind"] == "refused":
        return
    agreed = rng.random() < 0.7
    others = [other for other in range(story.setup.players) if other != seat]
    for number, other in enumerate(others):
        answer = {"kind": "answer-undo", "seat": other, "to_turn": to_turn, "yes": agreed}
        is_last = number == len(others) - 1
        change = partial(_take_back, back) if agreed and is_last else None
        happen(Step(story.people[other], answer, change=change))
        if not agreed:
            return


# -- another world


def with_hidden_cards_exchanged(game: Game, viewer: int | None, rng: Random) -> Deal:
    """Return a deal in which all that the viewer has not seen by now is dealt anew."""
    deal, deck = game.deal, game.options.deck
    records = list(game.records)
    pending = game.view(None).pending
    records += [pending] if pending else []
    played = {record.move.card for record in records}
    turned_up = sum(record.refill is not None for record in records)
    held = [
        card
        for seat, hand in enumerate(deal.hands)
        for card in hand
        if seat != viewer and card not in played
    ]
    hidden = held + list(deal.pile[turned_up:])
    stars = rng.sample(stars_of := [card for card in hidden if deck[card].star], len(stars_of))
    rest = [card for card in hidden if card not in stars[: len(held)]]
    rng.shuffle(rest)
    places = dict(zip(hidden, (*stars[: len(held)], *rest), strict=True))
    hands = tuple(tuple(places.get(card, card) for card in hand) for hand in deal.hands)
    pile = tuple(places.get(card, card) for card in deal.pile)
    return Deal(hands, deal.display, pile, deal.start)


def compare(
    fate: Fate, server: Serving, story: Story, notes: Sequence[list[str]], cut: int, rng: Random
) -> bool:
    """Replay a story up to a step in a world with other secrets; return whether it was another."""
    deal = with_hidden_cards_exchanged(story.game_after(cut), story.viewer, rng)
    with World(server, fate, story, deal, rng) as world:
        for step in story.steps[:cut]:
            world.go_on(step)
    assert len(world.notes) == cut + 1
    for number, (one, two) in enumerate(zip(notes, world.notes, strict=False)):
        assert one == two, f"step {number}: {story.steps[number - 1] if number else 'the start'}"
    return deal != story.deal
