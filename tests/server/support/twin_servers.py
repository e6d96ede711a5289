"""The same game on two servers, with other hidden cards.

Everything that one client receives, on its socket and in responses, is recorded. As long as its
seat cannot know the difference, both recordings must be equal, byte for byte.
"""

import hashlib
import itertools
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
from websockets.sync.client import ClientConnection

from patrizier import Deal, Game, Options
from patrizier.rules.board import CARDS
from patrizier.server.deal.dealer import Dealer
from patrizier.server.http.collaborators import Collaborators
from patrizier.server.people.identity import Identity, Signatures, cookie_name
from patrizier.server.store.rows import Pulse
from patrizier.server.table.setup import TableSetup
from patrizier.server.workers.pool import WorkerPool
from server.support.hidden_cards import other_deal
from server.support.serving import Serving, serving

_log = logging.getLogger(__name__)

NOON = 1_700_000_000.0
KEY = "a signing secret of more than thirty-two characters"
_TIMEOUT = 30.0  # seconds
# The clock moves a little with every step. A whole game takes less than AWAY: servers send
# heartbeats by real time, and between two of them nothing may look like an absence, which credits
# time to clocks.
_TICK = 1 / 64  # seconds
_VOLATILE = ("date",)  # headers that always differ


class FixedDealer(Dealer):
    """Deals what the test wants; it is also the servers' clock."""

    def __init__(self) -> None:
        self.now = NOON
        self.secret = bytes(32)
        self.deal: Deal | None = None

    def __call__(self) -> float:
        return self.now

    def agree(self, _pulse: Pulse) -> float:
        return self.now

    def new_secret(self) -> bytes:
        return self.secret

    def commit(
        self, _secret: bytes, table_id: str, _options: Options, _not_first: int | None = None
    ) -> str:
        return hashlib.sha256(table_id.encode()).hexdigest()  # the same for all secrets

    def derive(self, *_: object) -> Deal:
        assert self.deal is not None
        return self.deal


class NoWorkers(WorkerPool):
    """Starts no processes for bots that never play."""

    async def warm_up(self) -> None:
        pass


@dataclass(frozen=True)
class Step:
    """A step of a game, the same in both runs."""

    who: str  # a person, or "viewer" for something that only asks
    command: dict[str, Any] | None = None
    request: str = ""  # a path to get
    change: Callable[[Game], None] | None = None  # what it does to the game


@dataclass
class Scenario:
    """A game: its setup and its steps."""

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
        """The person whose messages are recorded."""
        if self.viewer is None:
            return f"{self.name}-watcher-0123456789"
        return self.people[self.viewer]

    def game_after(self, count: int) -> Game:
        """Return the game after this many steps."""
        game = Game(self.setup.options, deal=self.deal)
        for step in self.steps[:count]:
            if step.change is not None:
                step.change(game)
        return game


class Run:
    """One game on one server, and all that the client received."""

    def __init__(
        self, server: Serving, dealer: FixedDealer, scenario: Scenario, deal: Deal, secrets: Random
    ) -> None:
        self._server = server
        self._dealer = dealer
        self._scenario = scenario
        self._signatures = Signatures(KEY, now=lambda: dealer.now)
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

    def __enter__(self) -> "Run":
        dealer, scenario = self._dealer, self._scenario
        dealer.secret, dealer.deal, dealer.now = self.secret, self._deal, NOON
        body = {"id": "create", "setup": scenario.setup.model_dump(mode="json")}
        made = self._ask(scenario.people[0], "POST", "/api/tables", body)
        self.table = made.json()["table"]
        for person in scenario.people[1:]:
            self._act(person, {"kind": "join"})
        self.notes.append([])
        self._open_line()
        for seat, person in enumerate(scenario.people):
            given = self._secrets.randbytes(32).hex()
            if seat == scenario.viewer:
                given = "5e" * 32  # the client knows its own
            self.contributions.append(given)
            command = {"kind": "contribute", "seat": seat, "contribution": given}
            self._happen(Step(person, command))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def do(self, step: Step) -> None:
        """Carry out a step, and record what the client receives."""
        self.notes.append([])
        self._dealer.now += _TICK
        self._happen(step)

    def _happen(self, step: Step) -> None:
        client = self._scenario.client
        if step.request:
            answer = self._ask(client, "GET", step.request.replace("{table}", self.table))
            headers = sorted((k, v) for k, v in answer.headers.items() if k not in _VOLATILE)
            self._note(f"{answer.status_code} {headers} {answer.text}")
        elif step.who == client:
            self._act_on_line(step.command)
        else:
            seq = self._act(step.who, step.command).json().get("seq", 0)
            self._hear(lambda told: told["kind"] == "table" and told["seq"] >= seq)

    def _open_line(self) -> None:
        headers = {"Cookie": self._cookie(self._scenario.client), "Origin": self._server.url}
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


@dataclass(frozen=True)
class Twins:
    """Servers that differ only in the folder of their database, and the dealer of all."""

    dealer: FixedDealer
    one: Serving
    others: list[Serving]
    another: Callable[[], Serving]  # starts one more


@contextmanager
def equal_servers(folder: Path, count: int) -> Iterator[Twins]:
    """Run servers that differ only in the folder of their database."""
    dealer = FixedDealer()
    given = Collaborators(time=dealer, dealer=dealer, watch_key=lambda: "k" * 16, workers=NoWorkers)
    numbers = itertools.count()
    with ExitStack() as stack:

        def another() -> Serving:
            place = folder / str(next(numbers))
            return stack.enter_context(serving(place, given, secret=KEY))

        one, *others = (another() for _ in range(count))
        yield Twins(dealer, one, others, another)


# -- inventing a scenario while it is played


def play_scenario(run: Run, scenario: Scenario, rng: Random) -> None:
    """Play a whole game, with requests and wrong commands in between."""
    game = Game(scenario.setup.options, deal=scenario.deal)

    def happen(step: Step) -> None:
        scenario.steps.append(step)
        run.do(step)
        if step.change is not None:
            step.change(game)

    while not game.is_over:
        if rng.random() < 0.5:
            happen(_question(scenario, game, rng))
        if game.seat == scenario.viewer and rng.random() < 0.8:
            happen(_impossible(scenario, game, rng))
        if rng.random() < 0.15 and scenario.viewer is not None:
            _ask_undo(run, scenario, game, happen, rng)
        if game.is_over:
            break
        _turn(scenario, game, happen, rng)
    for request in ("/api/tables/{table}", "/api/tables/{table}/record", "/api/my/tables"):
        happen(Step("viewer", request=request))


def _turn(scenario: Scenario, game: Game, happen: Callable[[Step], None], rng: Random) -> None:
    """Play a turn, as a whole or decision by decision."""
    seat, turn = game.seat, game.turn
    assert seat is not None
    person = scenario.people[seat]
    moves = [move.text for move in game.legal_moves]
    known = [move for move in moves if move[:3] not in scenario.deal.hands[seat]]
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


def _question(scenario: Scenario, game: Game, rng: Random) -> Step:
    """Return a request of the client, or a command that it may not give."""
    requests = [
        "/api/tables/{table}", "/api/tables/{table}?since=3", "/api/tables/{table}/record",
        "/api/tables/{table}/replay", "/api/lessons", "/api/lessons/tie", "/api/config",
        "/api/my/tables", "/api/tables", "/api/my/games", "/api/me",
    ]  # fmt: skip
    if rng.random() < 0.4:
        return Step("viewer", request=rng.choice(requests))
    own = scenario.viewer if scenario.viewer is not None else 0
    seat = rng.choice([own, rng.randrange(scenario.setup.players)])
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
    return Step(scenario.client, rng.choice(wrong))


def _impossible(scenario: Scenario, game: Game, rng: Random) -> Step:
    """Return a turn with a card that the client does not hold, wherever that is."""
    assert scenario.viewer is not None
    view = game.view(scenario.viewer)
    unseen = [*view.unseen, *(card for seat in view.seats for card in seat.pile)]
    card = rng.choice([card for card in unseen if card not in view.seats[scenario.viewer].hand])
    sites = rng.choice(
        ["L", "R"] if scenario.setup.options.deck[card].crests == 1 else ["LL", "LR"]
    )
    command = {"seat": scenario.viewer, "at_turn": game.turn}
    if rng.random() < 0.5:
        return Step(scenario.client, {"kind": "play", "move": f"{card}:{sites}", **command})
    decision = {"kind": "decide", "decision": f"{card}:{sites}", "at_step": 0}
    return Step(scenario.client, decision | command)


def _ask_undo(
    run: Run, scenario: Scenario, game: Game, happen: Callable[[Step], None], rng: Random
) -> None:
    """Ask to take turns back; if that is possible, the others agree or not."""
    back = rng.randint(1, 2)
    to_turn = game.turn - back
    if to_turn < 0:
        return
    seat = scenario.viewer
    ask = {"kind": "ask-undo", "seat": seat, "to_turn": to_turn, "at_turn": game.turn}
    happen(Step(scenario.client, ask))
    if json.loads(run.notes[-1][-1])["kind"] == "refused":
        return
    agreed = rng.random() < 0.7
    others = [other for other in range(scenario.setup.players) if other != seat]
    for number, other in enumerate(others):
        answer = {"kind": "answer-undo", "seat": other, "to_turn": to_turn, "yes": agreed}
        is_last = number == len(others) - 1
        change = partial(_take_back, back) if agreed and is_last else None
        happen(Step(scenario.people[other], answer, change=change))
        if not agreed:
            return


def compare(
    twins: Twins,
    server: Serving,
    scenario: Scenario,
    notes: Sequence[list[str]],
    cut: int,
    rng: Random,
) -> bool:
    """Replay a scenario up to a step with other secrets; return whether the deal differed.

    A leak shows every time. A difference that another replay with the same secrets does not have
    comes from timing, and is only logged.
    """
    deal = other_deal(scenario.game_after(cut), scenario.viewer, rng)
    secrets = rng.getrandbits(64)

    def difference(server: Serving) -> str:
        with Run(server, twins.dealer, scenario, deal, Random(secrets)) as run:
            for step in scenario.steps[:cut]:
                run.do(step)
        assert len(run.notes) == cut + 1
        for number, (one, two) in enumerate(zip(notes, run.notes, strict=False)):
            if one != two:
                what = str(scenario.steps[number - 1]) if number else "the start"
                return f"step {number}: {what}\n{_difference(one, two)}"
        return ""

    found = difference(server)
    if found:
        again = difference(twins.another())
        assert not again, f"{found}\n\nand again {again}"
        _log.warning("a difference that did not come again: %s", found)
    return deal != scenario.deal


def _difference(one: Sequence[str], two: Sequence[str]) -> str:
    """Return where two recordings of a step part, in short."""
    if len(one) != len(two):
        return f"{len(one)} and {len(two)} messages: {one!r:.2000}\n{two!r:.2000}"
    for first, second in zip(one, two, strict=True):
        pairs = enumerate(zip(first, second, strict=False))
        at = next((at for at, (a, b) in pairs if a != b), None)
        if at is not None:
            part = slice(max(0, at - 300), at + 300)
            return f"...{first[part]}\n...{second[part]}"
    return "one is longer"
