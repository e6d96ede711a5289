"""Replays: every position of a recorded game, for a page that knows no rules."""

from dataclasses import replace
from typing import Any

from patrizier.analysis.annotation import in_words
from patrizier.final_count import final_count
from patrizier.game import Game
from patrizier.ptr import GameRecord, read_games
from patrizier.server.protocol.messages import Replay, View
from patrizier.server.reasons import Reason
from patrizier.server.table.commands import Refused
from patrizier.server.table.setup import Rule
from patrizier.standing import standings_of


def read_replay(text: str) -> bytes:
    """Return the game of a text that holds exactly one, as the JSON of a `Replay`.

    Raises `RecordError`, which names the line, or Refused.
    """
    games = sum(line.startswith("[Game ") for line in text.split("\n"))
    if games > 1:
        raise Refused(Reason.MANY_GAMES, games=games)
    (record,) = read_games(text)
    return replay(record).model_dump_json().encode()


def replay(record: GameRecord) -> Replay:
    """Return a game with a position before the first turn and after every turn."""
    end = record.game()
    game, outcome = Game(end.options, deal=end.deal), end.outcome()
    frames, hands, scores, standings = [frame(game)], [hands_in(game)], [scores_in(game)], []
    for move in record.moves:
        before, taken = game.state, len(game.decisions)
        game.play(move)
        standings.append(standings_of(before, game.decisions[taken:]))
        frames.append(frame(game))
        hands.append(hands_in(game))
        scores.append(scores_in(game))
    rules: tuple[Rule, ...] = tuple(frames[0]["rules"])
    return Replay.model_construct(
        players=end.options.players,
        rules=rules,
        colours=end.options.colours,
        names=record.names,
        tags=dict(record.tags),
        turns=tuple(each.to_json() for each in game.records),
        standings=tuple(standings),
        frames=tuple(View.model_construct(each) for each in frames),
        hands=tuple(hands),
        scores=tuple(scores),
        comments=tuple(in_words(record.comments.get(n, ())) for n in range(len(frames))),
        outcome=outcome.to_json() if outcome else None,
        final_count=final_count(end) if outcome else None,
    )


def frame(game: Game) -> dict[str, Any]:
    """Return a spectator's view with everybody's tokens, chips and piles open."""
    data = game.state.view(None).to_json()
    for seat, shown in zip(data["seats"], data["table"], strict=True):
        shown |= {name: seat[name] for name in ("tokens", "chips", "pile")}
    return data


def scores_in(game: Game) -> tuple[dict[str, int], ...]:
    """Return everybody's points so far; the minus chip counts only at the end."""
    scores = game.scores()
    if not game.is_over:
        scores = tuple(replace(score, minus=0) for score in scores)
    return tuple(score.to_json() for score in scores)


def hands_in(game: Game) -> tuple[tuple[str, ...], ...]:
    """Return all cards in hand: a record contains the whole deal."""
    hands = [set(hand) for hand in game.deal.hands]
    for record in game.records:
        hands[record.seat].remove(record.move.card)
        if record.drawn is not None:
            hands[record.seat].add(record.drawn)
    return tuple(tuple(sorted(hand)) for hand in hands)
