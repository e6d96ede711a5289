"""Order cards and decks: card faces, deck files, and the checks of a deck."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import CARD_INDEX, CARDS, CITIES, CITY_INDEX, HAND, SUPPLY, cards_in_play

NOBLES = {"L": "Lady", "B": "Banker", "K": "Knight"}

# A face in one byte, as the kernels read it.
SECOND_CREST = 1
FREE_DRAW = 2
SPECIAL_ACTION = 4
STAR = 8
NOBLE_SHIFT = 4  # two bits: which noble, in the order of NOBLES
HEADS_SHIFT = 6  # two bits: how many portraits

_FACE = re.compile(r"(2|\?|>|L|B|K|LL|BB|KK)(\*?)")
_POWERS = {"2": SECOND_CREST, "?": FREE_DRAW, ">": SPECIAL_ACTION}
_LONGEST_NAME = 60


class DeckError(ValueError):
    """A deck that cannot be played, with the card and the rule it breaks."""

    def __init__(self, text: str, rule: str = "", **values: str | int) -> None:
        super().__init__(text)
        self.rule = rule  # its key, for translation; empty if the file cannot be parsed
        self.values = values  # the parameters of the message


@dataclass(frozen=True, slots=True)
class Face:
    """What one order card shows beside the crest of its city."""

    text: str  # as in a deck file: "2", "?", ">", "L", "BB", with "*" for a star

    def __post_init__(self) -> None:
        if not _FACE.fullmatch(self.text):
            raise DeckError(
                f"{self.text!r} is not a card face: write 2, ?, >, L, B, K, LL, BB or KK, "
                "followed by * for a star",
                "no-face",
                face=self.text,
            )

    @property
    def crests(self) -> int:
        """Floors to build."""
        return 2 if self.text[0] == "2" else 1

    @property
    def free_draw(self) -> bool:
        """Whether the card of any city may be taken."""
        return self.text[0] == "?"

    @property
    def special_action(self) -> bool:
        """Whether a floor may be moved."""
        return self.text[0] == ">"

    @property
    def noble(self) -> str | None:
        """Whose portrait it shows: L, B, K or none."""
        return self.text[0] if self.text[0] in NOBLES else None

    @property
    def heads(self) -> int:
        """How many portraits it shows."""
        return self.text.count(self.noble) if self.noble else 0

    @property
    def star(self) -> bool:
        """Whether it carries a star."""
        return self.text.endswith("*")

    @property
    def byte(self) -> int:
        """The face as the kernels read it."""
        bits = _POWERS.get(self.text[0], 0) | (STAR if self.star else 0)
        if self.noble:
            bits |= "LBK".index(self.noble) << NOBLE_SHIFT | self.heads << HEADS_SHIFT
        return bits


def face_of_byte(byte: int) -> str:
    """Return the text of a face byte; DeckError if no card shows that.

    >>> face_of_byte(Face("BB*").byte)
    'BB*'
    """
    powers = {bits: text for text, bits in _POWERS.items()}
    heads = byte >> HEADS_SHIFT
    text = powers.get(byte & 7, "LBK?"[byte >> NOBLE_SHIFT & 3] * heads)
    text += "*" if byte & STAR else ""
    if Face(text).byte != byte:
        raise DeckError(f"no card shows {byte:#010b}")
    return text


@dataclass(frozen=True)
class Deck:
    """A whole set of order cards, checked when it is made.

    A deck without Pistoia's cards is for two to four players.

    >>> Deck.classic()["BO7"].text
    'LL'
    """

    name: str
    faces: tuple[tuple[str, Face], ...]  # card id and face, in city order

    def __post_init__(self) -> None:
        _check_name(self.name)
        object.__setattr__(self, "_by_card", dict(self.faces))
        object.__setattr__(self, "_bytes", {})
        _check(self)

    @classmethod
    def classic(cls) -> "Deck":
        """Return the reconstructed deck that is played by default."""
        return _classic()

    @classmethod
    def of(cls, name: str, cards: Mapping[str, str]) -> "Deck":
        """Make a deck from card ids and faces: ``{"BO1": "2", ...}``."""
        unknown = [card for card in cards if card not in CARD_INDEX]
        if unknown:
            raise DeckError(f"{unknown[0]}: there is no such card", "no-card", card=unknown[0])
        faces = []
        for card in sorted(cards, key=CARD_INDEX.__getitem__):
            try:
                faces.append((card, Face(cards[card])))
            except DeckError as error:
                raise DeckError(f"{card}: {error}", error.rule, card=card, **error.values) from None
        return cls(name, tuple(faces))

    @classmethod
    def from_toml(cls, text: str, name: str = "custom") -> "Deck":
        """Read a deck file; ``name`` is the default name."""
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise DeckError(f"not a TOML file: {error}") from None
        extra = sorted(set(data) - {"name", "cards"})
        if extra:
            raise DeckError(f"unknown entry {extra[0]!r}: a deck file has `name` and [cards]")
        return cls.of(_name(data.get("name", name)), dict(_cards(data.get("cards"))))

    @classmethod
    def load(cls, path: str | Path) -> "Deck":
        """Read a deck file from disk."""
        path = Path(path)
        try:
            return cls.from_toml(path.read_text("utf-8"), name=path.stem)
        except UnicodeDecodeError:
            raise DeckError("not a UTF-8 text file") from None

    @cached_property
    def texts(self) -> dict[str, str]:
        """The face of every card as text."""
        return {card: face.text for card, face in self.faces}

    def __getitem__(self, card: str) -> Face:
        """Return the face of a card."""
        faces: dict[str, Face] = self.__dict__["_by_card"]
        return faces[card]

    def __contains__(self, card: object) -> bool:
        """Whether the deck has this card."""
        return card in self.__dict__["_by_card"]

    @property
    def has_pistoia(self) -> bool:
        """Whether it is complete for five players."""
        return "PI1" in self

    @property
    def cards_text(self) -> str:
        """The deck as the ``Cards`` tag of a game record."""
        return " ".join(f"{card}={face.text}" for card, face in self.faces)

    def to_toml(self) -> str:
        """Write the deck as a deck file."""
        lines = [f'name = "{self.name}"', "", "[cards]"]
        for city in CITIES:
            faces = [f'"{face.text}"' for card, face in self.faces if card[:2] == city.code]
            if faces:
                lines.append(f"{city.code} = [{', '.join(faces)}]")
        return "\n".join(lines) + "\n"

    def bytes_in_play(self, players: int) -> npt.NDArray[np.uint8]:
        """Return every card's face byte; 0 for cards that are out of the game."""
        known: dict[int, npt.NDArray[np.uint8]] = self.__dict__["_bytes"]  # a game asks every time
        if players not in known:
            faces = np.zeros(len(CARDS), np.uint8)
            for card in cards_in_play(players):
                faces[CARD_INDEX[card]] = self[card].byte
            known[players] = faces
        return known[players].copy()


@cache
def _classic() -> Deck:
    return Deck.from_toml(_classic_file())


def _classic_file() -> str:
    return (resources.files(__package__) / "decks" / "classic.toml").read_text("utf-8")


@cache
def _classic_text() -> str:
    cards = _cards(tomllib.loads(_classic_file())["cards"])
    return " ".join(f"{card}={face}" for card, face in cards)


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise DeckError("`name` must be a text in quotes")
    return value


def _check_name(name: str) -> None:
    if not name.isprintable() or not name.strip() or set(name) & {'"', "\\"}:
        raise DeckError("a deck's name is plain printable text without \" and \\", "name")
    if len(name) > _LONGEST_NAME:
        raise DeckError(f"a deck's name has at most {_LONGEST_NAME} characters", "name")


def _cards(table: object) -> Iterable[tuple[str, str]]:
    if not isinstance(table, dict):
        raise DeckError("the deck file has no [cards] table")
    for code, faces in table.items():
        if code not in CITY_INDEX:
            raise DeckError(f"{code}: there is no such city")
        if not isinstance(faces, list) or not all(isinstance(face, str) for face in faces):
            raise DeckError(f'{code}: write its cards as a list of texts, like ["2", "?", "L*"]')
        wanted = CITIES[CITY_INDEX[code]].cards
        if len(faces) != wanted:
            raise DeckError(f"{code} has {len(faces)} cards, and needs exactly {wanted}")
        for number, face in enumerate(faces, 1):
            yield f"{code}{number}", face


def _check(deck: Deck) -> None:
    """Raise DeckError unless every game with this deck can be played to its end."""
    _check_cities(deck)
    if deck.name == "classic" and deck.cards_text != _classic_text():
        raise DeckError("the name classic belongs to the deck that comes with the game", "classic")
    for players in (2, 3, 4, 5) if deck.has_pistoia else (2, 3, 4):
        cards = cards_in_play(players)
        stars = sum(deck[card].star for card in cards)
        if stars < HAND * players:
            raise DeckError(
                f"{stars} star cards for {players} players: the deal needs {HAND * players}, "
                f"{HAND} for each",
                "stars",
                stars=stars,
                players=players,
                needed=HAND * players,
            )
        floors = most_floors(deck, players)
        if floors > SUPPLY[players]:
            raise DeckError(
                f"with {players} players one player could need {floors} floors, "
                f"and has only {SUPPLY[players]}: fewer cards with 2, or without their stars",
                "floors",
                players=players,
                floors=floors,
                supply=SUPPLY[players],
            )


def _check_cities(deck: Deck) -> None:
    present = {card[:2] for card, _ in deck.faces}
    for city in CITIES:
        if city.code == "PI" and city.code not in present:
            continue
        crests = 0
        for number in range(1, city.cards + 1):
            card = f"{city.code}{number}"
            if card not in deck:
                raise DeckError(
                    f"{card} is missing: {city.name} has {city.cards} cards",
                    "missing",
                    card=card,
                    city=city.name,
                    cards=city.cards,
                )
            crests += deck[card].crests
        if crests != city.capacity:
            raise DeckError(
                f"{city.code}1 to {city.code}{city.cards}: their crests add up to {crests}, "
                f"and {city.name} has room for exactly {city.capacity} floors",
                "crests",
                city=city.name,
                crests=crests,
                capacity=city.capacity,
            )


def most_floors(deck: Deck, players: int) -> int:
    """Return the most floors one player can ever need: three star cards, then the best of the rest.

    >>> [most_floors(Deck.classic(), players) for players in (2, 3, 4, 5)]
    [39, 29, 21, 19]
    """
    cards = cards_in_play(players)
    stars = sorted((deck[c].crests for c in cards if deck[c].star), reverse=True)
    others = [deck[c].crests for c in cards if not deck[c].star] + stars[HAND:]
    turns = len(cards) // players
    return sum(stars[:HAND]) + sum(sorted(others, reverse=True)[: turns - HAND])
