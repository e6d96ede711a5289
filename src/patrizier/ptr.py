"""Game records (PTR): whole games as text, to save, replay and exchange.

A record holds the full deal, not a seed, so it can be replayed without this program. Reading
is strict: every turn must be legal, and the stated result must match.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from patrizier.deal import Deal
from patrizier.errors import DealError, IllegalMove, InvalidMove, RecordError
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.deck import Deck, DeckError

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_-]*) "((?:[^"\\]|\\.)*)"\]')
_WORD = re.compile(r"\{[^{}]*\}|[{}]|[^\s{}]+")
_ROUND = re.compile(r"[0-9]+\.")
_FORMAT_VERSION = "1"


@dataclass(frozen=True)
class GameRecord:
    """One recorded game: tags, turns, and the comments between them."""

    tags: Mapping[str, str]  # in the order of the file, as written there (escapes included)
    moves: tuple[Move, ...]
    comments: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by turns before them

    @classmethod
    def of(
        cls, game: Game, names: Iterable[str] = (), tags: Mapping[str, str] | None = None
    ) -> "GameRecord":
        """Return the record of a game, finished or not; an unfinished turn is left out."""
        options, names = game.options, list(names)
        if names and len(names) != options.players:
            raise ValueError(f"{len(names)} names for {options.players} players")
        all_tags = {
            "Game": "Patrizier",
            "Version": _FORMAT_VERSION,
            "Players": str(options.players),
        }
        if names:
            all_tags["Names"] = "/".join(_escape_name(name) for name in names)
        all_tags["Colours"] = "/".join(options.colours)
        all_tags["Rules"] = options.rules_text
        all_tags["Deck"] = options.deck.name
        if options.deck != Deck.classic():
            all_tags["Cards"] = options.deck.cards_text
        all_tags["Start"] = str(game.deal.start + 1)
        all_tags["Deal"] = str(game.deal)
        all_tags |= _result_tags(game)
        for name, value in (tags or {}).items():
            if name in all_tags:
                raise ValueError(f"the tag {name} is reserved: the program writes it")
            all_tags[name] = _escape(value)
            if not _TAG.fullmatch(f'[{name} "{all_tags[name]}"]'):
                raise ValueError(f"{name!r} is not a valid tag name")
        return cls(all_tags, tuple(game.moves))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; empty if the record gives none."""
        if "Names" not in self.tags:
            return ()
        names = [""]
        for token in re.findall(r"\\.|[^\\]", self.tags["Names"]):
            if token == "/":
                names.append("")
            else:
                names[-1] += token[-1]
        return tuple(names)

    def game(self) -> Game:
        """Return the game at the end of the record, ready to continue."""
        options, deal = _read_setup(self.tags, {}, 0)
        game = Game(options, deal=deal)
        for move in self.moves:
            game.play(move)
        return game

    def __str__(self) -> str:
        lines = [f'[{name} "{value}"]' for name, value in self.tags.items()]
        return "\n".join([*lines, "", *self._turn_lines()]) + "\n"

    def _turn_lines(self) -> Iterator[str]:
        players = int(self.tags["Players"])
        if before := self.comments.get(0):
            yield " ".join(f"{{{comment}}}" for comment in before)
        for first in range(0, len(self.moves), players):
            words = [f"{first // players + 1}."]
            for number, move in enumerate(self.moves[first : first + players], first + 1):
                words.append(move.text)
                words += (f"{{{comment}}}" for comment in self.comments.get(number, ()))
            yield " ".join(words)


def write_games(records: Iterable[GameRecord]) -> str:
    """Return several games as one text."""
    return "\n".join(str(record) for record in records)


def read_games(text: str) -> list[GameRecord]:
    """Read all games of a text; `RecordError` gives line, turn and reason of the first error."""
    return list(iter_games(text))


def load_games(path: str | Path) -> list[GameRecord]:
    """Read all games of a file."""
    data = Path(path).read_bytes()
    try:
        return read_games(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RecordError("not UTF-8 text", line) from None


def iter_games(text: str) -> Iterator[GameRecord]:
    """Read the games of a text one by one."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    starts = [n for n, line in enumerate(lines) if line.startswith("[Game ")]
    head = starts[0] if starts else len(lines)
    for number, line in enumerate(lines[:head], 1):
        if line.strip():
            raise RecordError(
                'a game starts with [Game "Patrizier"]', number, rule="record-beginning"
            )
    if not starts:
        raise RecordError("the text contains no game", 1, rule="record-empty")
    for first, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield _read_game(lines[first:end], first + 1)


def _read_game(lines: list[str], first_line: int) -> GameRecord:
    tags: dict[str, str] = {}
    tag_lines: dict[str, int] = {}
    body = len(lines)
    for offset, line in enumerate(lines):
        number = first_line + offset
        if not line.strip():
            body = offset + 1
            break
        match = _TAG.fullmatch(line)
        if match is None:
            reason, rule = "tags and turns are separated by a blank line", "record-blank"
            if line.startswith("["):
                reason, rule = 'not a tag: [Name "value"]', "record-form"
            raise RecordError(reason, number, word=_short(line), rule=rule)
        name, value = match.groups()
        if name in tags:
            reason = f"the tag {name} appears twice"
            raise RecordError(reason, number, rule="record-twice", tag=_short(name))
        tags[name], tag_lines[name] = value, number
    options, deal = _read_setup(tags, tag_lines, first_line)
    game = Game(options, deal=deal)
    comments = _play_turns(game, lines[body:], first_line + body)
    _check_result(game, tags, tag_lines)
    return GameRecord(tags, tuple(game.moves), comments)


def _read_setup(
    tags: Mapping[str, str], lines: Mapping[str, int], first_line: int
) -> tuple[Options, Deal]:
    """Return the options and the deal given by the tags."""

    def fail(
        tag: str, reason: object, rule: str = "record-value", **values: str | int
    ) -> RecordError:
        values = values or {"tag": tag}
        return RecordError(f"{tag}: {reason}", lines.get(tag, first_line), None, "", rule, **values)

    if tags.get("Game") != "Patrizier":
        raise fail("Game", 'must be "Patrizier"')
    if tags.get("Version", _FORMAT_VERSION) != _FORMAT_VERSION:
        raise fail("Version", f"this program reads version {_FORMAT_VERSION}")
    for tag in ("Players", "Start", "Deal"):
        if tag not in tags:
            raise fail(tag, "this tag is required", "record-missing")
    if tags["Players"] not in ("2", "3", "4", "5"):
        raise fail("Players", "the game is for 2 to 5")
    players = int(tags["Players"])
    if tags["Start"] not in [str(seat + 1) for seat in range(players)]:
        raise fail("Start", f"a seat from 1 to {players}")
    if "Names" in tags and len(GameRecord(tags, ()).names) != players:
        raise fail("Names", f"{players} names separated by /")
    try:
        deck = _read_deck(tags)
    except DeckError as error:
        tag = "Cards" if "Cards" in tags else "Deck"
        rule = f"deck-{error.rule}" if error.rule else "record-value"
        raise fail(tag, error, rule, **error.values) from None
    if players == MAX_PLAYERS and not deck.has_pistoia:
        raise fail(
            "Cards", "five players need the cards of Pistoia", "deck-pistoia", deck=deck.name
        )
    rules = tags.get("Rules", "").split(",") if tags.get("Rules") else []
    if len(set(rules)) != len(rules):
        raise fail("Rules", "an option appears twice")
    colours = tags["Colours"].split("/") if "Colours" in tags else ()
    try:
        Options(players, rules, deck)
    except ValueError as error:
        raise fail("Rules", error) from None
    try:
        options = Options(players, rules, deck, colours)
    except ValueError as error:
        raise fail("Colours", error) from None
    try:
        deal = Deal.from_text(tags["Deal"], int(tags["Start"]) - 1)
        deal.check(options)
    except DealError as error:
        rule = f"record-deal-{error.rule}" if error.rule else "record-value"
        raise fail("Deal", error, rule, **error.values) from None
    return options, deal


def _read_deck(tags: Mapping[str, str]) -> Deck:
    name = tags.get("Deck", "classic")
    if "Cards" not in tags:
        if name != "classic":
            raise DeckError(f"the deck {name!r} must be written out in a tag Cards")
        return Deck.classic()
    if name == "classic" and "Deck" in tags:
        raise DeckError("the classic deck is not written out: leave out the tag Cards")
    cards: dict[str, str] = {}
    for word in tags["Cards"].split(" "):
        card, equals, face = word.partition("=")
        if not equals or card in cards:
            raise DeckError(f"{word!r}: write every card once, as CARD=FACE")
        cards[card] = face
    return Deck.of(name if "Deck" in tags else "custom", cards)


def _play_turns(game: Game, lines: list[str], first_line: int) -> dict[int, tuple[str, ...]]:
    """Play the turns of a record; return its comments."""
    text = "\n".join(lines)
    comments: dict[int, tuple[str, ...]] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        line = first_line + text.count("\n", 0, match.start())
        turn = game.turn + 1
        if word in ("{", "}"):
            reason = "unbalanced braces of a comment"
            raise RecordError(reason, line, turn, rule="record-braces")
        if word.startswith("{"):
            comments[game.turn] = (*comments.get(game.turn, ()), word[1:-1])
        elif not _ROUND.fullmatch(word):
            try:
                game.play(word)
            except (InvalidMove, IllegalMove) as error:
                reason = str(error).removeprefix(f"{word}: ").removeprefix(f"{word!r} is ")
                kind = "rule" if isinstance(error, IllegalMove) else "form"
                rule = f"{kind}-{error.rule}"
                raise RecordError(reason, line, turn, _short(word), rule, **error.values) from None
    return comments


def _result_tags(game: Game) -> dict[str, str]:
    outcome = game.outcome()
    if outcome is None:
        return {"Result": "*"}
    winners = "/".join(str(seat + 1) for seat in outcome.winners)
    return {"Result": "/".join(map(str, outcome.points)), "Winners": winners}


def _check_result(game: Game, tags: Mapping[str, str], lines: Mapping[str, int]) -> None:
    right = _result_tags(game)
    for tag in ("Result", "Winners"):
        if tag in tags and tags[tag] != right.get(tag):
            reason, rule = f"{tag}: the game is not finished", "record-unfinished"
            if tag in right:
                reason, rule = f'{tag}: it should read "{right[tag]}"', "record-result"
            raise RecordError(
                reason, lines[tag], game.turn, rule=rule, tag=tag, right=right.get(tag, "")
            )


def _escape(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"{text!r} contains characters that a record cannot hold")
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _escape_name(name: str) -> str:
    if not name:
        raise ValueError("a player's name must not be empty")
    return _escape(name).replace("/", "\\/")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
