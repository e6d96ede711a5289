"""A table's settings, fixed when it is made: the game, who may join, the pace."""

from functools import cached_property
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from patrizier.options import Options
from patrizier.rules.deck import Deck, DeckError
from patrizier.server.names import GUEST_BOT, MAX_NAME

PersonId: TypeAlias = str  # opaque, 16 or more url-safe characters; never shown to others
TableId: TypeAlias = str  # the same, and unguessable, since it is the link
Seat: TypeAlias = int

TableLink: TypeAlias = Annotated[  # a table's id, from outside
    str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
]
Phase: TypeAlias = Literal["open", "playing", "finished", "abandoned"]
Role: TypeAlias = Literal["player", "watcher", "outsider"]
Level: TypeAlias = Literal["apprentice", "merchant", "banker", "senator", "doge"]
GuestBotName: TypeAlias = Annotated[  # a bot that the operator of a server invited, or once did
    str,
    Field(
        pattern=rf"^{GUEST_BOT}[A-Za-z0-9][A-Za-z0-9_-]*$",
        max_length=len(GUEST_BOT) + MAX_NAME,
        json_schema_extra={"x-prefix": GUEST_BOT},
    ),
]
BotName: TypeAlias = Level | GuestBotName
Rule: TypeAlias = Literal["messengers", "messenger-at-built-city", "open-ledger", "open-tokens"]
Colour: TypeAlias = Literal["black", "white", "red", "yellow", "blue"]
Watch: TypeAlias = Literal["nobody", "everyone", "link"]
By: TypeAlias = Literal["person", "bot", "stand-in"]  # who played a turn
Why: TypeAlias = Literal["time", "absent", "resigned", "erased"]  # why there is a stand-in
Room: TypeAlias = Literal["players", "watchers"]  # chat rooms


class Form(BaseModel):
    """Base of all messages: frozen, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoClock(Form):
    """No clock."""

    kind: Literal["none"] = "none"


class Realtime(Form):
    """A time budget for the game, plus an increment per turn."""

    kind: Literal["realtime"] = "realtime"
    base: int = Field(ge=10, le=14_400)  # seconds
    increment: int = Field(default=0, ge=0, le=600)  # seconds


class Correspondence(Form):
    """Several days per turn."""

    kind: Literal["correspondence"] = "correspondence"
    days: int = Field(ge=1, le=30)


Pace: TypeAlias = Annotated[NoClock | Realtime | Correspondence, Field(discriminator="kind")]
CardName: TypeAlias = Annotated[str, Field(max_length=12)]  # checked by the deck
FaceText: TypeAlias = Annotated[str, Field(max_length=12)]


class OwnDeck(Form):
    """A deck other than the classic one, card by card."""

    name: str = Field(max_length=200)
    cards: dict[CardName, FaceText] = Field(max_length=120)


class TableSetup(Form):
    """A table's settings; they never change."""

    players: int = Field(default=4, ge=2, le=5)
    rules: tuple[Rule, ...] = Field(default=(), max_length=4)
    deck: OwnDeck | None = None  # None: the classic deck
    colours: tuple[Colour, ...] = Field(default=(), max_length=5)  # by seat; (): the first ones
    seats: tuple[Literal["person"] | BotName, ...] = Field(default=(), max_length=5)  # (): persons
    public: bool = False  # whether the list of open tables shows it
    watch: Watch = "everyone"  # everybody with the table's link, or only with the watchers' link
    memory_help: bool = False  # whether views include what players could remember
    pace: Pace = NoClock()
    rated: bool = False
    stand_in: Level = "merchant"  # level of stand-ins

    @model_validator(mode="after")
    def _check(self) -> Self:
        options = self.options  # raises ValueError
        if len(set(self.rules)) != len(self.rules):
            raise ValueError("a rule is listed twice")
        if self.seats and len(self.seats) != options.players:
            raise ValueError(f"{len(self.seats)} seats for {options.players} players")
        if self.deck and self.deck.name == options.deck.classic().name:
            raise DeckError("the deck named classic is not written out", "classic")
        if self.seats and "person" not in self.seats:
            raise ValueError("at least one seat is for a person")
        return self

    @cached_property  # every message checks it again
    def options(self) -> Options:
        """The options of the game."""
        deck = Deck.of(self.deck.name, self.deck.cards) if self.deck else Deck.classic()
        return Options(self.players, self.rules, deck, self.colours)

    @property
    def plan(self) -> tuple[Literal["person"] | BotName, ...]:
        """The planned seats: person or bot."""
        person: Literal["person"] = "person"
        return self.seats or (person,) * self.players
