"""The server's deal: by the rules, uniform, and as docs/deal.md specifies it."""

import hashlib
import hmac
import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from scipy.stats import chi2

from patrizier import Deck, Game, Options, read_games
from patrizier.ptr import GameRecord
from patrizier.server.deal import provably_fair as deals
from patrizier.server.deal.provably_fair import (
    commit,
    derive,
    is_hash,
    new_secret,
    record_tags,
    table_mark,
)
from patrizier.server.deal.verification import Verdict, verify
from support.kinds import STARRY

PAGE = Path(__file__).parents[3] / "docs" / "deal.md"
SECRET = bytes(range(32))
GIVEN = {0: "ab" * 32, 2: "0f" * 32}
TABLE = "a-table-by-link-only"
OPTIONS = Options(3, {"messengers"})


# -- the page, and a second implementation written from it alone


def examples() -> list[dict[str, str]]:
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"```text\n(secret .*?)```", text, re.DOTALL)
    return [
        {line[:14].strip(): line[14:].strip() for line in block.splitlines()} for block in blocks
    ]


class Page:
    """The algorithm of docs/deal.md, step by step."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.block, self.left = seed, 0, b""

    def number(self) -> int:
        if not self.left:
            self.left = hmac.new(self.seed, self.block.to_bytes(8, "big"), "sha256").digest()
            self.block += 1
        word, self.left = self.left[:4], self.left[4:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        w = self.number()
        while w >= 2**32 - 2**32 % n:
            w = self.number()
        return w % n

    def shuffle(self, things: list[str]) -> None:
        i = len(things) - 1
        while i >= 1:
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]
            i -= 1


def by_the_page(
    secret: str,
    table_id: str,
    players: int,
    rules: str,
    cards: str,
    given: list[str],
    not_first: str = "",
) -> dict[str, str]:
    mark = hashlib.sha256(b"patrizier table 1\n" + table_id.encode()).digest()
    text = f"{players};{rules};{cards}{not_first and ';'}{not_first}".encode()
    key = bytes.fromhex(secret)
    commitment = hashlib.sha256(b"patrizier commitment 1\n" + key + mark + text).digest()
    message = b"patrizier deal 1\n" + commitment
    for word in given:
        message += bytes(33) if word == "-" else bytes([1]) + bytes.fromhex(word)
    seed = hmac.new(key, message, hashlib.sha256).digest()
    page = Page(seed)
    deck = dict(word.split("=") for word in cards.split(" "))
    in_play = sorted(card for card in deck if players == 5 or not card.startswith("PI"))
    stars = [card for card in in_play if deck[card].endswith("*")]
    page.shuffle(stars)
    hands = "/".join(" ".join(stars[3 * seat : 3 * seat + 3]) for seat in range(players))
    rest = stars[3 * players :] + [card for card in in_play if not deck[card].endswith("*")]
    page.shuffle(rest)
    shown = 10 if players == 5 else 9
    seats = [str(seat) for seat in range(1, players + 1) if str(seat) != not_first]
    return {
        "table mark": mark.hex(),
        "commitment": commitment.hex(),
        "seed": seed.hex(),
        "deal": f"{hands}|{' '.join(rest[:shown])}|{' '.join(rest[shown:])}",
        "start": seats[page.below(len(seats))],
    }


@pytest.mark.parametrize("example", examples())
def test_the_page_the_program_and_its_examples_agree(example: dict[str, str]) -> None:
    players = int(example["players"])
    rules = example["rules"]
    given = [example[f"seat {seat}"] for seat in range(1, players + 1)]
    cards = Deck.classic().cards_text
    begin, _, end = example["options text"].partition(" … ")
    not_first = example.get("not first", "")
    text = f"{players};{rules};{cards}{not_first and ';'}{not_first}"  # the page shortens it
    assert text.startswith(f"{begin} ")
    assert text.endswith(f" {end}")
    table_id = example["table id"]
    told = by_the_page(example["secret"], table_id, players, rules, cards, given, not_first)
    assert told.items() <= example.items()

    options = Options(players, rules.split(",") if rules else ())
    secret = bytes.fromhex(example["secret"])
    contributions = {seat: word for seat, word in enumerate(given) if word != "-"}
    assert table_mark(table_id) == example["table mark"]
    before = int(not_first) - 1 if not_first else None
    assert commit(secret, table_id, options, before) == example["commitment"]
    deal = derive(secret, table_id, options, contributions, before)
    assert (str(deal), str(deal.start + 1)) == (example["deal"], example["start"])


def test_the_page_has_examples_for_every_number_of_players() -> None:
    first = [example["players"] for example in examples() if "not first" not in example]
    assert first == ["2", "3", "4", "5"]
    assert any("not first" in example for example in examples())


@pytest.mark.parametrize("options", [Options(p, (), STARRY) for p in (2, 5)], ids=["2", "5"])
def test_the_page_and_the_program_agree_on_other_decks(options: Options) -> None:
    for number in range(20):
        secret = hashlib.sha256(bytes([number])).digest()
        given = {seat: hashlib.sha256(bytes([seat])).hexdigest() for seat in range(number % 3)}
        words = [given.get(seat, "-") for seat in range(options.players)]
        cards = options.deck.cards_text
        told = by_the_page(secret.hex(), TABLE, options.players, "", cards, words)
        deal = derive(secret, TABLE, options, given)
        assert (str(deal), str(deal.start + 1)) == (told["deal"], told["start"])


def test_numbers_that_would_favour_some_are_dropped() -> None:
    words = iter([2**32 - 1, 2**32 - 16, 2**32 - 17, 5])
    assert deals.below(48, words) == (2**32 - 17) % 48
    assert next(words) == 5
    assert "4294967280" in PAGE.read_text("utf-8")


def test_the_stream_goes_on_beyond_a_block() -> None:
    words = list(islice(deals.stream_words(SECRET), 24))
    page = Page(SECRET)
    assert words == [page.number() for _ in range(24)]
    assert len(set(words)) == 24


# -- by the rules, and depending on everything


@pytest.mark.parametrize("options", [*(Options(p) for p in (2, 3, 4, 5)), Options(5, (), STARRY)])
def test_a_derived_deal_is_by_the_rules(options: Options) -> None:
    for _ in range(20):
        derive(new_secret(), TABLE, options, {}).check(options)


def test_every_part_changes_the_deal() -> None:
    other = bytes([1, *SECRET[1:]])
    told = [
        derive(SECRET, TABLE, OPTIONS, GIVEN),
        derive(other, TABLE, OPTIONS, GIVEN),
        derive(SECRET, TABLE + "x", OPTIONS, GIVEN),
        derive(SECRET, TABLE, Options(3), GIVEN),
        derive(SECRET, TABLE, Options(3, {"messengers"}, STARRY), GIVEN),
        derive(SECRET, TABLE, OPTIONS, {}),
        derive(SECRET, TABLE, OPTIONS, {0: "ab" * 32}),
        derive(SECRET, TABLE, OPTIONS, {0: "00" * 32, 2: "0f" * 32}),
        derive(SECRET, TABLE, OPTIONS, {2: "0f" * 32}),  # nothing is not the same as zeros
        derive(SECRET, TABLE, OPTIONS, {1: "ab" * 32, 2: "0f" * 32}),
    ]
    assert len({(str(deal)) for deal in told}) == len(told)


def test_colours_and_the_name_of_a_deck_do_not_matter() -> None:
    red = Options(3, {"messengers"}, colours=("red", "white", "black"))
    assert commit(SECRET, TABLE, red) == commit(SECRET, TABLE, OPTIONS)


def test_the_text_of_options_does_as_well() -> None:
    text = deals.options_text(OPTIONS)
    assert commit(SECRET, TABLE, text) == commit(SECRET, TABLE, OPTIONS)


@pytest.mark.parametrize("given", [{3: "00" * 32}, {0: "00"}, {0: "AB" * 32}, {0: "é" * 64}])
def test_a_strange_contribution_is_refused(given: dict[int, str]) -> None:
    with pytest.raises(ValueError, match="contribution"):
        derive(SECRET, TABLE, OPTIONS, given)


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commit(b"short", TABLE, OPTIONS)


def test_secrets_differ() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert is_hash(new_secret().hex())
    assert not is_hash(new_secret().hex() + "\n")


# -- chance


@pytest.mark.parametrize("options", [Options(2), Options(5)], ids=["2", "5"])
def test_every_card_is_as_likely_in_every_place(options: Options) -> None:
    """Chi-square for each card over hands, display and pile, and for the seat that starts."""
    deals_made, players = 6000, options.players
    places: dict[str, Counter[int]] = {}
    starts: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()  # who holds two particular stars
    two = [card for card, face in options.deck.faces if face.star and card[:2] != "PI"][:2]
    for number in range(deals_made):
        secret = hashlib.sha256(number.to_bytes(4, "big")).digest()
        deal = derive(secret, TABLE, options, {0: hashlib.sha256(secret).hexdigest()})
        order = [*(card for hand in deal.hands for card in hand), *deal.display, *deal.pile]
        for place, card in enumerate(order):
            places.setdefault(card, Counter())[place] += 1
        starts[deal.start] += 1
        holders = [order.index(card) // 3 for card in two]
        if max(holders) < players:
            pairs[holders[0], holders[1]] += 1
    stars = sum(options.deck[card].star for card in places)
    held, rest = 3 * players, len(places) - 3 * players
    for card, counted in places.items():
        star = options.deck[card].star
        expected = [deals_made / stars if star else 0.0] * held
        expected += [deals_made * (1 - held / stars if star else 1) / rest] * rest
        surprise([counted[place] for place in range(len(places))], expected)
    surprise([starts[seat] for seat in range(players)], [deals_made / players] * players)
    both = deals_made / (stars * (stars - 1))  # for two particular places in hands
    seats = [(one, other) for one in range(players) for other in range(players)]
    likely = [both * (6 if one == other else 9) for one, other in seats]
    elsewhere = deals_made - sum(likely)
    surprise([*(pairs[pair] for pair in seats), deals_made - pairs.total()], [*likely, elsewhere])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_in_a_rematch_all_others_are_as_likely_to_start(players: int) -> None:
    made, options, starts = 1500, Options(players), Counter[int]()
    for number in range(made):
        secret = hashlib.sha256(number.to_bytes(4, "big")).digest()
        starts[derive(secret, TABLE, options, {0: "12" * 32}, players - 1).start] += 1
    assert players - 1 not in starts
    assert set(starts) == set(range(players - 1))
    if players > 2:
        even = made / (players - 1)
        surprise([starts[seat] for seat in range(players - 1)], [even] * (players - 1))


def surprise(counted: list[int], expected: list[float]) -> None:
    """Fail if this would happen by chance once in a million times."""
    pairs = [(c, e) for c, e in zip(counted, expected, strict=True) if e]
    assert sum(counted) == sum(c for c, _ in pairs), "something impossible happened"
    statistic = sum((c - e) ** 2 / e for c, e in pairs)
    assert chi2.sf(statistic, len(pairs) - 1) > 1e-6
    assert chi2.cdf(statistic, len(pairs) - 1) > 1e-6, "too even to be chance"


# -- verifying


def finished(
    options: Options = OPTIONS,
    given: dict[int, str] = GIVEN,
    changed: dict[str, str] | None = None,
    not_first: int | None = None,
) -> GameRecord:
    game = Game(options, deal=derive(SECRET, TABLE, options, given, not_first))
    while not game.is_over:
        game.play(game.legal_moves[0])
    tags = record_tags(SECRET, TABLE, options, given, not_first) | (changed or {})
    return read_games(str(game.record(**tags)))[0]


def failed(verdict: Verdict) -> list[str]:
    return [check.about for check in verdict.checks if not check.holds]


@pytest.mark.parametrize("options", [OPTIONS, Options(5), Options(2, (), STARRY)])
def test_a_finished_game_verifies(options: Options) -> None:
    record = finished(options, {0: "12" * 32})
    verdict = verify(
        record,
        table_id=TABLE,
        commitment=commit(SECRET, TABLE, options).upper(),
        contribution="12" * 32,
    )
    assert verdict.proven
    abouts = ["commitment", "contributions", "deal", "start", "table", "seen", "mine"]
    assert [check.about for check in verdict.checks] == abouts
    assert verdict.to_json()["holds"] is True


def test_a_rematch_verifies_and_says_who_had_started() -> None:
    record = finished(not_first=1)
    assert record.tags["NotFirst"] == "2"
    verdict = verify(record, commitment=commit(SECRET, TABLE, OPTIONS, 1), contribution=GIVEN[0])
    assert verdict.proven
    assert any("seat 2 started the game before" in check.text for check in verdict.checks)


@pytest.mark.parametrize(("changed", "wrong"), [("1", "commitment"), ("4", "record")])
def test_another_seat_that_had_started_shows(changed: str, wrong: str) -> None:
    assert wrong in failed(verify(finished(not_first=1, changed={"NotFirst": changed})))


def test_a_record_alone_proves_nothing() -> None:
    commitment = commit(SECRET, TABLE, OPTIONS)
    for noted, lacking in (
        ({}, ("seen", "mine")),
        ({"commitment": commitment}, ("mine",)),
        ({"contribution": GIVEN[0]}, ("seen",)),
    ):
        verdict = verify(finished(), **noted)
        assert (verdict.holds, verdict.proven, verdict.lacking) == (True, False, lacking)


def test_a_record_does_not_give_the_link_away() -> None:
    assert TABLE not in str(finished())


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"Secret": "00" * 32}, ["commitment", "deal"]),
        ({"Commitment": "00" * 32}, ["commitment", "deal"]),
        ({"Table": "00" * 32}, ["commitment"]),
        ({"Contributions": f"-/-/{'0f' * 32}"}, ["deal"]),
        ({"Contributions": f"{'0f' * 32}/-/{'ab' * 32}"}, ["deal"]),
        ({"Secret": "short"}, ["record"]),
        ({"Contributions": "-/-"}, ["record"]),
        ({"Contributions": "-/-/x"}, ["record"]),
    ],
)
def test_whatever_was_changed_shows(changed: dict[str, str], wrong: list[str]) -> None:
    verdict = verify(finished(changed=changed))
    assert not verdict.holds
    assert set(wrong) <= set(failed(verdict)) <= {*wrong, "start"}


def test_another_deal_shows() -> None:
    game = Game(OPTIONS, seed=1)
    record = game.record(**record_tags(SECRET, TABLE, OPTIONS, GIVEN))
    assert "deal" in failed(verify(record))


def test_another_starting_seat_shows() -> None:
    record = finished()
    start = str(int(record.tags["Start"]) % 3 + 1)
    game = GameRecord({**record.tags, "Start": start, "Result": "*"}, ())
    assert failed(verify(game)) == ["start"]


def test_what_somebody_noted_is_compared() -> None:
    verdict = verify(finished(), table_id="x", commitment="00" * 32, contribution="00" * 32)
    assert failed(verdict) == ["table", "seen", "mine"]


def test_a_deal_that_nobody_contributed_to_is_not_verified() -> None:
    assert failed(verify(finished(given={}))) == ["contributions"]


def test_a_local_game_and_an_unfinished_one_say_why() -> None:
    local = Game(OPTIONS, seed=1).record()
    assert "no tag Table" in verify(local).checks[0].text
    tags = {k: v for k, v in finished().tags.items() if k != "Secret"}
    (check,) = verify(GameRecord(tags, ())).checks
    assert not check.holds
    assert "when the game has ended" in check.text
