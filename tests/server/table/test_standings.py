"""The standings in messages: for the seat to decide, and of past turns."""

from random import Random

import pytest

from patrizier.prospects import prospects
from patrizier.server.protocol.messages import TurnEntry
from patrizier.server.table import commands as c
from patrizier.server.table.setup import Rule, TableSetup
from patrizier.standing import Standings, legal_standings, standings_of
from server.support.table_driver import KEY, TableDriver, decide


def driver(*rules: Rule) -> TableDriver:
    made = TableDriver(TableSetup(players=3, rules=rules, watch="link", memory_help=True))
    made.sit("ben", "cleo")
    return made


def told(game: TableDriver, person: str | None) -> Standings:
    (only,) = game.told(person, key="" if person else KEY).views
    return only.standings


def entries(game: TableDriver, since: int) -> list[TurnEntry]:
    log = game.told("anna", since=since).log
    return [entry for entry in log if isinstance(entry, TurnEntry)]


@pytest.mark.parametrize("rules", [("messengers",), ("messengers", "messenger-at-built-city")])
def test_the_mover_knows_what_follows_and_all_what_has_happened(rules: tuple[Rule, ...]) -> None:
    game, rng = driver(*rules), Random(3)
    begun, taken = game.game.state, 0
    while game.table.phase == "playing":
        state = game.game.state
        done = standings_of(begun, game.game.decisions[taken:])
        for person in ("anna", "ben", "cleo", None):
            follows = legal_standings(state) if person == game.mover else {}
            assert told(game, person) == done | follows
        before, turn = game.table.seq, game.table.turn
        decide(game, state.decision_text(rng.choice(state.legal_decisions())))
        if game.table.turn > turn:
            (entry,) = entries(game, since=before)
            assert entry.standings == standings_of(begun, game.game.decisions[taken:])
            begun, taken = game.game.state, len(game.game.decisions)


@pytest.mark.parametrize("memory_help", [True, False])
def test_only_the_mover_knows_what_the_turn_would_bring(memory_help: bool) -> None:
    game, rng, answers = TableDriver(TableSetup(players=3, memory_help=memory_help)), Random(4), 0
    game.sit("ben", "cleo")
    while game.table.phase == "playing":
        state = game.game.state
        for person in ("anna", "ben", "cleo"):
            (only,) = game.told(person).views
            if person != game.mover:
                assert only.prospects is None
                continue
            assert only.prospects == prospects(state.view(state.seat), memory=memory_help)
            answers += len(only.prospects.answers)
        decide(game, state.decision_text(rng.choice(state.legal_decisions())))
    assert bool(answers) == memory_help


def test_who_comes_back_is_told_of_every_turn_and_who_only_comes_of_the_last_round() -> None:
    game = driver("messengers")
    game.play_turns(3)
    seq = game.table.seq
    game.play_turns(5)
    missed = entries(game, since=seq)
    assert [entry.record["turn"] for entry in missed] == [4, 5, 6, 7, 8]
    assert all(entry.standings for entry in missed)
    assert [entry.standings for entry in entries(game, since=missed[2].seq)] == [
        entry.standings for entry in missed[3:]
    ]
    known = [entry.standings for entry in entries(game, since=0)]
    assert known[:5] == [{}] * 5
    assert known[5:] == [entry.standings for entry in missed[2:]]


def test_who_only_comes_is_told_how_the_board_was_a_round_ago() -> None:
    game = driver("messengers")
    boards = [game.game.state.view(None).to_json()]
    while game.table.turn < 12:
        game.play_turns(1)
        boards.append(game.game.state.view(None).to_json())
        for person, key in (("anna", ""), (None, KEY)):
            ago = game.told(person, key=key).round_ago
            assert ago is not None
            assert ago.turn == max(0, game.table.turn - 3)
            shown = ("cities", "messengers", "pile_left")
            assert {name: getattr(ago, name) for name in shown} == {
                name: boards[ago.turn][name] for name in shown
            }


def test_the_board_of_a_round_ago_is_told_once_to_those_who_may_look() -> None:
    game = driver()
    game.play_turns(4)
    assert game.told("anna", since=game.table.seq).round_ago is None
    assert game.told("stranger").round_ago is None


def test_turns_taken_back_are_forgotten() -> None:
    game = TableDriver(TableSetup(players=2, seats=("person", "apprentice")))
    game.sit()
    while game.table.to_move != 0:
        game.play()
    start, seq = game.table.turn, game.table.seq
    first = game.game.legal_moves[0].text
    game.play(first)
    (one,) = entries(game, since=seq)
    game.do("anna", c.TakeBack(id=game.id(), seat=0, to_turn=start, at_turn=game.table.turn))
    seq = game.table.seq
    other = game.game.legal_moves[-1].text
    assert other[:3] != first[:3]
    game.play(other)
    (two,) = entries(game, since=seq)
    assert {step[:3] for step in one.standings if step[0] != ">"} == {first[:3]}
    assert {step[:3] for step in two.standings if step[0] != ">"} == {other[:3]}
