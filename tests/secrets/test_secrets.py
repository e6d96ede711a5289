"""No secret leaves a view: permuting hidden cards changes no byte."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from patrizier import Deal, Game, Options, State, View
from patrizier.prospects import prospects
from patrizier.rules.board import CARDS
from patrizier.rules.state import DEALT, IN_PILE
from support.kinds import RULES, for_every

KINDS = [Options(players, rules) for players in (2, 3, 4, 5) for rules in RULES]
PLAIN = (Options(3, RULES[2]),)
CARD = re.compile("[A-Z]{2}[0-9]")

every_kind = for_every(KINDS, PLAIN)


def viewers(options: Options) -> list[int | None]:
    return [*range(options.players), None]


def json_bytes(view: View) -> bytes:
    return json.dumps(view.to_json()).encode()


def decide_slowly(game: Game, rng: Random) -> None:
    """Decide at random, but keep starting cards in hand for long: they are the secrets."""
    codes = game.legal_decisions()
    if game.phase == "build" and game.seat is not None:
        dealt = set(game.deal.hands[game.seat])
        taken = [code for code in codes if CARDS[code // 3] not in dealt]
        codes = taken if taken and rng.random() < 0.8 else codes
    game.decide(rng.choice(codes))


def walk(options: Options, seed: int) -> Iterator[Game]:
    """Play a game and give it at every decision and at its end."""
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        yield game
        decide_slowly(game, rng)
    yield game


# -- what a viewer cannot know, worked out from the game's deal and its records


def hidden_from(game: Game, viewer: int | None) -> tuple[list[set[str]], list[str]]:
    """Return every seat's cards that the viewer has not seen, and the draw pile, top first."""
    played = {record.move.card for record in game.records}
    pending = game.view(None).pending
    if pending is not None:
        played.add(pending.move.card)
    refills = sum(record.refill is not None for record in game.records)
    refills += pending is not None and pending.refill is not None
    hands = [
        set() if seat == viewer else set(hand) - played for seat, hand in enumerate(game.deal.hands)
    ]
    return hands, list(game.deal.pile[refills:])


def shuffled(game: Game, viewer: int | None, rng: Random) -> dict[str, str]:
    """Return who takes whose place when the hidden cards are dealt anew by the rules."""
    hands, pile = hidden_from(game, viewer)
    held = [card for hand in hands for card in sorted(hand)]
    stars = [card for card in (*held, *pile) if game.options.deck[card].star]
    rng.shuffle(stars)
    rest = [card for card in (*held, *pile) if card not in stars[: len(held)]]
    rng.shuffle(rest)
    return dict(zip((*held, *pile), (*stars[: len(held)], *rest), strict=True))


def with_cards_exchanged(state: State, places: dict[str, str], rng: Random) -> State:
    """Return the position with every card in the place of another one, and hands in any order."""
    number = {CARDS.index(old): CARDS.index(new) for old, new in places.items()}
    cells = state._cells.copy()
    record = cells[0]
    for name in ("hands", "pile"):
        cards = record[name]
        cards.flat[:] = [number.get(card, card) for card in cards.ravel().tolist()]
    for hand in record.hands[: state.options.players]:
        hand[:] = rng.sample(hand.tolist(), 3)
    where = record.where.copy()
    for old, new in number.items():
        assert where[old] == IN_PILE or DEALT <= where[old] < DEALT + 5
        record.where[new] = where[old]
    return State(state.options, cells)


@every_kind
def test_hidden_cards_do_not_show(options: Options) -> None:
    """At every turn and in every phase, for every seat and the spectator."""
    rng, changed, phases = Random(1), 0, set()
    for number, game in enumerate(walk(options, seed=1)):
        state, records = game.state, game.records
        phases.add(game.phase)
        everyone = viewers(options)
        turns_viewer = everyone[number % len(everyone) :][:1]
        for viewer in turns_viewer if game.phase == "build" else everyone:
            other = with_cards_exchanged(state, shuffled(game, viewer, rng), rng)
            changed += other != state
            one, two = View.of(state, viewer, records), View.of(other, viewer, records)
            assert json_bytes(one) == json_bytes(two)
            assert one == two
            assert number % 8 or repr(one) == repr(two)
            assert one._known.tobytes() == two._known.tobytes()
            assert one.sample(number) == two.sample(number)
            assert prospects(one) == prospects(two)
    assert changed > 25
    assert phases >= {"build", "move", "draw", "over"}
    assert ("messenger" in phases) == ("messengers" in options.rules)


@every_kind
def test_games_that_differ_only_in_secrets_look_the_same(options: Options) -> None:
    """Replay a game from another deal, as far as the two reveal the same cards."""
    rng = Random(2)
    for viewer in rng.sample(viewers(options), 2):
        game = Game(options, seed=2)
        for _ in range(rng.choice([3, 15, 25])):
            decide_slowly(game, rng)
        places = shuffled(game, viewer, rng)
        hands = tuple(tuple(places.get(card, card) for card in hand) for hand in game.deal.hands)
        pile = tuple(places.get(card, card) for card in game.deal.pile)
        deal = Deal(hands, game.deal.display, pile, game.deal.start)
        assert deal != game.deal
        one, two = Game(options, deal=game.deal), Game(options, deal=deal)
        for code in game.decisions:
            assert json_bytes(one.view(viewer)) == json_bytes(two.view(viewer))
            one.decide(code)
            two.decide(code)
        assert json_bytes(one.view(viewer)) == json_bytes(two.view(viewer))
        assert one.state != two.state


@every_kind
def test_views_show_the_right_cards(options: Options) -> None:
    for number, game in enumerate(walk(options, seed=3)):
        viewer = viewers(options)[number % (options.players + 1)]
        view = game.view(viewer)
        hands, pile = hidden_from(game, viewer)
        hidden = set().union(pile, *hands)
        assert set(view.unseen) == hidden
        assert [seat.unknown for seat in view.seats] == [len(hand) for hand in hands]
        assert view.pile_left == len(pile)
        for seat in view.seats:
            own = set(game.deal.hands[seat.seat]) - set(seat.pile)
            assert set(seat.secret) == (own if seat.seat == viewer else set())
            assert set(seat.secret) <= set(seat.hand)
        assert bool(view.legal) == (viewer is not None and viewer == game.seat)
        data = view.to_json()
        del data["deck"], data["unseen"]
        assert not set(CARD.findall(json.dumps(data))) & hidden


@every_kind
def test_history_tells_only_what_was_public(options: Options) -> None:
    game = Game(options, seed=4)
    rng = Random(4)
    face_up = list(game.deal.display)
    while not game.is_over:
        turn = game.turn
        while game.turn == turn:
            decide_slowly(game, rng)
        record = game.records[-1]
        told: dict[str, Any] = record.to_json()
        assert set(told) == {"turn", "seat", "move", "drawn", "refill", "scored"}
        if record.drawn is not None:
            assert record.drawn in face_up
            place = face_up.index(record.drawn)
            face_up[place : place + 1] = [record.refill] if record.refill else []
        else:
            assert record.refill is None
        seen = set(CARD.findall(json.dumps(told)))
        assert seen == {record.move.card, record.drawn, record.refill} - {None}
        shown = [city.card for city in game.view(None).cities if city.card]
        assert sorted(shown) == sorted(face_up)
    histories = [game.view(viewer).to_json()["history"] for viewer in viewers(options)]
    assert all(history == histories[0] for history in histories)
    assert len(histories[0]) == game.turn


@every_kind
def test_the_table_hides_tokens_and_piles_unless_an_option_opens_them(options: Options) -> None:
    open_piles = "open-ledger" in options.rules
    open_tokens = open_piles or "open-tokens" in options.rules
    hid = showed = 0
    for number, game in enumerate(walk(options, seed=5)):
        if number % 4 and not game.is_over:
            continue
        records = [*game.records]
        pending = game.view(None).pending
        records += [pending] if pending else []
        for viewer in viewers(options):
            for row in game.view(viewer).to_json()["table"]:
                seat = row.pop("seat")
                piled = [record.move.card for record in records if record.seat == seat]
                won, chips = [], 0
                for scored in (record.scored for record in records if record.scored):
                    winners = (scored.taller, scored.lower)
                    won += [v for v, who in zip(scored.tokens, winners, strict=True) if who == seat]
                    chips += scored.chips * winners.count(seat)
                shown = viewer == seat or game.is_over
                sees_tokens, sees_pile = shown or open_tokens, shown or open_piles
                assert row == {
                    "tokens_won": len(won),
                    "tokens": sorted(won, reverse=True) if sees_tokens else None,
                    "chips": chips if sees_tokens else None,
                    "pile_size": len(piled),
                    "pile": sorted(piled) if sees_pile else None,
                    "top": piled[-1] if piled else None,
                }
                hid += not sees_tokens and bool(won)
                showed += sees_tokens and bool(won)
    assert showed
    assert bool(hid) != open_tokens
