"""The strict reader against broken records: it reads them rightly, or says where they are wrong."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patrizier import Game, Options, RecordError, load_games, read_games, write_games
from support.kinds import STARRY


@cache
def good_records() -> list[str]:
    """Return records of many kinds: short and long, with comments, two games in one."""
    kinds = [
        (Options(2), 0),
        (Options(2), 48),
        (Options(3, {"messengers"}), 12),
        (Options(4, {"messengers", "messenger-at-built-city"}, STARRY), 20),
        (Options(5, {"open-ledger", "messengers"}), 55),
    ]
    texts = []
    for seed, (options, turns) in enumerate(kinds):
        game, rng = Game(options, seed=seed), Random(seed)
        while game.turn < turns:
            game.play(rng.choice(game.legal_moves))
        names = ['a "b"', "c/d", "é\\", "f", "g"][: options.players]
        texts.append(str(game.record(names if seed % 2 else (), Event="e")))
    commented = re.sub(r"(2\. \S+)", r"{before\n2.} \1 {after}", texts[2])
    return [*texts, commented, texts[0] + "\n" + commented]


# -- ways to break a record

Mutation = Callable[[str, Random], str]
SPECIAL = '\r\n\t {}[]"\\|/:>+@.*,;-=\0\x0b\x1c\x85\u2028\u00a0éLR19?'
MUTATIONS: list[Mutation] = []


def mutation(function: Mutation) -> Mutation:
    MUTATIONS.append(function)
    return function


def in_lines(text: str, change: Callable[[list[str]], object]) -> str:
    lines = text.split("\n")
    change(lines)
    return "\n".join(lines)


@mutation
def delete_line(text: str, rng: Random) -> str:
    return in_lines(text, lambda lines: lines.pop(rng.randrange(len(lines))))


@mutation
def double_line(text: str, rng: Random) -> str:
    return in_lines(text, lambda rows: rows.insert(rng.randrange(len(rows)), rng.choice(rows)))


@mutation
def swap_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


@mutation
def join_lines(text: str, rng: Random) -> str:
    spot = text.find("\n", rng.randrange(len(text)))
    return text[:spot] + rng.choice(["", " "]) + text[spot + 1 :]


@mutation
def cut_off(text: str, rng: Random) -> str:
    return text[: rng.randrange(len(text))]


@mutation
def cut_out(text: str, rng: Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.choice([1, 1, 2, 5, 50]) :]


@mutation
def change_character(text: str, rng: Random) -> str:
    spot = rng.randrange(len(text))
    return text[:spot] + rng.choice([rng.choice(SPECIAL), rng.choice(text)]) + text[spot + 1 :]


@mutation
def insert_character(text: str, rng: Random) -> str:
    spot = rng.randrange(len(text))
    return text[:spot] + rng.choice(SPECIAL) * rng.choice([1, 1, 2]) + text[spot:]


@mutation
def change_word(text: str, rng: Random) -> str:
    words = re.split(r"([\s/|\"]+)", text)
    words[rng.randrange(0, len(words), 2)] = rng.choice(words[::2])
    return "".join(words)


@mutation
def swap_words(text: str, rng: Random) -> str:
    words = re.split(r"([\s/|\"]+)", text)
    one, two = (rng.randrange(0, len(words), 2) for _ in range(2))
    words[one], words[two] = words[two], words[one]
    return "".join(words)


@mutation
def change_turn(text: str, rng: Random) -> str:
    """Exchange, drop or add a part of a turn."""
    parts = list(re.finditer(r":[LR]+|>..\.[LR]|\+[A-Z]{2}|@..-..", text))
    if not parts:
        return text
    part = rng.choice(parts)
    other = rng.choice(parts).group()
    return text[: part.start()] + rng.choice(["", other, part.group() + other]) + text[part.end() :]


def mutants(seed: int) -> Iterator[str]:
    """Break good records, once or a few times over."""
    rng = Random(seed)
    while True:
        text = rng.choice(good_records())
        for _ in range(rng.choice([1, 1, 1, 2, 5])):
            text = rng.choice(MUTATIONS)(text, rng) or "x"
        yield text


# -- what must hold


def check(text: str) -> bool:
    """Read a text: it must be right and stay so, or the error must name a line. Tell which."""
    try:
        records = read_games(text)
    except RecordError as error:
        check_error(error, text.count("\n") + 1)
        return False
    assert records
    written = write_games(records)
    again = read_games(written)
    assert again == records
    assert write_games(again) == written
    for record in records:
        game = record.game()
        assert tuple(game.moves) == record.moves
        assert ("Winners" in record.tags) <= game.is_over
    return True


def check_error(error: RecordError, lines: int) -> None:
    assert 1 <= error.line <= lines
    assert error.turn is None or 0 <= error.turn <= 56
    assert error.reason
    assert error.rule or "UTF-8" in error.reason
    assert str(error).startswith(f"line {error.line}")
    assert "\n" not in str(error)


@pytest.mark.parametrize("seed", range(8))
def test_mutants_are_read_or_refused(seed: int) -> None:
    read = sum(check(text) for text in islice(mutants(seed), 700))
    assert 30 < read < 500  # some mistakes do no harm, most do


@pytest.mark.plain
def test_mutants_are_read_or_refused_in_plain_python() -> None:
    for text in islice(mutants(100), 40):
        check(text)


@pytest.mark.parametrize("seed", range(2))
def test_flipped_bytes_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    path, rng = tmp_path / "broken.ptr", Random(seed)
    not_text = 0
    for _ in range(300):
        data = bytearray(rng.choice(good_records()).encode())
        for _ in range(rng.choice([1, 1, 3])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            records = load_games(path)
        except RecordError as error:
            check_error(error, data.count(b"\n") + 1)
            not_text += "UTF-8" in error.reason
        else:
            assert read_games(write_games(records)) == records
    assert not_text > 10


@settings(deadline=None, derandomize=True, database=None, max_examples=300)
@given(st.text(SPECIAL + "[Game Patrizier"))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert not check(text)
    assert not check('[Game "Patrizier"]\n' + text)


@settings(deadline=None, derandomize=True, database=None, max_examples=300)
@given(st.text(SPECIAL + "BOFI1. "))
def test_any_text_after_the_tags_is_read_or_refused(text: str) -> None:
    check(good_records()[0] + text)


@settings(deadline=None, derandomize=True, database=None, max_examples=200)
@given(
    st.text(SPECIAL + "BOFI1 "),
    st.sampled_from(["Names", "Colours", "Rules", "Deck", "Start", "Deal", "Event"]),
)
def test_any_text_in_a_tag_is_read_or_refused(value: str, tag: str) -> None:
    text, found = good_records()[1], f'[{tag} "'
    start = text.index(found) + len(found)
    check(text[:start] + value + text[text.index('"]', start) :])
