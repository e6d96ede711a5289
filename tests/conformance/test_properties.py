"""Conservation laws, checked on random games with random decks."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patrizier import Deck, DeckError, Game, Options
from patrizier.rules.board import CARDS, CITIES, City, cards_in_play, cities_in_play
from patrizier.rules.codes import NO_MESSENGER

RULES = (
    (),
    ("open-ledger",),
    ("messengers",),
    ("messengers", "messenger-at-built-city"),
    ("messengers", "messenger-at-built-city", "open-ledger"),
)
SINGLE_FACES = ("?", ">", "L", "B", "K", "LL", "BB", "KK")  # with one crest
SUPPLY = {2: 39, 3: 29, 4: 21, 5: 21}
MESSENGERS = {2: 2, 3: 2, 4: 1, 5: 1}
STARS = {False: 12, True: 15}  # that a deck without, with Pistoia needs

quick = settings(
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)


# -- decks


@st.composite
def card_texts(draw: st.DrawFn, *, pistoia: bool | None = None) -> dict[str, str]:
    """Make the cards of a valid deck.

    The crests fix how many cards of a city show a second one. Of those only Pistoia's may have
    a star: the supplies of two to four players are just enough for the others.
    """
    pistoia = draw(st.booleans()) if pistoia is None else pistoia
    rng = Random(draw(st.integers(0, 2**32)))
    cards: dict[str, str] = {}
    for city in cities_in_play(5 if pistoia else 4):
        doubles = city.capacity - city.cards
        faces = ["2"] * doubles + rng.choices(SINGLE_FACES, k=city.cards - doubles)
        rng.shuffle(faces)
        cards |= {f"{city.code}{number}": face for number, face in enumerate(faces, 1)}
    for_stars = [card for card, face in cards.items() if face != "2" or card[:2] == "PI"]
    rng.shuffle(for_stars)
    for_stars.sort(key=lambda card: card[:2] == "PI")  # the others must do without Pistoia
    for card in for_stars[: draw(st.integers(STARS[pistoia], len(for_stars)))]:
        cards[card] += "*"
    return cards


@st.composite
def all_options(draw: st.DrawFn, players: int) -> Options:
    """Choose rules and the classic or a random deck."""
    rules = draw(st.sampled_from(RULES))
    if draw(st.booleans()):
        return Options(players, rules)
    cards = draw(card_texts(pistoia=players == 5 or None))
    return Options(players, rules, Deck.of("random", cards))


@quick
@given(card_texts())
def test_valid_decks_are_accepted(cards: dict[str, str]) -> None:
    deck = Deck.of("random", cards)
    assert {card: face.text for card, face in deck.faces} == cards
    assert deck.has_pistoia == ("PI1" in cards)
    assert Deck.from_toml(deck.to_toml()) == deck
    assert Deck.of("random", dict(word.split("=") for word in deck.cards_text.split())) == deck
    for players in (2, 3, 4, 5) if deck.has_pistoia else (2, 3, 4):
        assert Game(Options(players, deck=deck), seed=1).legal_moves
    if not deck.has_pistoia:
        with pytest.raises(ValueError, match="Pistoia"):
            Options(5, deck=deck)


@quick
@given(card_texts(), st.data())
def test_broken_decks_are_refused_by_name(cards: dict[str, str], data: st.DataObject) -> None:
    """One thing is wrong; the error says at which card or city."""
    card = data.draw(st.sampled_from(sorted(cards)))
    city = next(city for city in CITIES if city.code == card[:2])
    kind = data.draw(st.sampled_from(["missing", "crest", "face", "unknown", "list"]))
    name = card
    if kind == "missing":
        del cards[card]
    elif kind == "crest":
        cards[card] = "L" if cards[card][0] == "2" else "2"
        name = city.name
    elif kind == "face":
        cards[card] = data.draw(
            st.sampled_from(["", "*", "l", "LB", "LLL", "22", "2?", "L**", "*L", " L", "L ", "L\n"])
        )
    elif kind == "unknown":
        name = data.draw(st.sampled_from(["BO0", "BO8", "FE5", "XX1", "bo1", "BO", "BO01", ""]))
        cards[name] = "L"
    else:
        toml = Deck.of("random", cards).to_toml()
        line = next(line for line in toml.splitlines() if line.startswith(city.code))
        broken = data.draw(st.sampled_from([line.replace("]", ', "L"]'), f"{city.code} = []"]))
        with pytest.raises(DeckError, match=city.code):
            Deck.from_toml(toml.replace(line, broken))
        return
    with pytest.raises(DeckError) as caught:
        Deck.of("random", cards)
    assert name in str(caught.value)


@quick
@given(card_texts(), st.data())
def test_decks_without_enough_stars_are_refused(cards: dict[str, str], data: st.DataObject) -> None:
    stars = [card for card, face in cards.items() if face.endswith("*") and card[:2] != "PI"]
    left = data.draw(st.integers(0, 11))
    for card in stars[left:]:
        cards[card] = cards[card].rstrip("*")
    with pytest.raises(DeckError, match=f"^{left} star cards for [234] players"):
        Deck.of("random", cards)


@quick
@given(card_texts(), st.data())
def test_decks_that_outgrow_the_supply_are_refused(
    cards: dict[str, str], data: st.DataObject
) -> None:
    doubles = [card for card, face in cards.items() if face == "2" and card[:2] != "PI"]
    cards[data.draw(st.sampled_from(doubles))] = "2*"
    with pytest.raises(DeckError, match="with 3 players one player could need 30 floors"):
        Deck.of("random", cards)


# -- games


def check_cards(game: Game) -> None:
    """Every card is in one place, and nobody holds too many."""
    options, record = game.options, game.state.record
    played = [row.move.card for row in game.records]
    pending = game.view(None).pending
    if pending is not None:
        played.append(pending.move.card)
    hands = [[CARDS[card] for card in hand if card >= 0] for hand in record.hands.tolist()]
    display = [CARDS[card] for card in record.display.tolist() if card >= 0]
    pile = [CARDS[card] for card in record.pile.tolist() if card >= 0]
    everywhere = [*played, *display, *pile, *(card for hand in hands for card in hand)]
    assert sorted(everywhere) == sorted(cards_in_play(options.players))
    assert len(pile) == int(record.pile_left)
    assert len(display) == len(cities_in_play(options.players)) or not pile
    assert not any(hands[options.players :])
    for seat, hand in enumerate(hands[: options.players]):
        waits = seat == game.seat and game.phase in ("move", "draw")
        assert len(hand) == 3 - waits if display else len(hand) <= 3


def check_floors(game: Game) -> None:
    """Floors are on the board or in the supply, and they stand where the cards say."""
    options, view = game.options, game.view(None)
    played = [(record.seat, record.move.card) for record in game.records]
    if view.pending is not None:
        played.append((view.pending.seat, view.pending.move.card))
    for city in view.cities:
        cards = [(seat, card) for seat, card in played if card[:2] == city.code]
        wanted = sorted(seat for seat, card in cards for _ in range(options.deck[card].crests))
        assert sorted(city.left + city.right) == wanted
        assert len(wanted) <= city.capacity
        if len(wanted) == city.capacity:
            assert city.left
            assert city.right
        waits = view.pending is not None and view.pending.move.card[:2] == city.code
        late = waits and "messenger-at-built-city" in options.rules
        assert (city.winners is not None) == (len(wanted) == city.capacity and not late)
    for seat in view.seats:
        built = sum((city.left + city.right).count(seat.seat) for city in view.cities)
        assert seat.supply == SUPPLY[options.players] - built
        assert seat.supply >= 0


def check_tokens(game: Game) -> None:
    """Every token of a scored city is with one player, and with it the chips it brought."""
    view = game.view(None)
    taken = [value for city in view.cities if city.winners for value in city.tokens]
    assert sorted(value for seat in view.seats for value in seat.tokens) == sorted(taken)
    for seat, score in zip(view.seats, game.scores(), strict=True):
        assert score.tokens == sum(seat.tokens)
        assert score.chips == seat.chips
        assert score.sets == 6 * sum(heads // 3 for heads in seat.heads.values())
        assert score.minus in (0, -3)
        assert -3 <= score.total <= sum(taken) + 6 * 22 + 4 * 2 * 6
    scored = [record.scored for record in (*game.records, view.pending) if record and record.scored]
    assert len({s.city for s in scored}) == len(scored) == len(taken) // 2
    assert sum(seat.chips for seat in view.seats) == sum(2 * s.chips for s in scored)
    for s in scored:
        assert s.chips in (0, 2, 4)
        assert s.chips <= 2 * next(city for city in view.cities if city.code == s.city).messengers


def check_messengers(game: Game) -> None:
    view, options = game.view(None), game.options
    each = MESSENGERS[options.players] if "messengers" in options.rules else 0
    left = sum(seat.messengers_left for seat in view.seats)
    assert len(view.messengers) + left == each * options.players
    assert all(0 <= seat.messengers_left <= each for seat in view.seats)
    for city in view.cities:
        assert city.messengers == sum(city.code in pair for pair in view.messengers) <= 2


def check_end(game: Game) -> None:
    """Everyone had the same number of turns, and every city is scored."""
    options = game.options
    turns = len(cards_in_play(options.players))
    assert game.turn == len(game.records) == turns == (55 if options.players == 5 else 48)
    seats = [record.seat for record in game.records]
    assert {seats.count(seat) for seat in range(options.players)} == {turns // options.players}
    cities: list[City] = list(cities_in_play(options.players))
    assert sorted(r.scored.city for r in game.records if r.scored) == [city.code for city in cities]
    assert sum(score.tokens for score in game.scores()) == sum(sum(city.tokens) for city in cities)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winners
    floors = sum(score.floors for score in outcome.scores)
    assert floors == sum(city.capacity for city in cities)


def play_checked(options: Options, seed: int, step: int) -> None:
    """Play a random game and check it on the way; in some, messengers are kept for late turns."""
    game, rng = Game(options, seed=seed), Random(seed)
    patience = rng.choice([0.0, 0.9])
    checks: list[Any] = [check_cards, check_floors, check_tokens, check_messengers]
    for number in range(4 * 55):
        if number % step == 0 or game.is_over:
            for check in checks:
                check(game)
        if game.is_over:
            break
        waits = game.phase == "messenger" and rng.random() < patience
        game.decide(NO_MESSENGER if waits else rng.choice(game.legal_decisions()))
    check_end(game)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@settings(quick, max_examples=11)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_nothing_is_lost_in_a_game(players: int, data: st.DataObject, seed: int) -> None:
    play_checked(data.draw(all_options(players)), seed, step=1)


@pytest.mark.plain
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nothing_is_lost_in_a_plain_game(players: int) -> None:
    play_checked(Options(players, RULES[players % 3 + 2]), players, step=3)
