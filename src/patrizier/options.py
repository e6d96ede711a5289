"""The choices made before a game: players, variants, deck, colours."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from patrizier.rules.board import COLOURS, MAX_PLAYERS
from patrizier.rules.deck import Deck, DeckError
from patrizier.rules.state import RULES, Cells, blank_cells


def colours_for(players: int) -> tuple[str, ...]:
    """Return the colours available for this number of players.

    Two players need more floors each, which the box has in black and white only; three also red.

    >>> colours_for(3)
    ('black', 'white', 'red')
    """
    return COLOURS[:players] if players < 4 else COLOURS


@dataclass(frozen=True)
class Options:
    """How a game is played.

    >>> Options(players=3, rules={"messengers"}).colours
    ('black', 'white', 'red')
    """

    players: int = 4
    rules: frozenset[str] = frozenset()  # any of RULES: messengers, open-ledger, …
    deck: Deck = field(default_factory=Deck.classic)
    colours: tuple[str, ...] = ()  # by seat; default: the first ones

    def __init__(
        self,
        players: int = 4,
        rules: Iterable[str] = (),
        deck: Deck | None = None,
        colours: Iterable[str] = (),
    ) -> None:
        if isinstance(rules, str):
            raise TypeError("rules is a set of names, not a string: {'messengers'}")
        if type(players) is not int or not 2 <= players <= MAX_PLAYERS:
            raise ValueError(f"{players} players: the game is for 2 to 5")
        if not isinstance(deck, Deck | None):
            raise TypeError(
                f"a deck is a Deck, not a {type(deck).__name__}: Deck.load(path) reads one"
            )
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "rules", frozenset(rules))
        object.__setattr__(self, "deck", deck or Deck.classic())
        object.__setattr__(self, "colours", tuple(colours) or COLOURS[:players])
        self._check()

    def _check(self) -> None:
        unknown = sorted(self.rules - set(RULES))
        if unknown:
            raise ValueError(f"unknown rule {unknown[0]!r}: there are {', '.join(RULES)}")
        if "messenger-at-built-city" in self.rules and "messengers" not in self.rules:
            raise ValueError("messenger-at-built-city requires messengers")
        if self.players == 5 and not self.deck.has_pistoia:
            raise DeckError(
                f"the deck {self.deck.name!r} has no cards of Pistoia for five players",
                "pistoia",
                deck=self.deck.name,
            )
        allowed = colours_for(self.players)
        for colour in self.colours:
            if colour not in allowed:
                raise ValueError(
                    f"{colour!r} is not a colour for {self.players} players: "
                    f"there are {', '.join(allowed)}"
                )
        if len(set(self.colours)) != self.players or len(self.colours) != self.players:
            raise ValueError(f"{self.players} players need {self.players} different colours")

    @property
    def piles_open(self) -> bool:
        """Whether everyone may look through everyone's pile."""
        return "open-ledger" in self.rules

    @property
    def tokens_open(self) -> bool:
        """Whether all tokens and chips lie face up; implied by the open ledger."""
        return self.piles_open or "open-tokens" in self.rules

    @property
    def rules_text(self) -> str:
        """The variants as text, as in records and on the command line."""
        return ",".join(rule for rule in RULES if rule in self.rules)

    def blank_cells(self) -> Cells:
        """Return a blank state of the rules with only these options filled in."""
        rules = sum(RULES[rule] for rule in self.rules)
        return blank_cells(self.players, rules, self.deck.bytes_in_play(self.players))
