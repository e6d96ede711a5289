"""The game record: what is written can be read, and what is read follows the rules."""

import pickle
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patrizier import (
    Deck,
    Game,
    GameRecord,
    Move,
    Options,
    RecordError,
    load_games,
    read_games,
    write_games,
)
from support.kinds import RULES, starry

EXAMPLE = """\
[Game "Patrizier"]
[Version "1"]
[Players "3"]
[Names "Anna/Ben/Cleo"]
[Colours "black/white/red"]
[Rules "messengers"]
[Deck "classic"]
[Start "3"]
[Deal "VE4 BO5 VE3/FE3 FI5 PA3/BO4 LU4 FI4|RO7 FE4 BO3 SI2 FI1 FE2 RO4 SI4 RO6|\
FI3 LU2 VE1 FI7 SI1 RO2 BO2 MI5 SI3 PA2 LU5 FI2 MI2 LU1 RO1 MI4 MI1 RO3 PA4 BO1 FE1 MI3 BO7 LU3 \
SI5 BO6 RO5 PA1 FI6 VE2"]
[Result "*"]

1. BO4:L@MI-PA BO5:R@FE-VE PA3:R
2. FI4:L@BO-FE VE3:R@LU-MI FI5:R@LU-SI
3. BO3:R+FI FI3:R>BO.L FI7:R
"""
STARRY = starry("every single crest has a star / ünïcode [1]")
WITHOUT_PISTOIA = Deck.of(
    "small", {card: face.text for card, face in STARRY.faces if card[:2] != "PI"}
)
NAMES = ("Anna", 'Ben "the Builder"', "back\\slash", "a/b//", "Žofie 🏰 ミケランジェロ")


def random_game(options: Options, seed: int, turns: int = 55) -> Game:
    game, rng = Game(options, seed=seed), Random(seed)
    while game.turn < turns and not game.is_over:
        game.play(rng.choice(game.legal_moves))
    return game


@cache
def finished() -> str:
    """Return a finished game of two, with one winner."""
    return str(random_game(Options(2), 1).record(names=["Anna", "Ben"]))


def edited(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"{old} stands {text.count(old)} times in the text"
        text = text.replace(old, new)
    return text


# -- reading and writing


@pytest.mark.plain
def test_the_example_of_the_notation_reads_replays_and_writes() -> None:
    (record,) = read_games(EXAMPLE)
    assert str(record) == EXAMPLE
    assert write_games([record]) == EXAMPLE
    assert record.names == ("Anna", "Ben", "Cleo")
    game = record.game()
    assert (game.turn, game.seat, game.options.rules_text) == (9, 2, "messengers")
    assert game.deal.start == 2
    assert [record.seat for record in game.records] == [2, 0, 1] * 3
    assert (game.records[6].drawn, game.records[6].refill) == ("RO2", "BO2")  # at Firenze
    assert game.view(None).messengers == ("BO-FE", "FE-VE", "LU-MI", "LU-SI", "MI-PA")
    assert str(game.record(names=record.names)) == EXAMPLE


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        pytest.param(
            *case, marks=[pytest.mark.plain] * (case == (3, RULES[4])), id=f"{case[0]}-{i % 6}"
        )
        for i, case in enumerate(product((2, 3, 4, 5), RULES))
    ],
)
def test_records_round_trip(players: int, rules: tuple[str, ...]) -> None:
    decks = [Deck.classic(), STARRY] + [WITHOUT_PISTOIA] * (players < 5)
    for seed, turns in enumerate((0, 1, 20, 47, 55)):
        options = Options(players, rules, decks[seed % len(decks)])
        game = random_game(options, seed, turns)
        names = NAMES[:players] if seed % 2 else ()
        text = str(game.record(names, Event='a "match" \\ for 1/2', Site=""))
        (record,) = read_games(text)
        assert str(record) == text
        assert record.names == names
        assert record.moves == tuple(game.moves)
        again = record.game()
        assert again.state == game.state
        assert again.options == options
        assert again.deal == game.deal
        assert again.records == game.records
        assert str(again.record(names, Event='a "match" \\ for 1/2', Site="")) == text


def test_what_a_record_of_a_loaded_deck_looks_like() -> None:
    text = str(random_game(Options(2, deck=WITHOUT_PISTOIA), 3).record(NAMES[1:3]))
    lines = text.splitlines()
    assert lines[3] == r'[Names "Ben \"the Builder\"/back\\slash"]'
    assert lines[6] == '[Deck "small"]'
    assert lines[7].startswith('[Cards "BO1=2 BO2=2 BO3=?* BO4=L* BO5=B* BO6=K* BO7=LL* FE1=2 ')
    assert lines[10].startswith('[Result "')
    assert lines[11].startswith('[Winners "')
    assert lines[12] == ""
    assert lines[13].startswith("1. ")
    assert len(lines) == 13 + 24
    assert text.endswith("\n")


@settings(deadline=None, derandomize=True, database=None, max_examples=200)
@given(st.lists(st.text('/\\"ab [](){}|*.:é\u0301Ž東🏰', min_size=1), min_size=2, max_size=2))
def test_any_printable_name_survives(names: list[str]) -> None:
    text = str(Game(Options(2), seed=1).record(names))
    (record,) = read_games(text)
    assert record.names == tuple(names)
    assert str(record) == text


@pytest.mark.parametrize("names", ["A", ["A", ""], "ABC", ["A", "B\n"], ["A\0", "B"]])
def test_names_that_cannot_be_written(names: Iterable[str]) -> None:
    with pytest.raises(ValueError, match=r"name|characters"):
        Game(Options(2), seed=1).record(names)


@pytest.mark.parametrize(
    "tags", [{"Deal": ""}, {"Result": "*"}, {"A b": ""}, {"1": ""}, {"A": "\0"}]
)
def test_tags_that_cannot_be_written(tags: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"tag|characters"):
        Game(Options(2), seed=1).record(**tags)


def test_a_loaded_deck_named_classic_can_be_read_again() -> None:
    """Or it must not be made at all."""
    cards = {card: face.text for card, face in Deck.classic().faces} | {"BO6": "B"}
    try:
        options = Options(3, deck=Deck.of("classic", cards))
    except ValueError:
        return
    game = random_game(options, 1, 5)
    (record,) = read_games(str(game.record()))
    assert record.game().state == game.state


def test_unknown_tags_stay_in_their_place() -> None:
    text = edited(
        EXAMPLE,
        ("[Names ", '[X-1_y "kept \\"as\\" \\\\ it is"]\n[Names '),
        ('[Result "*"]\n', '[Result "*"]\n[Empty ""]\n'),
    )
    (record,) = read_games(text)
    assert record.tags["Empty"] == ""
    assert str(record) == text


def test_comments_are_kept() -> None:
    text = edited(
        EXAMPLE,
        ("1. BO4", "{before it all} {twice}\n1. BO4"),
        ("BO5:R@FE-VE", "BO5:R@FE-VE {1. a turn? FI7:R} {two\nlines}"),
        ("FI7:R\n", "FI7:R {} {the end}\n"),
    )
    (record,) = read_games(text)
    assert record.comments == {
        0: ("before it all", "twice"),
        2: ("1. a turn? FI7:R", "two\nlines"),
        9: ("", "the end"),
    }
    assert len(record.moves) == 9
    assert str(record) == text


def test_layout_of_the_turns_is_free() -> None:
    """Rounds, line ends, blank lines and most tags are for the eye."""
    turns = EXAMPLE.split("\n\n")[1]
    words = [word for word in turns.split() if not word.endswith(".")]
    needed = ("[Game", "[Players", "[Rules", "[Start", "[Deal")
    tags = [line for line in EXAMPLE.splitlines() if line.startswith(needed)]
    loose = "\n\n  \n" + "\n".join(tags) + "\n  \n\n" + "\n\t\n7. 8. ".join(words) + "{end}"
    (record,) = read_games(loose)
    assert [move.text for move in record.moves] == words
    assert record.names == ()
    assert record.game().state == read_games(EXAMPLE)[0].game().state
    assert read_games(str(record)) == [record]


def test_both_kinds_of_line_ends_are_read(tmp_path: Path) -> None:
    text = edited(EXAMPLE, ("FI7:R\n", "FI7:R {two\nlines}\n"))
    path = tmp_path / "windows.ptr"
    path.write_bytes(text.replace("\n", "\r\n").encode())
    (record,) = load_games(path)
    assert str(record) == text


def test_stray_carriage_returns_do_not_change_from_one_reading_to_the_next() -> None:
    records = read_games(edited(EXAMPLE, ("FI7:R\n", "FI7:R {two\r\r\nlines}\n")))
    assert read_games(write_games(records)) == records


def test_a_file_holds_many_games(tmp_path: Path) -> None:
    games = [random_game(Options(2 + n % 4, RULES[n % 6]), n, 9 * n) for n in range(8)]
    records = [game.record(NAMES[: game.options.players]) for game in games]
    text = write_games(records)
    assert write_games(read_games(text)) == text
    path = tmp_path / "many.ptr"
    path.write_text(text, "utf-8")
    for place in (path, str(path)):
        again = load_games(place)
        assert again == records
        assert [record.game().state for record in again] == [game.state for game in games]
    with pytest.raises(ValueError, match="8 games"):
        Game.from_record(text)


@pytest.mark.parametrize("turns", [0, 1, 13, 40])
def test_a_game_goes_on_from_its_record(turns: int) -> None:
    whole = random_game(Options(3, RULES[2]), 5)
    game = random_game(Options(3, RULES[2]), 5, turns)
    if game.phase == "build":
        game.decide(game.legal_decisions()[0])  # a turn under way is left out
    again = Game.from_record(str(game.record()))
    assert again.turn == turns + (game.turn > turns)
    again.take_back(again.turn - turns)
    for move in whole.moves[turns:]:
        again.play(move)
    assert again.outcome() == whole.outcome()
    assert str(again.record()) == str(whole.record())


def test_a_record_made_by_hand() -> None:
    (record,) = read_games(EXAMPLE)
    shorter = GameRecord(record.tags, record.moves[:4], {4: ("stopped",)})
    assert str(shorter).endswith("1. BO4:L@MI-PA BO5:R@FE-VE PA3:R\n2. FI4:L@BO-FE {stopped}\n")
    assert shorter.game().turn == 4
    assert GameRecord(record.tags, (Move("BO4:R"),)).game().turn == 1


# -- mistakes: edits of the example, and the line, the turn and the reason that the error names

DEAL_END = "SI5 BO6 RO5 PA1 FI6 VE2"
TAG_MISTAKES: dict[str, tuple[list[tuple[str, str]], int, str]] = {
    "other game": ([('"Patrizier"', '"Chess"')], 1, "Game: .*Patrizier"),
    "bad game tag": ([('[Game "', '[Game  "')], 1, "not a tag"),
    "other version": ([('[Version "1"]', '[Version "2"]')], 2, "Version: .*version 1"),
    "no players": ([('[Players "3"]\n', "")], 1, "Players: .*required"),
    "no start": ([('[Start "3"]\n', "")], 1, "Start: .*required"),
    "no deal": ([("[Deal ", "[Deals ")], 1, "Deal: .*required"),
    "tag twice": ([('[Players "3"]\n', '[Players "3"]\n[Players "3"]\n')], 4, "Players .*twice"),
    "unknown tag twice": ([('[Names "Anna/Ben/Cleo"]', '[X ""]\n[X ""]')], 5, "X .*twice"),
    "one player": ([('[Players "3"]', '[Players "1"]')], 3, "Players: .*2 to 5"),
    "six players": ([('[Players "3"]', '[Players "6"]')], 3, "Players: .*2 to 5"),
    "players in words": ([('[Players "3"]', '[Players "three"]')], 3, "Players: .*2 to 5"),
    "arabic digits": ([('[Players "3"]', '[Players "٣"]')], 3, "Players: .*2 to 5"),
    "zero padded": ([('[Players "3"]', '[Players "03"]')], 3, "Players: .*2 to 5"),
    "start 0": ([('[Start "3"]', '[Start "0"]')], 8, "Start: .*1 to 3"),
    "start 4": ([('[Start "3"]', '[Start "4"]')], 8, "Start: .*1 to 3"),
    "too few names": ([("Anna/Ben/Cleo", "Anna/Ben")], 4, "Names: 3 names"),
    "too many names": ([("Anna/Ben/Cleo", "Anna/Ben/Cleo/Dan")], 4, "Names: 3 names"),
    "escaped slash": ([("Anna/Ben/Cleo", r"Anna\/Ben/Cleo")], 4, "Names: 3 names"),
    "unknown colour": ([("black/white/red", "black/white/green")], 5, "Colours: .*green"),
    "colour twice": ([("black/white/red", "black/white/white")], 5, "Colours: .*different"),
    "too few colours": ([("black/white/red", "black/white")], 5, "Colours: .*colours"),
    "no colours": ([("black/white/red", "")], 5, "Colours: "),
    "colour for more players": ([("black/white/red", "black/white/blue")], 5, "Colours: .*blue"),
    "unknown rule": ([('"messengers"', '"messenger"')], 6, "Rules: unknown rule 'messenger'"),
    "rule in capitals": ([('"messengers"', '"Messengers"')], 6, "Rules: unknown rule"),
    "rule with a space": ([('"messengers"', '"messengers, open-ledger"')], 6, "Rules: unknown"),
    "comma too many": ([('"messengers"', '"messengers,"')], 6, "Rules: unknown"),
    "rule twice": ([('"messengers"', '"messengers,messengers"')], 6, "Rules: .*twice"),
    "rule alone": ([('"messengers"', '"messenger-at-built-city"')], 6, "Rules: .*requires"),
    "unknown deck": ([('"classic"', '"mine"')], 7, "Deck: .*'mine' must be written out"),
    "classic written out": ([('"classic"]', '"classic"]\n[Cards "BO1=2"]')], 8, "Cards: .*classic"),
    "card missing in a deck": ([('"classic"]', '"m"]\n[Cards "BO1=2"]')], 8, "Cards: BO2 is"),
    "no card": ([('"classic"]', '"mine"]\n[Cards "BO1"]')], 8, "Cards: 'BO1': .*CARD=FACE"),
    "card of a deck twice": ([('"classic"]', '"m"]\n[Cards "BO1=2 BO1=2"]')], 8, "Cards: 'BO1=2'"),
    "unknown face": ([('"classic"]', '"mine"]\n[Cards "BO1=X"]')], 8, "Cards: BO1: 'X'"),
    "one part": ([("|RO7", " RO7"), ("RO6|", "RO6 ")], 9, "Deal: .*three parts"),
    "two parts": ([("RO6|", "RO6 ")], 9, "Deal: .*three parts"),
    "four parts": ([("FI3 LU2", "FI3|LU2")], 9, "Deal: .*three parts"),
    "two hands": ([("/FE3 FI5 PA3", ""), ("6 VE2", "6 VE2 FE3 FI5 PA3")], 9, "Deal: .*2 hands"),
    "four hands": ([("FE3 FI5 PA3", "FE3 FI5 PA3/MI4 PA4 RO5")], 9, "Deal: .*4 hands"),
    "short hand": ([("VE4 BO5 VE3", "VE4 BO5"), ("6 VE2", "6 VE2 VE3")], 9, "Deal: .*seat 1 .*2"),
    "long hand": ([("LU4 FI4|", "LU4 FI4 MI4|"), (" MI4 MI1", " MI1")], 9, "Deal: .*seat 3 .*4"),
    "short display": ([("|RO7 ", "|"), (DEAL_END, f"{DEAL_END} RO7")], 9, "Deal: 8 cards lie"),
    "long display": ([("RO6|FI3 ", "RO6 FI3|")], 9, "Deal: 10 cards lie"),
    "unknown card": ([(DEAL_END, "SI5 BO6 RO5 PA1 FI6 VE5")], 9, "Deal: 'VE5' is not a card"),
    "pistoia with three": ([(DEAL_END, f"{DEAL_END} PI1")], 9, "Deal: 'PI1' is not a card"),
    "two spaces": ([("FI6 VE2", "FI6  VE2")], 9, "Deal: '' is not a card"),
    "space at the end": ([(DEAL_END, f"{DEAL_END} ")], 9, "Deal: '' is not a card"),
    "card dealt twice": ([(DEAL_END, f"{DEAL_END} RO7")], 9, "Deal: RO7 is dealt twice"),
    "card missing": ([("FI6 VE2", "FI6")], 9, "Deal: VE2 is missing"),
    "no star": ([("VE4 BO5", "VE4 VE2"), ("FI6 VE2", "FI6 BO5")], 9, "VE2 .*seat 1 .*no star"),
    "winners too early": ([('[Result "*"]', '[Winners "1"]')], 10, "Winners: .*not finished"),
    "result too early": ([('[Result "*"]', '[Result "1/2/3"]')], 10, r'Result: .*"\*"'),
    "no quotes": ([('[Result "*"]', "[Result *]")], 10, "not a tag"),
    "text behind a tag": ([('[Result "*"]', '[Result "*"] !')], 10, "not a tag"),
    "open quote": ([('[Result "*"]', '[Result "\\"]')], 10, "not a tag"),
    "tag indented": ([('[Result "*"]', ' [Result "*"]')], 10, "blank line"),
    "no blank line": ([('"*"]\n\n', '"*"]\n')], 11, "separated by a blank line"),
}


@pytest.mark.parametrize("kind", TAG_MISTAKES)
def test_mistakes_in_tags(kind: str) -> None:
    changes, line, reason = TAG_MISTAKES[kind]
    with pytest.raises(RecordError, match=reason) as caught:
        read_games(edited(EXAMPLE, *changes))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}")
    assert caught.value.reason in str(caught.value)


def test_a_deck_without_pistoia_is_named_where_it_stands() -> None:
    text = str(Game(Options(5, deck=STARRY), seed=1).record())
    cards = text.splitlines()[6]
    small = " ".join(word for word in cards.split(" ") if word[:2] != "PI")
    with pytest.raises(RecordError, match="Pistoia") as caught:
        read_games(edited(text, (cards, small)))
    assert caught.value.line in (6, 7)  # Deck, Cards


TURN_MISTAKES: dict[str, tuple[list[tuple[str, str]], int, int, str, str]] = {
    "unreadable": ([("PA3:R", "PA3-R")], 12, 3, "PA3-R", "not a turn"),
    "small letters": ([("PA3:R", "pa3:r")], 12, 3, "pa3:r", "not a turn"),
    "round with a turn": ([("2. FI4", "2.FI4")], 13, 4, "2.FI4:L@BO-FE", "not a turn"),
    "no such card": ([("PA3:R", "PA9:R")], 12, 3, "PA9:R", "no card PA9"),
    "no such city": ([("BO3:R+FI", "BO3:R+XX")], 14, 7, "BO3:R+XX", "no city XX"),
    "cities out of order": ([("MI-PA", "PA-MI")], 12, 1, "BO4:L@PA-MI", "alphabetical"),
    "parts out of order": ([("@MI-PA", "@MI-PA+FI")], 12, 1, "BO4:L@MI-PA+FI", "not a turn"),
    "site out of order": ([("BO4:L@", "BO4:RL@")], 12, 1, "BO4:RL@MI-PA", "not a turn"),
    "not in hand": ([("PA3:R", "PA4:R")], 12, 3, "PA4:R", "not in the hand of seat 2"),
    "other seat": ([("BO4:L@MI-PA ", "")], 12, 1, "BO5:R@FE-VE", "not in the hand of seat 3"),
    "too many floors": ([("PA3:R", "PA3:LR")], 12, 3, "PA3:LR", "builds one floor"),
    "no special action": ([("PA3:R", "PA3:R>BO.L")], 12, 3, "PA3:R>BO.L", "special action"),
    "moving where just built": ([(">BO.L", ">FI.L")], 14, 8, "FI3:R>FI.L", "just built"),
    "moving where nothing is owned": ([(">BO.L", ">PA.R")], 14, 8, "FI3:R>PA.R", "own no floor"),
    "moving from an empty site": ([(">BO.L", ">VE.L")], 14, 8, "FI3:R>VE.L", "no floor to move"),
    "draw written where it is forced": ([("PA3:R", "PA3:R+PA")], 12, 3, "PA3:R+PA", "not free"),
    "draw elsewhere where it is forced": ([("PA3:R", "PA3:R+BO")], 12, 3, "PA3:R+BO", "not free"),
    "free draw not written": ([("BO3:R+FI", "BO3:R")], 14, 7, "BO3:R", r"name the city .* \+"),
    "draw where nobody plays": ([("BO3:R+FI", "BO3:R+PI")], 14, 7, "BO3:R+PI", "lies at Pistoia"),
    "no neighbours": ([("MI-PA", "FE-PA")], 12, 1, "BO4:L@FE-PA", "not neighbours"),
    "no neighbours without pistoia": ([("MI-PA", "FI-PI")], 12, 1, "BO4:L@FI-PI", "five players"),
    "messenger where just built": ([("MI-PA", "BO-SI")], 12, 1, "BO4:L@BO-SI", "just built"),
    "messenger on another": ([("FI4:L@BO-FE", "FI4:L@FE-VE")], 13, 4, "FI4:L@FE-VE", "already"),
    "third messenger": ([("FI5:R@LU-SI", "FI5:R@FE-LU")], 13, 6, "FI5:R@FE-LU", "two messengers"),
    "messenger without a star": ([("FI7:R", "FI7:R@PA-VE")], 14, 9, "FI7:R@PA-VE", "no star"),
    "messengers not played": ([('"messengers"', '""')], 12, 1, "BO4:L@MI-PA", "without messengers"),
    "tags after turns": ([("FI7:R\n", 'FI7:R\n[Event "x"]\n')], 15, 10, "[Event", "not a turn"),
    "open comment": ([("FI7:R\n", "FI7:R {never closed\n")], 14, 10, "", "unbalanced"),
    "closed comment": ([("3. ", "never opened}\n3. ")], 14, 7, "never", "not a turn"),
    "only closed": ([("3. ", "}\n3. ")], 14, 7, "", "unbalanced"),
    "comment in a comment": ([("3. ", "{a {b} c}\n3. ")], 14, 7, "", "unbalanced"),
    "a game in a comment": ([("3. ", '{\n[Game "x"]\n}\n3. ')], 14, 7, "", "unbalanced"),
    "unreadable and long": ([("3. ", "x" * 500 + " 3. ")], 14, 7, "x" * 59 + "…", "not a turn"),
}


@pytest.mark.parametrize("kind", TURN_MISTAKES)
def test_mistakes_in_turns(kind: str) -> None:
    changes, line, turn, word, reason = TURN_MISTAKES[kind]
    with pytest.raises(RecordError, match=reason) as caught:
        read_games(edited(EXAMPLE, *changes))
    error = caught.value
    assert (error.line, error.turn, error.word) == (line, turn, word)
    assert str(error).startswith(f"line {line}, turn {turn}")
    assert f"({word})" in str(error) or not word
    assert error.reason in str(error)


def test_the_last_card_that_lies_out_is_written_too() -> None:
    """A free draw is written even where there is nothing to choose."""
    for seed in range(100):
        game = random_game(Options(2), seed)
        for record in game.records:
            before = Game(game.options, deal=game.deal)
            if record.move.draw is None or record.turn < 40:
                continue
            for move in game.moves[: record.turn - 1]:
                before.play(move)
            if sum(city.card is not None for city in before.view(None).cities) == 1:
                text = str(game.record())
                without = record.move.text.replace(f"+{record.move.draw}", "")
                with pytest.raises(RecordError, match="name the city to draw from") as caught:
                    read_games(edited(text, (record.move.text, without)))
                assert caught.value.turn == record.turn
                assert caught.value.line == 11 + (record.turn + 1) // 2
                return
    pytest.fail("no such game")


def wrong_result(change: Callable[[str], str], tag: str, line: int, reason: str) -> None:
    text = finished()
    (old,) = [row for row in text.splitlines() if row.startswith(f"[{tag} ")]
    with pytest.raises(RecordError, match=reason) as caught:
        read_games(edited(text, (old, change(old))))
    assert (caught.value.line, caught.value.turn) == (line, 48)


def test_a_wrong_result_is_refused() -> None:
    (record,) = read_games(finished())
    result, winners = record.tags["Result"], record.tags["Winners"]
    assert winners in ("1", "2")
    wrong_result(lambda _: '[Result "*"]', "Result", 10, f'should read "{result}"')
    wrong_result(lambda _: '[Result ""]', "Result", 10, f'should read "{result}"')
    wrong_result(lambda row: row.replace("/", "1/"), "Result", 10, f'should read "{result}"')
    wrong_result(lambda row: row.replace("/", ", "), "Result", 10, f'should read "{result}"')
    wrong_result(lambda _: f'[Winners "{3 - int(winners)}"]', "Winners", 11, f'"{winners}"')
    wrong_result(lambda _: '[Winners "1/2"]', "Winners", 11, f'"{winners}"')
    wrong_result(lambda _: '[Winners ""]', "Winners", 11, f'"{winners}"')


def test_turns_after_the_end_are_refused() -> None:
    with pytest.raises(RecordError, match="the game is over") as caught:
        read_games(finished() + "25. BO1:LL\n")
    assert (caught.value.line, caught.value.turn) == (37, 49)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no game"),
        ("\n  \n\r\n", 1, "no game"),
        ("hello", 1, "a game starts with"),
        ("\n\nhello\n" + EXAMPLE, 3, "a game starts with"),
        ("\ufeff" + EXAMPLE, 1, "a game starts with"),
        ('[Players "3"]\n' + EXAMPLE, 1, "a game starts with"),
        (" " + EXAMPLE, 1, "a game starts with"),
    ],
)
def test_a_file_starts_with_a_game(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        read_games(text)
    assert (caught.value.line, caught.value.turn) == (line, None)


def test_lines_are_counted_through_all_games_of_a_file() -> None:
    broken = edited(EXAMPLE, ("PA3:R", "PA3:LL"))
    text = f"{EXAMPLE}{{a comment\nof two lines}}\n\n{finished()}\n{broken}"
    with pytest.raises(RecordError, match="builds one floor") as caught:
        read_games(text)
    assert caught.value.line == next(
        number for number, line in enumerate(text.splitlines(), 1) if "PA3:LL" in line
    )
    assert caught.value.turn == 3
    with pytest.raises(RecordError) as same:
        read_games(text.replace("\n", "\r\n"))
    assert str(same.value) == str(caught.value)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.ptr"
    path.write_bytes(EXAMPLE.replace("Cleo", "Zoë").encode("latin-1"))
    with pytest.raises(RecordError, match="line 4: not UTF-8") as caught:
        load_games(path)
    assert caught.value.line == 4
    path.write_bytes(EXAMPLE.encode("utf-16"))
    with pytest.raises(RecordError, match="line 1: not UTF-8"):
        load_games(path)


def test_record_errors_travel_between_processes() -> None:
    with pytest.raises(RecordError) as caught:
        read_games(edited(EXAMPLE, ("PA3:R", "PA3:LL")))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.line, again.turn) == (12, 3)
    assert (again.rule, again.values) == ("rule-one-floor", {"card": "PA3"})
