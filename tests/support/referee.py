"""A naive referee of Patrizier: slow, literal, and independent of the engine it checks.

Nothing is cached. Whatever can be worked out from the table is worked out anew each time.
"""

from collections.abc import Collection

# City -> capacity. The taller tower's token is worth the capacity, the lower one's three less.
CAPACITY = {
    "BO": 9,
    "FE": 5,
    "FI": 9,
    "LU": 7,
    "MI": 7,
    "PA": 5,
    "PI": 9,
    "RO": 9,
    "SI": 7,
    "VE": 5,
}
# Pairs of neighbouring cities, codes in alphabetical order.
NEIGHBOURS = [
    ("RO", "SI"),
    ("LU", "SI"),
    ("BO", "SI"),
    ("LU", "MI"),
    ("FE", "LU"),
    ("MI", "PA"),
    ("PA", "VE"),
    ("FE", "VE"),
    ("BO", "FE"),
    ("BO", "FI"),
    ("PI", "RO"),
    ("FI", "PI"),
]
SUPPLY = {2: 39, 3: 29, 4: 21, 5: 21}
MESSENGERS_EACH = {2: 2, 3: 2, 4: 1, 5: 1}
NOBLES = "LBK"
OTHER_SITE = {"L": "R", "R": "L"}
OPTIONAL_RULES = {"messengers", "messenger-at-built-city", "open-ledger", "open-tokens"}


class Referee:
    """One game, advanced decision by decision."""

    def __init__(
        self,
        players: int,
        rules: Collection[str],
        cards: dict[str, str],
        hands: list[list[str]],
        display: dict[str, str],
        pile: list[str],
        start: int,
    ) -> None:
        self.rules = set(rules)
        if not self.rules <= OPTIONAL_RULES:
            raise ValueError("unknown option")
        if "messenger-at-built-city" in self.rules and "messengers" not in self.rules:
            raise ValueError("messenger-at-built-city needs messengers")
        self.players = players
        self.cards = dict(cards)
        self.cities = [city for city in CAPACITY if city != "PI" or players == 5]

        self.towers: dict[str, dict[str, list[int]]] = {
            city: {"L": [], "R": []} for city in self.cities
        }
        self.hands: list[list[str]] = [list(hand) for hand in hands]
        self.display: dict[str, str | None] = {city: display[city] for city in self.cities}
        self.pile: list[str] = list(pile)
        self.played: list[list[str]] = [[] for _ in range(players)]
        self.tokens: dict[tuple[str, str], int] = {}
        self.chips: list[int] = [0] * players
        self.supply: list[int] = [SUPPLY[players]] * players
        self.messengers: set[str] = set()
        with_messengers = "messengers" in self.rules
        self.messengers_left: list[int] = [
            MESSENGERS_EACH[players] if with_messengers else 0 for _ in range(players)
        ]

        self.starting_hands = [list(hand) for hand in hands]
        self.phase: str = "build"
        self.seat: int = start
        self.turn: int = 0
        self.card: str = ""  # the card played this turn; "" before it is played

    # ---- decisions ----

    def options(self) -> list[str]:
        """Every legal decision now."""
        if self.phase == "build":
            return self.build_options()
        if self.phase == "move":
            return [*self.moves(), ">"]
        if self.phase == "draw":
            return ["+" + city for city in self.cities_with_a_card()]
        if self.phase == "messenger":
            return [*self.messenger_places(), "@"]
        return []

    def choose(self, text: str) -> None:
        """Take one decision, and then everything that follows without a choice."""
        if text not in self.options():
            raise ValueError(f"not a legal decision now: {text!r}")
        if self.phase == "build":
            card, sites = text.split(":")
            self.play_and_build(card, sites)
            self.special_action_step()
        elif self.phase == "move":
            if text != ">":
                city, site = text[1:].split(".")
                floor = self.towers[city][site].pop()
                self.towers[city][OTHER_SITE[site]].append(floor)
            self.draw_step()
        elif self.phase == "draw":
            self.draw_and_refill(text[1:])
            self.messenger_step()
        else:
            if text != "@":
                self.messengers.add(text[1:])
                self.messengers_left[self.seat] -= 1
            self.end_turn()

    # ---- the card played this turn ----

    def face(self, card: str) -> str:
        """What the card shows, without its star."""
        return self.cards[card].replace("*", "")

    def has_star(self, card: str) -> bool:
        return "*" in self.cards[card]

    def built_city(self) -> str:
        return self.card[:2]

    # ---- steps 1 and 2: play and build ----

    def build_options(self) -> list[str]:
        result = []
        for card in self.hands[self.seat]:
            ways = ["LL", "LR", "RR"] if self.face(card) == "2" else ["L", "R"]
            for sites in ways:
                if self.may_build(card[:2], sites):
                    result.append(f"{card}:{sites}")
        return result

    def may_build(self, city: str, sites: str) -> bool:
        """A city must not become complete with an empty site."""
        left = len(self.towers[city]["L"]) + sites.count("L")
        right = len(self.towers[city]["R"]) + sites.count("R")
        if left + right == CAPACITY[city]:
            return left > 0 and right > 0
        return left + right < CAPACITY[city]

    def play_and_build(self, card: str, sites: str) -> None:
        self.card = card
        self.hands[self.seat].remove(card)
        self.played[self.seat].append(card)
        for site in sites:
            self.towers[card[:2]][site].append(self.seat)
            self.supply[self.seat] -= 1
        if "messenger-at-built-city" not in self.rules:
            self.score_if_complete(card[:2])

    # ---- step 3: special action ----

    def special_action_step(self) -> None:
        if self.face(self.card) == ">" and self.moves():
            self.phase = "move"
        else:
            self.draw_step()

    def moves(self) -> list[str]:
        """Every real move: not where just built, not where scored, only where one owns a floor."""
        result = []
        for city in self.cities:
            if city == self.built_city() or self.is_scored(city):
                continue
            if self.floors_of(self.seat, city) == 0:
                continue
            for site in "LR":
                if self.towers[city][site]:
                    result.append(f">{city}.{site}")
        return result

    # ---- steps 4 and 5: draw and refill ----

    def cities_with_a_card(self) -> list[str]:
        return [city for city in self.cities if self.display[city] is not None]

    def draw_step(self) -> None:
        own_city = self.built_city()
        lying = self.cities_with_a_card()
        free = self.face(self.card) == "?" or own_city not in lying
        if free and len(lying) >= 2:
            self.phase = "draw"
            return
        if free and len(lying) == 1:
            self.draw_and_refill(lying[0])
        elif not free:
            self.draw_and_refill(own_city)
        self.messenger_step()

    def draw_and_refill(self, city: str) -> None:
        card = self.display[city]
        assert card is not None
        self.hands[self.seat].append(card)
        self.display[city] = self.pile.pop(0) if self.pile else None

    # ---- messengers, after the five steps ----

    def messenger_step(self) -> None:
        if (
            "messengers" in self.rules
            and self.has_star(self.card)
            and self.messengers_left[self.seat] > 0
            and self.messenger_places()
        ):
            self.phase = "messenger"
        else:
            self.end_turn()

    def messenger_places(self) -> list[str]:
        result = []
        for one, two in NEIGHBOURS:
            if one not in self.cities or two not in self.cities:
                continue
            if self.built_city() in (one, two) and "messenger-at-built-city" not in self.rules:
                continue
            if f"{one}-{two}" in self.messengers:
                continue
            if self.messengers_at(one) >= 2 or self.messengers_at(two) >= 2:
                continue
            result.append(f"@{one}-{two}")
        return result

    def messengers_at(self, city: str) -> int:
        return sum(city in pair.split("-") for pair in self.messengers)

    # ---- end of a turn ----

    def end_turn(self) -> None:
        if "messenger-at-built-city" in self.rules:
            self.score_if_complete(self.built_city())
        self.turn += 1
        self.card = ""
        if not any(self.hands):
            self.phase = "over"
            return
        self.phase = "build"
        self.seat = (self.seat + 1) % self.players

    # ---- scoring a city ----

    def floors_of(self, seat: int, city: str) -> int:
        return self.towers[city]["L"].count(seat) + self.towers[city]["R"].count(seat)

    def is_scored(self, city: str) -> bool:
        return (city, "taller") in self.tokens

    def score_if_complete(self, city: str) -> None:
        left, right = self.towers[city]["L"], self.towers[city]["R"]
        if len(left) + len(right) < CAPACITY[city]:
            return
        lower, taller = sorted([left, right], key=len)
        for name, tower in (("taller", taller), ("lower", lower)):
            winner = tower_winner(tower)
            self.tokens[city, name] = winner
            self.chips[winner] += 2 * self.messengers_at(city)

    # ---- what a watcher with a perfect memory knows ----

    def known_hand(self, viewer: int | None, seat: int) -> tuple[set[str], int]:
        """Cards the viewer knows to be in the seat's hand, and how many others are in it."""
        hand = set(self.hands[seat])
        if viewer == seat:
            return hand, 0
        hidden = hand & set(self.starting_hands[seat])
        return hand - hidden, len(hidden)

    def unseen(self, viewer: int | None) -> set[str]:
        """Cards the viewer has never seen: in the pile, or dealt to others and not yet played."""
        result = set(self.pile)
        for seat in range(self.players):
            if seat != viewer:
                result |= set(self.hands[seat]) & set(self.starting_hands[seat])
        return result

    # ---- the end of the game ----

    def points(self) -> list[dict[str, int]]:
        """Every seat's points by kind; only when the game is over."""
        self.require_over()
        punished = self.minus_chip_taker()
        result = []
        for seat in range(self.players):
            tokens = 0
            for (city, name), owner in self.tokens.items():
                if owner == seat:
                    tokens += CAPACITY[city] if name == "taller" else CAPACITY[city] - 3
            sets = 0
            for noble in NOBLES:
                heads = sum(self.face(card).count(noble) for card in self.played[seat])
                sets += 6 * (heads // 3)
            line = {"tokens": tokens, "sets": sets, "chips": self.chips[seat]}
            line["minus"] = -3 if seat == punished else 0
            line["total"] = sum(line.values())
            result.append(line)
        return result

    def minus_chip_taker(self) -> int | None:
        """The seat in the fewest towers at messengers, then with the fewest floors there."""
        if "messengers" not in self.rules:
            return None
        cities = [city for city in self.cities if self.messengers_at(city) > 0]
        presence = []
        for seat in range(self.players):
            towers = sum(seat in self.towers[city][site] for city in cities for site in "LR")
            floors = sum(self.floors_of(seat, city) for city in cities)
            presence.append((towers, floors))
        fewest = [seat for seat in range(self.players) if presence[seat] == min(presence)]
        return fewest[0] if len(fewest) == 1 else None

    def winners(self) -> list[int]:
        """Most points, then fewest floors on the board, then shared; only when over."""
        totals = [line["total"] for line in self.points()]
        best = [seat for seat in range(self.players) if totals[seat] == max(totals)]
        floors = {seat: sum(self.floors_of(seat, city) for city in self.cities) for seat in best}
        return [seat for seat in best if floors[seat] == min(floors.values())]

    def require_over(self) -> None:
        if self.phase != "over":
            raise ValueError("the game is not over")


def tower_winner(tower: list[int]) -> int:
    """Most floors; among the tied, the one whose floor lies highest."""
    most = max(tower.count(seat) for seat in tower)
    tied = {seat for seat in tower if tower.count(seat) == most}
    return next(seat for seat in reversed(tower) if seat in tied)
