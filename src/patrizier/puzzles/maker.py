"""Finds puzzles in games: a short search at every choice, a proof where that is promising."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from patrizier.analysis.reasons import DENIALS, Reason, reasons
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.endgame.solver import settled
from patrizier.bots.levels import Apprentice, Merchant, Senator
from patrizier.bots.search.mcts import MctsBot
from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.puzzles.answers import before_messenger
from patrizier.puzzles.difficulty import (
    at_first_sight,
    attempts_at,
    is_obvious,
    rating_of,
)
from patrizier.puzzles.proof import FEWEST, Depth, Proof, Prover
from patrizier.puzzles.puzzle import Puzzle, Source
from patrizier.puzzles.themes import themes_of
from patrizier.record import Record
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.deck import Deck
from patrizier.state import State
from patrizier.view import View

KINDS = tuple(
    Options(players, rules)
    for players in range(2, MAX_PLAYERS + 1)
    for rules in ((), ("messengers",))
)
_MOST = 4  # puzzles of one game
_MOST_ENDINGS = 2  # solved puzzles from several endings of one game
_ENDS = 16  # endings of one game
_LAST_ENDS = 64  # the same where only last rounds count: few of them offer a choice
_NEAR = 9  # turns before the end that are solved quickly
_CLOSE = 12  # most points between first and second in an open ending
_SCOUTED = 200  # iterations of the first, short search
_PREFERRED = 0.45  # share of them that the best turn must get
_OPEN = 0.03  # share of the victory: an open game has more, and less than 1 - _OPEN
_LEVELS: tuple[type[Bot], ...] = (Apprentice, Merchant, Senator)
OUTCOMES = ("wins", "shares")  # reasons of solved puzzles


class Maker:
    """Finds puzzles; keeps its provers."""

    def __init__(
        self,
        depth: Depth | None = None,
        *,
        is_obvious: Callable[[View, Move, int], bool] = is_obvious,
    ) -> None:
        self._depth = depth
        self._is_obvious = is_obvious
        self._provers: dict[Options, Prover] = {}
        self._scout = MctsBot(Budget(iterations=_SCOUTED))

    def puzzles_in(self, game: Game, seed: int) -> list[Puzzle]:
        """Return the puzzles of a game, from its end to its beginning."""
        if game.options.deck != Deck.classic():
            return []
        return self._found(reversed(list(choices_of(game))), seed, _MOST)

    def puzzles_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        """Return the puzzles of a game of bots."""
        return self.puzzles_in(bot_game(number, seed), seed + number)

    def endings_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        """Return puzzles from several endings of one game of bots."""
        return self.endings_of(bot_endings(number, seed), seed + number)

    def last_rounds_of_bots(self, number: int, seed: int) -> list[Puzzle]:
        """Return puzzles from the last rounds of several endings of one game of bots."""
        games = bot_endings(number, seed, _LAST_ENDS)
        return self.endings_of(games, seed + number, games[0].options.players) if games else []

    def endings_of(self, games: Sequence[Game], seed: int, last_turns: int = _NEAR) -> list[Puzzle]:
        """Return solved puzzles from the last turns of several endings of one game."""
        endings = {
            (source.moves, source.begun): (source, view)
            for game in games
            for source, view in choices_of(game, since=game.turn - last_turns)
        }
        late_first = sorted(endings.values(), key=lambda choice: -len(choice[0].moves))
        return self._found(late_first, seed, _MOST_ENDINGS, only_exact=True)

    def _found(
        self,
        choices: Iterable[tuple[Source, View]],
        seed: int,
        most: int,
        *,
        only_exact: bool = False,
    ) -> list[Puzzle]:
        found: dict[int, Puzzle] = {}  # by turn: two of the same turn would be too similar
        for source, view in choices:
            if len(found) == most:
                break
            if len(source.moves) not in found:
                puzzle = self.puzzle_at(source, view, seed, only_exact=only_exact)
                if puzzle:
                    found[len(source.moves)] = puzzle
        return list(found.values())

    def puzzle_at(
        self, source: Source, view: View, seed: int, *, only_exact: bool = False
    ) -> Puzzle | None:
        """Return the puzzle at a choice, if there is one."""
        if len(view.legal) < FEWEST or (only_exact and not settled(view)):
            return None
        if not settled(view) and not self._is_promising(view, seed):
            return None
        options = source.options
        if options not in self._provers:
            self._provers[options] = Prover(options, self._depth)
        proof = self._provers[options].prove(
            view, seed, wanted=lambda answer: not self._is_obvious(view, answer.move, seed)
        )
        if proof is None or self._is_obvious(view, proof.answer.move, seed):
            return None
        why = why_of(view, proof)
        themes = themes_of(view, proof.answer.move, proof.answer.after)
        if not why or not themes:
            return None
        attempts = attempts_at(view, proof.answer.move, seed)
        return Puzzle(
            source=source,
            solution=proof.answer.move,
            line=proof.line,
            why=tuple(reason.to_json() for reason in why),
            themes=themes,
            rating=rating_of(attempts),
            exact=proof.exact,
            lead=proof.lead,
            error=proof.error,
            trap=attempts.trap,
        )

    def _is_promising(self, view: View, seed: int) -> bool:
        """Whether a short search prefers one turn, which is not the one that looks best."""
        assert view.viewer is not None
        looked = self._scout.explain(view, np.random.default_rng(seed))
        if not looked or not _OPEN < looked[0].shares[view.viewer] < 1 - _OPEN:
            return False
        first = before_messenger(view, looked[0].move)
        weight = sum(c.weight for c in looked if before_messenger(view, c.move) == first)
        return weight >= _PREFERRED and first not in at_first_sight(view)


def why_of(view: View, proof: Proof) -> tuple[Reason, ...]:
    """Return why the solution is good; its outcome comes first if it is solved."""
    told = reasons_of(view, proof.answer.after)
    if not proof.exact:
        return told
    wins, shares = OUTCOMES
    return Reason(wins if proof.share == 1.0 else shares, "played", ()), *told


def reasons_of(view: View, after: State) -> tuple[Reason, ...]:
    """Return what the solution does; a denial, which is easily overlooked, is always told."""
    return reasons(view, after, None, must=DENIALS)


def choices_of(game: Game, since: int = 0) -> Iterator[tuple[Source, View]]:
    """Yield every choice of a game with the view of who makes it.

    A turn is one, and its messenger, which comes after the refill, another one.
    """
    options, deal, moves = game.options, game.deal, tuple(game.moves)
    again = Game(options, deal=deal)
    for number, move in enumerate(moves):
        if number < since:
            again.play(move)
            continue
        yield Source(options, deal, moves[:number]), again.state.view(again.seat)
        again.play_until(move, "messenger")
        if again.turn == number:  # a messenger may be laid
            begun = Move.of(move.card, move.sites, moved=move.moved, draw=move.draw)
            yield Source(options, deal, moves[:number], begun), again.state.view(again.seat)
            again.play(move)


def bot_game(number: int, seed: int) -> Game:
    """Return a game of bots; numbers of players and rules vary with its number.

    In every other game the bots are equally strong, so that it stays open until the end.
    """
    options = KINDS[number % len(KINDS)]
    rng = np.random.default_rng((seed, number))
    game = Game(options, deal=Deal.random(options, int(rng.integers(2**63))))
    levels = (Senator,) if number // len(KINDS) % 2 else _LEVELS
    bots = [levels[int(rng.integers(len(levels)))]() for _ in range(options.players)]
    while not game.is_over:
        play_turn(game, bots, rng)
    return game


def bot_endings(number: int, seed: int, ends: int = _ENDS) -> list[Game]:
    """Return several endings of one game of careless bots; none if it is decided.

    They branch off when the draw pile is empty.
    """
    game, rng = bot_game(number, seed), np.random.default_rng((seed, number, 1))
    empty = next(turn for turn, record in enumerate(game.records, 1) if _ends_pile(game, record))
    game.take_back(game.turn - empty)
    first, second = sorted((score.total for score in game.scores()), reverse=True)[:2]
    if first - second > _CLOSE:
        return []
    games = []
    for _ in range(ends):
        end, bots = game.copy(), [Apprentice() for _ in range(game.options.players)]
        while not end.is_over:
            play_turn(end, bots, rng)
        games.append(end)
    return games


def _ends_pile(game: Game, record: Record) -> bool:
    """Whether a turn turned up the last card of the draw pile."""
    return record.refill == game.deal.pile[-1]


def play_turn(game: Game, bots: Sequence[Bot], rng: np.random.Generator) -> None:
    """Let the seat to decide play its turn, the messenger after the refill."""
    assert game.seat is not None
    bot, turn = bots[game.seat], game.turn
    game.play_until(bot.choose(game.view(game.seat), rng), "messenger")
    if game.turn == turn:
        game.play(bot.choose(game.view(game.seat), rng))
