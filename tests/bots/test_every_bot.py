"""Every bot plays legally, reproducibly, and only by what it may know."""

from random import Random

import numpy as np
import pytest

from patrizier import Deal, Game, Move, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.guard import take_turn
from patrizier.bots.levels import Doge
from patrizier.bots.registry import PACKAGE, list_bots, make_bot
from patrizier.rules.board import CARDS
from support.kinds import STARRY, for_every

SPECS = [
    f"{info.name}:40" if info.takes_budget else info.name
    for info in list_bots()
    if info.package == PACKAGE
]
EXPLAINERS = ["mcts:40", "zero:40", "banker", "senator", "doge"]

KINDS = [
    Options(players, rules, deck)
    for players in (2, 3, 4, 5)
    for rules, deck in (
        ((), None),
        (("messengers",), None),
        (("messengers", "messenger-at-built-city"), None),
        (("open-ledger",), None),
        (("messengers",), STARRY),
    )
]


class QuickDoge(Doge):
    """The strongest level thinks for a second; here iterations do."""

    budget = Budget(iterations=50)


def new_bot(spec: str) -> Bot:
    return QuickDoge() if spec == "doge" else make_bot(spec)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_all_bots_are_here() -> None:
    names = {spec.partition(":")[0] for spec in SPECS}
    assert names >= {"random", "greedy", "intuition", "ismcts", "mcts", "zero"}
    assert names >= {"apprentice", "merchant", "banker", "senator", "doge"}
    assert set(EXPLAINERS) <= set(SPECS)


# -- legal


@for_every(KINDS, plain=())
def test_every_bot_plays_every_game_to_the_end(options: Options) -> None:
    """All of them sit at these tables in turn, each with a seat of its own."""
    players, left = options.players, [*SPECS]
    while left:
        table = (left + SPECS)[:players]
        left = left[players:]
        game, chance = Game(options, seed=len(left)), rng(len(left))
        bots = [new_bot(spec) for spec in table]
        while not game.is_over:
            assert game.seat is not None
            assert take_turn(game, bots[game.seat], chance) == []
        assert game.outcome() is not None


# -- the same for a seed


def moves_of(spec: str, options: Options, seed: int) -> list[Move]:
    game, chance = Game(options, seed=5), rng(seed)
    bots = [new_bot(spec) for _ in range(options.players)]
    while not game.is_over:
        assert game.seat is not None
        take_turn(game, bots[game.seat], chance)
    return game.moves


@pytest.mark.parametrize("spec", [*SPECS, "mcts:200*2"])
def test_the_same_seed_gives_the_same_game(spec: str) -> None:
    for options in (Options(2), Options(3, {"messengers"})):
        assert moves_of(spec, options, seed=1) == moves_of(spec, options, seed=1)


@pytest.mark.parametrize("spec", SPECS)
def test_another_seed_may_give_another_game(spec: str) -> None:
    first = moves_of(spec, Options(2), seed=1)
    assert any(moves_of(spec, Options(2), seed) != first for seed in range(2, 6))


# -- by what it may know


def dealt_otherwise(game: Game, viewer: int, chance: Random) -> Game:
    """Return a game with other hidden cards, in which this seat has seen the same.

    The unseen cards are dealt anew by the rules: three with a star for everybody, and a pile.
    """
    deal, hidden = game.deal, set(game.view(viewer).unseen)
    held = [card for hand in deal.hands for card in hand if card in hidden]
    pile = [card for card in deal.pile if card in hidden]
    stars = [card for card in (*held, *pile) if game.options.deck[card].star]
    chance.shuffle(stars)
    rest = [card for card in (*held, *pile) if card not in stars[: len(held)]]
    chance.shuffle(rest)
    new = dict(zip((*held, *pile), (*stars[: len(held)], *rest), strict=True))
    hands = tuple(tuple(new.get(card, card) for card in hand) for hand in deal.hands)
    seen = deal.pile[: len(deal.pile) - len(pile)]
    other = Deal(hands, deal.display, (*seen, *(new[card] for card in pile)), deal.start)
    again = Game(game.options, deal=other)
    for code in game.decisions:
        again.decide(code)
    return again


def slow_games(options: Options, seed: int) -> list[Game]:
    """Return a game at all its phases, with starting cards kept in hand: they are the secrets."""
    game, chance, games = Game(options, seed=seed), Random(seed), []
    phases = dict.fromkeys(("build", "move", "draw", "messenger"), 0)
    while not game.is_over:
        assert game.seat is not None
        if phases[game.phase] < 2 or (game.phase == "build" and game.turn % 9 == 8):
            phases[game.phase] += 1
            games.append(game.copy())
        codes, dealt = game.legal_decisions(), game.deal.hands[game.seat]
        if game.phase == "build":
            taken = [code for code in codes if CARDS[code // 3] not in dealt]
            codes = taken if taken and chance.random() < 0.8 else codes
        game.decide(chance.choice(codes))
    return games


TWINS: dict[str, list[tuple[View, View]]] = {}


def twin_views(options: Options) -> list[tuple[View, View]]:
    """Return pairs of views from games that differ only in what the viewer cannot know."""
    key = f"{options.players} {options.rules_text} {options.deck.name}"
    if key not in TWINS:
        TWINS[key] = pairs = []
        chance, different = Random(3), 0
        for game in slow_games(options, seed=3):
            assert game.seat is not None
            other = dealt_otherwise(game, game.seat, chance)
            different += other.state != game.state
            pairs.append((game.view(game.seat), other.view(game.seat)))
        assert different > 8
        phases = {view.phase for view, _ in pairs}
        assert phases >= {"build", "move", "draw"}
        assert ("messenger" in phases) == ("messengers" in options.rules)
    return TWINS[key]


SECRETIVE = [Options(2), Options(3, {"messengers"}), Options(5, {"messengers"}, STARRY)]


@pytest.mark.parametrize("spec", [*SPECS, "mcts:100*2"])
@for_every(SECRETIVE, plain=())
def test_hidden_cards_do_not_change_a_choice(options: Options, spec: str) -> None:
    for number, (one, two) in enumerate(twin_views(options)):
        assert one == two
        chosen = new_bot(spec).choose(one, rng(number))
        assert chosen in one.legal
        assert new_bot(spec).choose(two, rng(number)) == chosen


@pytest.mark.parametrize("spec", EXPLAINERS)
def test_hidden_cards_do_not_change_an_explanation(spec: str) -> None:
    for number, (one, two) in enumerate(twin_views(SECRETIVE[1])):
        told = new_bot(spec).explain(one, rng(number))
        assert new_bot(spec).explain(two, rng(number)) == told


@pytest.mark.parametrize("spec", SPECS)
def test_a_bot_that_remembers_plays_the_same_too(spec: str) -> None:
    """The same bot through a game and its twin: its memory holds no secrets."""
    options = Options(2)
    game, chance = Game(options, seed=8), Random(8)
    while game.turn < 40:
        game.decide(chance.choice(game.legal_decisions()))
    secrets = dealt_otherwise(game, 0, chance)
    answers: list[list[Move]] = []
    for deal in (game.deal, secrets.deal):
        bot, again, moves = new_bot(spec), Game(options, deal=deal), []
        for code in game.decisions:
            if again.seat == 0 and again.phase == "build" and again.turn > 28:
                moves.append(bot.choose(again.view(0), rng(again.turn)))
            again.decide(code)
        answers.append(moves)
    assert len(answers[0]) > 4
    assert answers[0] == answers[1]


# -- explanations


@pytest.mark.parametrize("spec", SPECS)
@for_every(SECRETIVE, plain=())
def test_who_can_explain_tells_the_choice_first(options: Options, spec: str) -> None:
    for number, (view, _) in enumerate(twin_views(options)):
        candidates = new_bot(spec).explain(view, rng(number))
        if spec not in EXPLAINERS:
            assert candidates == ()
            continue
        assert candidates[0].move == new_bot(spec).choose(view, rng(number))
        assert {candidate.move for candidate in candidates} <= set(view.legal)
        assert sum(candidate.weight for candidate in candidates) == pytest.approx(1)
        for candidate in candidates:
            assert len(candidate.shares) == len(candidate.points) == options.players
            assert sum(candidate.shares) == pytest.approx(1, abs=1e-3)
