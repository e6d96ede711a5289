"""Counts of legal turn sequences: the engine, the file and the referee agree."""

import pickle
from collections.abc import Iterator

import pytest

from patrizier import Game
from perft.regenerate import FILE, Position, count, read_positions, write_positions
from support.referee import Referee
from test_referee import referee_of

POSITIONS = read_positions()
each_position = pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p.name)
FEW = 800  # sequences that can be counted in plain Python
SOME = 5_000  # sequences that the referee can count


def referee_at(game: Game) -> Referee:
    """Bring the referee to where the game stands."""
    referee = referee_of(game.options, game.deal)
    replay = Game(game.options, deal=game.deal)
    for code in game.decisions:
        referee.choose(replay.state.decision_text(code))
        replay.decide(code)
    return referee


def after(referee: Referee, text: str) -> Referee:
    """Return the referee after a decision; the one given stays as it is."""
    later: Referee = pickle.loads(pickle.dumps(referee))
    later.choose(text)
    return later


def sequences(referee: Referee, last: int) -> int:
    """Count the sequences of turns until that many have been played, or to the end."""
    if referee.turn == last or referee.phase == "over":
        return 1
    return sum(sequences(after(referee, text), last) for text in referee.options())


def turns(referee: Referee) -> Iterator[str]:
    """Write every turn that the referee allows as a game record does."""
    lying = referee.cities_with_a_card()
    ways = [(referee, "")]
    while ways:
        now, text = ways.pop()
        for option in now.options():
            later = after(now, option)
            longer = text if option in (">", "@") else text + option
            card = longer[:3]
            free = referee.face(card) == "?" or card[:2] not in lying
            drew = now.phase in ("build", "move") and later.phase not in ("move", "draw")
            if drew and free and lying:  # the only card: drawn without a decision, but written
                longer += f"+{lying[0]}"
            if later.turn > referee.turn:
                yield longer
            else:
                ways.append((later, longer))


@each_position
def test_the_engine_counts_what_the_file_says(position: Position) -> None:
    state = position.game().state
    assert [count(state, n) for n in range(1, len(position.counts) + 1)] == list(position.counts)


@pytest.mark.plain
@each_position
def test_small_counts(position: Position) -> None:
    state = position.game().state
    for depth, number in enumerate(position.counts, 1):
        if number <= FEW:
            assert count(state, depth) == number


@each_position
def test_the_referee_counts_the_same(position: Position) -> None:
    referee = referee_at(position.game())
    for depth, number in enumerate(position.counts, 1):
        if number <= SOME:
            assert sequences(referee, referee.turn + depth) == number


@each_position
def test_legal_turns_are_those_of_the_referee(position: Position) -> None:
    game = position.game()
    texts = [move.text for move in game.legal_moves]
    assert len(texts) == position.counts[0]
    assert sorted(texts) == sorted(turns(referee_at(game)))


def test_every_position_is_counted_three_turns_deep() -> None:
    assert all(len(position.counts) >= 3 for position in POSITIONS)


def test_the_file_is_written_by_the_script() -> None:
    assert FILE.read_text("utf-8") == write_positions(POSITIONS)
