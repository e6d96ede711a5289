"""Reasons: the independent referee checks every stated fact on the real board."""

import copy
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from analysis.games import random_game
from patrizier.analysis.facts import Fact
from patrizier.analysis.options import Option, options_of
from patrizier.analysis.reasons import SENTENCES, facts, reasons
from patrizier.analysis.sentences import sentence
from patrizier.game import Game
from patrizier.puzzles.collection import shipped
from patrizier.rules.board import cities_in_play
from patrizier.rules.codes import step_of
from patrizier.state import State
from support.referee import CAPACITY, NOBLES, Referee, tower_winner

MESSENGERS = ("messengers",)
SOLVED = {"wins", "shares", "loses"}  # stated by the analyser, not read off the board


def referee_at(game: Game) -> Referee:
    """Return the referee after the turns of a game."""
    options, deal = game.options, game.deal
    codes = [city.code for city in cities_in_play(options.players)]
    referee = Referee(
        options.players,
        options.rules,
        {card: face.text for card, face in options.deck.faces},
        [list(hand) for hand in deal.hands],
        dict(zip(codes, deal.display, strict=True)),
        list(deal.pile),
        deal.start,
    )
    state = State.start(options, deal)
    for code in game.decisions:
        referee.choose(state.decision_text(code))
        state = state.apply(code)
    return referee


def tried(game: Game, option: Option) -> Referee:
    """Return the referee after an option of the next stage."""
    referee, state = referee_at(game), game.state
    for code in option.codes:
        referee.choose(state.decision_text(code))
        state = state.apply(code)
    return referee


def leader(referee: Referee, city: str, site: str) -> int | None:
    tower = referee.towers[city][site]
    return tower_winner(tower) if tower else None


def margin(floors: list[int], seat: int) -> int:
    others = [floors.count(owner) for owner in floors if owner != seat]
    return floors.count(seat) - max(others, default=0)


def named(referee: Referee, city: str, tower: str) -> tuple[str, int]:
    """Return the site of a tower, by its name, and what it brings at least."""
    left, right = (len(referee.towers[city][site]) for site in "LR")
    if left == right:
        site = {"left": "L", "right": "R"}[tower]
    else:
        taller, lower = ("L", "R") if left > right else ("R", "L")
        site = {"taller": taller, "lower": lower}[tower]
    worth = CAPACITY[city] - (0 if tower == "taller" else 3)
    return site, worth + 2 * referee.messengers_at(city)


def heads(referee: Referee, seat: int, noble: str, hand: bool = False) -> int:
    cards = referee.played[seat] + (referee.hands[seat] if hand else [])
    return sum(referee.face(card).count(noble) for card in cards)


def won(referee: Referee, seat: int) -> int:
    """Return the points of tokens and chips of a seat."""
    tokens = sum(
        CAPACITY[city] - (3 if name == "lower" else 0)
        for (city, name), owner in referee.tokens.items()
        if owner == seat
    )
    return tokens + referee.chips[seat]


def best_finish(referee: Referee, seat: int, card: str) -> int:
    """Return the most points that a seat could take at once by completing a card's city."""
    city, most = card[:2], 0
    for sites in ("L", "R", "LL", "LR", "RR"):
        again = copy.deepcopy(referee)
        if again.is_scored(city) or len(sites) != (2 if again.face(card) == "2" else 1):
            continue
        if not again.may_build(city, sites):
            continue
        before = won(again, seat)
        for site in sites:
            again.towers[city][site].append(seat)
        again.score_if_complete(city)
        most = max(most, won(again, seat) - before)
    return most


def may_overtake(referee: Referee, seat: int, card: str, city: str, mover: int) -> bool:
    """Whether a seat could take the lead in a tower of a city from the mover with a card."""
    led = [site for site in "LR" if leader(referee, city, site) == mover]
    for sites in ("L", "R", "LL", "LR", "RR"):
        if len(sites) != (2 if referee.face(card) == "2" else 1):
            continue
        if not referee.may_build(card[:2], sites):
            continue
        built = copy.deepcopy(referee)
        built.seat = seat
        built.play_and_build(card, sites)
        reached = [built]
        for text in built.moves() if built.face(card) == ">" else ():
            moved = copy.deepcopy(built)
            where, site = text[1:].split(".")
            floor = moved.towers[where][site].pop()
            moved.towers[where]["R" if site == "L" else "L"].append(floor)
            reached.append(moved)
        if any(leader(each, city, site) == seat for each in reached for site in led):
            return True
    return False


def brings_sets(referee: Referee, seat: int, *cards: str) -> int:
    """Return what the last of some cards brings, played one after the other: 6 for three alike."""
    card, noble = cards[-1], referee.face(cards[-1])[0]
    old = heads(referee, seat, noble) + sum(referee.face(each).count(noble) for each in cards[:-1])
    return 6 * ((old + referee.face(card).count(noble)) // 3 - old // 3)


def sure_ways(before: Referee, after: Referee, mover: int, card: str) -> list[str]:
    """Return the cards with which the next seat, to the mover's knowledge, can draw this one."""
    (city,) = [city for city, lying in after.display.items() if lying == card]
    assert before.display[city] == card
    known, _ = before.known_hand(mover, (mover + 1) % before.players)
    return [held for held in known if held[:2] == city or after.face(held)[0] == "?"]


def check(fact: Fact, mover: int, before: Referee, after: Referee) -> bool:
    """Whether the referee agrees with a fact."""
    values = dict(fact.values)
    city, seat = str(values.get("city", "")), int(values.get("seat", -1))
    match fact.kind:
        case "scores" | "gives":
            who = mover if fact.kind == "scores" else seat
            newly = after.is_scored(city) and not before.is_scored(city)
            return newly and won(after, who) - won(before, who) == values["points"]
        case "lead" | "lead-from" | "ahead" | "nears" | "unseats" | "drops":
            site, worth = named(after, city, str(values["tower"]))
            floors, was = after.towers[city][site], before.towers[city][site]
            old, new = leader(before, city, site), leader(after, city, site)
            changed = {
                "lead": (old, new) == (None, mover),
                "lead-from": (old, new) == (seat, mover),
                "ahead": (old, new) == (mover, mover)
                and margin(floors, mover) == values.get("floors")
                and margin(floors, mover) > max(1, margin(was, mover)),
                "nears": (new, tower_winner([*floors, mover])) == (seat, mover)
                and margin(floors, mover) == -1
                and floors.count(mover) > was.count(mover),
                "unseats": old == seat and new not in (seat, mover, None),
                "drops": old == mover and new not in (mover, None),
            }
            return changed[fact.kind] and worth == values["points"]
        case "taller" | "taller-other":
            who = mover if fact.kind == "taller" else seat
            site, worth = named(after, city, "taller")
            heights = {each: len(before.towers[city][each]) for each in "LR"}
            was_taller = heights[site] > heights["R" if site == "L" else "L"]
            leads = leader(before, city, site) == leader(after, city, site) == who
            return leads and not was_taller and worth == values["points"]
        case "set" | "portraits":
            noble = str(values["noble"])
            old, new = heads(before, mover, noble), heads(after, mover, noble)
            gained = 6 * (new // 3 - old // 3)
            told = values["points"] if fact.kind == "set" else 0
            lacks = fact.kind == "set" or new % 3 == 2
            return new == values["heads"] and gained == told and lacks
        case "draws-portraits":
            noble, card = str(values["noble"]), str(values["card"])
            drawn = card in after.hands[mover] and card not in before.hands[mover]
            return drawn and heads(after, mover, noble, hand=True) % 3 == 2
        case "draws-action" | "draws-free":
            card = str(values["card"])
            drawn = card in after.hands[mover] and card not in before.hands[mover]
            return drawn and after.face(card)[0] == {"draws-action": ">"}.get(fact.kind, "?")
        case "draws-finish":
            card = str(values["card"])
            drawn = card in after.hands[mover] and card not in before.hands[mover]
            return drawn and best_finish(after, mover, card) == values["points"]
        case "draws-set":
            noble, card = str(values["noble"]), str(values["card"])
            assert card in after.hands[mover]
            assert card not in before.hands[mover]
            new = heads(after, mover, noble, hand=True)
            old = new - after.face(card).count(noble)
            return 6 * (new // 3 - old // 3) == values["points"]
        case "draws-crests":
            card = str(values["card"])
            drawn = card in after.hands[mover] and card not in before.hands[mover]
            return drawn and after.face(card) == "2" and not after.is_scored(city)
        case "keeps-away" | "keeps-set":
            card = str(values["card"])
            drawn = card in after.hands[mover] and card not in before.hands[mover]
            use = {
                "keeps-away": best_finish(after, seat, card) if card[:2] == city else 0,
                "keeps-set": brings_sets(after, seat, card),
            }
            could = drawn and seat != mover and bool(after.hands[seat])
            return could and use[fact.kind] > 0 and use[fact.kind] == values["points"]
        case "leaves-display":
            card = str(values["card"])
            points = best_finish(after, seat, card)
            ways = sure_ways(before, after, mover, card)
            return seat == (mover + 1) % after.players and bool(ways) and points == values["points"]
        case "leaves-set":
            card = str(values["card"])
            assert str(values["noble"]) in after.face(card)
            ways = sure_ways(before, after, mover, card)
            most = max(brings_sets(after, seat, held, card) for held in ways)
            return seat == (mover + 1) % after.players and most > 0 and most == values["points"]
        case "messenger" | "messenger-other":
            pair, who = str(values["pair"]), mover if fact.kind == "messenger" else seat
            assert pair in after.messengers - before.messengers
            ends = [end for end in pair.split("-") if not after.is_scored(end)]
            towers = sum(leader(after, end, site) == who for end in ends for site in "LR")
            return towers == values["towers"] and 2 * towers == values["points"]
        case "leaves" | "denies" | "exposes":
            card = str(values["card"])
            known, _ = before.known_hand(mover, seat)
            assert card in known
            if fact.kind == "exposes":
                return may_overtake(after, seat, card, city, mover)
            if card[:2] != city:
                return False
            then, now = best_finish(before, seat, card), best_finish(after, seat, card)
            if fact.kind == "leaves":
                return now == values["points"]
            return then - now == values["points"]
    return False


def chances_to_tell() -> Iterator[tuple[Game, Option]]:
    for players in (2, 3, 5):
        for rules in ((), MESSENGERS):
            for seed in range(2):
                for turns in range(3, 48, 8):
                    game = random_game(players, 10 * seed + turns, rules, turns)
                    for option in options_of(game.state._cells)[::4]:
                        yield game, option
    for seed in range(80):  # special actions that take something from others
        game = random_game(3 if seed % 4 == 3 else 2, seed, turns=30 + seed % 12)
        moves = [option for option in options_of(game.state._cells) if option.move.moved]
        for option in moves[:4]:
            yield game, option


def test_the_referee_agrees_with_every_fact() -> None:
    kinds: Counter[str] = Counter()
    for game, option in chances_to_tell():
        assert game.seat is not None
        view = game.view(game.seat)
        after = view.sample(1)
        for code in option.codes:
            after = after.apply(code)
        before, later = referee_at(game), tried(game, option)
        for fact in facts(view, after):
            assert check(fact, game.seat, before, later), (fact, option, str(game.record()))
            kinds[fact.kind] += 1
            assert documented()[fact.kind] == {name for name, _ in fact.values}
    assert set(kinds) == set(SENTENCES) - SOLVED - {"messenger", "messenger-other"}
    assert NOBLES


@cache
def documented() -> dict[str, set[str]]:
    """Return the values of every kind, as the documentation has them."""
    text = Path("docs/analysis.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| ([a-z`, ]*) \| [^|]+ \|$", text, re.MULTILINE)
    return {kind: set(re.findall(r"[a-z]+", values)) for kind, values in rows}


def test_every_kind_is_documented() -> None:
    assert set(SENTENCES) <= set(documented())


def test_a_card_taken_from_others_is_not_also_told_as_left() -> None:
    told = Counter[frozenset[str]]()
    for game, option in chances_to_tell():
        assert game.seat is not None
        view, start = game.view(game.seat), game.view(game.seat).sample(1)
        ends = []
        for each in (option, options_of(game.state._cells)[-1]):
            state = start
            for code in each.codes:
                state = state.apply(code)
            ends.append(state)
        kinds: dict[str, set[str]] = {}
        for reason in reasons(view, ends[0], ends[1]):
            card = str(dict(reason.values).get("card"))
            kinds.setdefault(card, set()).add(reason.kind.split("-")[0])
        assert {"keeps", "leaves"} not in kinds.values()
        told.update(map(frozenset, kinds.values()))
    assert told[frozenset({"keeps"})]
    assert told[frozenset({"leaves"})]


def test_the_referee_agrees_with_what_is_told_of_messengers() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(40):
        game = random_game(3, seed, MESSENGERS, turns=seed)
        begun = game.turn
        while game.phase != "messenger" and game.turn == begun:
            game.decide(game.legal_decisions()[-1])
        if game.phase != "messenger" or game.seat is None:
            continue
        state = game.state
        view = game.view(game.seat)
        for option in options_of(state._cells):
            assert {step_of(code) for code in option.codes} == {"messenger"}
            after = view.sample(1)
            for code in option.codes:
                after = after.apply(code)
            before, later = referee_at(game), tried(game, option)
            for fact in facts(view, after):
                if fact.kind.startswith("messenger"):
                    assert check(fact, game.seat, before, later), (fact, option)
                    kinds[fact.kind] += 1
    assert set(kinds) == {"messenger", "messenger-other"}


def test_the_referee_agrees_with_why_puzzles_are_solved() -> None:
    checked = 0
    for puzzle in list(shipped().values())[::4]:
        game = puzzle.game.copy()
        assert game.seat is not None
        solution = next(
            option
            for option in options_of(game.state._cells)
            if option.move.text in puzzle.accepted
        )
        before, later = referee_at(game), tried(game, solution)
        for reason in puzzle.why:
            values = {name: value for name, value in reason.items() if name not in ("kind", "of")}
            told = Fact(reason["kind"], 0.0, tuple(values.items()))
            if told.kind not in SOLVED:
                assert check(told, game.seat, before, later), (puzzle.id, reason)
                checked += 1
    assert checked > 300


def test_a_better_turn_is_explained_by_what_the_played_one_lacks() -> None:
    for game, option in chances_to_tell():
        assert game.seat is not None
        view, start = game.view(game.seat), game.view(game.seat).sample(1)
        ends = []
        for each in (options_of(game.state._cells)[0], option):
            state = start
            for code in each.codes:
                state = state.apply(code)
            ends.append(state)
        played, better = (set(facts(view, end)) for end in ends)
        for reason in reasons(view, ends[0], ends[1]):
            told = {(f.kind, f.values) for f in (played if reason.of == "played" else better)}
            rest = {(f.kind, f.values) for f in (better if reason.of == "played" else played)}
            assert (reason.kind, reason.values) in told - rest


@pytest.mark.parametrize("kind", SENTENCES)
def test_every_kind_has_an_english_sentence(kind: str) -> None:
    values = {"city": "SI", "seat": 1, "points": 7, "tower": "taller", "noble": "K", "heads": 3}
    values |= {"card": "SI1", "pair": "BO-SI", "towers": 2, "floors": 2}
    text = sentence({"kind": kind, "of": "played", **values}, ("Anna", "Ben"))
    assert text
    assert "{" not in text
    level = sentence({"kind": kind, "of": "played", **values, "tower": "left"}, ("Anna", "Ben"))
    assert ("at least 7" in level) == ("left tower" in level)
