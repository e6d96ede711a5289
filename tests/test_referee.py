"""The engine against the naive referee: the same games, compared after every decision."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from patrizier import Deal, Deck, DeckError, Game, Options
from patrizier.rules.board import (
    CARDS,
    CITIES,
    CODES,
    EDGES,
    MAX_PLAYERS,
    cards_in_play,
    cities_in_play,
)
from patrizier.rules.boundary import tally
from patrizier.rules.codes import decision_code
from patrizier.rules.score import winners as winners_in_kernel
from patrizier.rules.state import PLAYED
from patrizier.state import State, unpack
from support.referee import OPTIONAL_RULES, Referee

MESSENGERS = frozenset({"messengers"})
AT_BUILT_CITY = MESSENGERS | {"messenger-at-built-city"}
OPEN = frozenset({"open-ledger", "open-tokens"})
RULES = [frozenset[str](), MESSENGERS, AT_BUILT_CITY]
RULES_IDS = ["base", "messengers", "at-built-city"]
GAMES_EACH = 150  # in each of the two halves of every combination

Position = dict[str, Any]
Style = Callable[[str], float]  # how much a player likes a decision


def referee_of(options: Options, deal: Deal) -> Referee:
    """Seat the referee at the same table."""
    codes = [city.code for city in cities_in_play(options.players)]
    return Referee(
        options.players,
        options.rules,
        {card: face.text for card, face in options.deck.faces},
        [list(hand) for hand in deal.hands],
        dict(zip(codes, deal.display, strict=True)),
        list(deal.pile),
        deal.start,
    )


# ---- comparing positions ----


def told_by_referee(referee: Referee) -> Position:
    over = referee.phase == "over"
    return {
        "phase": referee.phase,
        "seat": None if over else referee.seat,
        "turn": referee.turn,
        "hands": [sorted(hand) for hand in referee.hands],
        "display": {city: card for city, card in referee.display.items() if card},
        "pile": referee.pile,
        "piles": [sorted(pile) for pile in referee.played],
        "tops": [pile[-1] if pile else None for pile in referee.played],
        "towers": [tower for towers in referee.towers.values() for tower in towers.values()],
        "supplies": referee.supply,
        "tokens": referee.tokens,
        "chips": referee.chips,
        "messengers": referee.messengers,
        "messengers left": referee.messengers_left,
    }


def told_by_engine(state: State) -> Position:
    facts = unpack(state._cells)
    seats = range(facts.players)
    in_play = [
        n for n, city in enumerate(CITIES) if facts.players == MAX_PLAYERS or city.code != "PI"
    ]
    where = facts.where
    return {
        "phase": state.phase,
        "seat": state.seat,
        "turn": facts.turn,
        "hands": [[CARDS[card] for card in sorted(facts.hands[s]) if card >= 0] for s in seats],
        "display": {CODES[n]: CARDS[card] for n, card in enumerate(facts.display) if card >= 0},
        "pile": [CARDS[card] for card in reversed(facts.pile[: facts.pile_left])],
        "piles": [
            [CARDS[n] for n, place in enumerate(where) if place == PLAYED + s] for s in seats
        ],
        "tops": [CARDS[facts.tops[s]] if facts.tops[s] >= 0 else None for s in seats],
        "towers": [
            facts.floors[n][site][: facts.heights[n][site]] for n in in_play for site in (0, 1)
        ],
        "supplies": facts.supply[: facts.players],
        "tokens": {
            (CODES[n], tower): seat
            for n, winners in enumerate(facts.winners)
            for tower, seat in zip(("taller", "lower"), winners, strict=True)
            if seat >= 0
        },
        "chips": facts.chips[: facts.players],
        "messengers": {edge for edge, lies in zip(EDGES, facts.messengers, strict=True) if lies},
        "messengers left": facts.messengers_left[: facts.players],
    }


def compare_ends(game: Game, referee: Referee) -> None:
    """Compare points by kind, floors on the board, and winners, also as the kernel finds them."""
    outcome = game.outcome()
    assert outcome is not None
    scores = [score.to_json() for score in outcome.scores]
    floors = [score.pop("floors") for score in scores]
    assert scores == referee.points()
    assert floors == [
        sum(referee.floors_of(s, c) for c in referee.cities) for s in range(len(floors))
    ]
    assert list(outcome.winners) == referee.winners()
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    tally(game.state._cells, table)
    best = np.empty(MAX_PLAYERS, np.int64)
    count = winners_in_kernel(game.options.players, table, best)
    assert best[:count].tolist() == referee.winners()


def compare_knowledge(game: Game, referee: Referee) -> None:
    """Ask every seat, and a spectator, what they can know of hands and pile."""
    players = range(game.options.players)
    for viewer in [*players, None]:
        view = game.view(viewer)
        assert set(view.unseen) == referee.unseen(viewer)
        for seat in players:
            known, hidden = referee.known_hand(viewer, seat)
            assert set(view.seats[seat].hand) == known
            assert view.seats[seat].unknown == hidden


# ---- playing ----


def any_style(text: str) -> float:
    return 1.0


def lopsided_style(text: str) -> float:
    """Leave the right sites empty, so that last floors are forced there."""
    return 0.02 ** text.partition(":")[2].count("R")


def eager_style(text: str) -> float:
    """Move floors and lay messengers wherever possible."""
    return 0.1 if text in (">", "@") else 1.0


def idle_style(text: str) -> float:
    """Hardly ever lay a messenger, so that they are left over for the end."""
    return 0.05 if text.startswith("@") and text != "@" else 1.0


STYLES = [any_style, lopsided_style, eager_style, idle_style]


def forced(referee: Referee, texts: list[str]) -> bool:
    """Whether the last floor of a city may not go to both sites."""
    ways = sum(3 if referee.face(card) == "2" else 2 for card in referee.hands[referee.seat])
    return referee.phase == "build" and len(texts) < ways


def rare_ends(referee: Referee) -> Iterator[str]:
    """Name what does not happen in every game."""
    totals = sorted(line["total"] for line in referee.points())
    if totals[-1] == totals[-2]:
        yield "equal points"
    if "messengers" in referee.rules:
        yield "nobody takes -3" if referee.minus_chip_taker() is None else "somebody takes -3"
    for towers in referee.towers.values():
        for tower in towers.values():
            counts = Counter(tower)
            if list(counts.values()).count(max(counts.values())) > 1:
                yield "tie in a tower"
                if counts[tower[-1]] < max(counts.values()):
                    yield "tie below the top"


def compare_game(options: Options, deal: Deal, rng: Random, style: Style) -> Counter[str]:
    """Play one game on both sides, comparing after every decision; return what was seen."""
    game, referee = Game(options, deal=deal), referee_of(options, deal)
    seen: Counter[str] = Counter()
    look = rng.randrange(150)  # at which decision to ask who knows what, if there are so many
    while texts := sorted(referee.options()):
        state = game.state
        assert sorted(map(state.decision_text, state.legal_decisions())) == texts
        assert told_by_engine(state) == told_by_referee(referee)
        if len(game.decisions) == look:
            compare_knowledge(game, referee)
            seen["knowledge"] += 1
        seen[referee.phase] += 1
        seen["forced"] += forced(referee, texts)
        text = rng.choices(texts, [style(text) for text in texts])[0]
        referee.choose(text)
        game.decide(decision_code(text))
    assert game.is_over
    assert game.legal_decisions() == []
    assert told_by_engine(game.state) == told_by_referee(referee)
    compare_ends(game, referee)
    return seen + Counter(rare_ends(referee))


def compare_games(options: Options, seed: int, games: int) -> Counter[str]:
    rng = Random(f"{seed} {options.players} {options.rules_text}")
    seen: Counter[str] = Counter()
    for number in range(games):
        deal = Deal.random(options, rng.getrandbits(64))
        seen += compare_game(options, deal, rng, STYLES[number % len(STYLES)])
    return seen


def random_deck(rng: Random) -> Deck:
    """Make a deck of mostly powers, with stars on many of them; never on a second crest."""
    while True:
        cards: dict[str, str] = {}
        for city in CITIES:
            doubles = city.capacity - city.cards
            singles = rng.choices(
                ["?", ">", "L", "B", "K", "LL", "BB", "KK"], k=city.cards - doubles
            )
            faces = ["2"] * doubles + [face + rng.choice(["", "*"]) for face in singles]
            rng.shuffle(faces)
            cards |= {f"{city.code}{n}": face for n, face in enumerate(faces, 1)}
        try:
            return Deck.of("random", cards)
        except DeckError:  # too few stars
            continue


# ---- the tests ----


@pytest.mark.parametrize("half", [1, 2])
@pytest.mark.parametrize("rules", RULES, ids=RULES_IDS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games(players: int, rules: frozenset[str], half: int) -> None:
    seen = compare_games(Options(players, rules), seed=half, games=GAMES_EACH)
    assert seen["build"] == GAMES_EACH * len(cards_in_play(players))
    assert min(seen[what] for what in ("move", "draw", "forced", "tie in a tower")) > GAMES_EACH
    assert (seen["tie below the top"] > 0) == (players > 2)
    assert (seen["messenger"] > GAMES_EACH) == ("messengers" in rules)
    assert (seen["somebody takes -3"] > GAMES_EACH // 2) == ("messengers" in rules)
    assert seen["knowledge"] > 0


@pytest.mark.parametrize("rules", RULES, ids=RULES_IDS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_with_loaded_decks(players: int, rules: frozenset[str]) -> None:
    for seed in range(6):
        deck = random_deck(Random(f"{seed} {players} {sorted(rules)}"))
        compare_games(Options(players, rules, deck), seed, games=8)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_lies_open_changes_nothing_in_play(players: int) -> None:
    rules = AT_BUILT_CITY | OPEN
    assert rules == OPTIONAL_RULES
    compare_games(Options(players, rules), seed=3, games=10)
    for rule in sorted(OPEN):
        compare_games(Options(players, {rule}), seed=4, games=10)


@pytest.mark.plain
@pytest.mark.parametrize("rules", RULES, ids=RULES_IDS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_few_games(players: int, rules: frozenset[str]) -> None:
    compare_games(Options(players, rules), seed=5, games=3)
    compare_games(Options(players, rules, random_deck(Random(6))), seed=6, games=1)
