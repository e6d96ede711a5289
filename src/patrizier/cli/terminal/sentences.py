"""Turns as sentences."""

from rich.table import Table
from rich.text import Text

from patrizier.cli.terminal.drawing.cast import QUIET, Cast
from patrizier.cli.terminal.words import city_name, face_long, join
from patrizier.move import Move
from patrizier.record import Record, Scored
from patrizier.rules.deck import Deck

_SIDES = {"L": "left", "R": "right"}


def sentence(record: Record, cast: Cast, deck: Deck) -> str:
    """Return what happened in a turn: ``Anna builds in Lucca (left); takes ...``.

    The seat of ``cast.you`` reads ``You build``. The new face-up card is left out.
    """
    you = record.seat == cast.you
    who = "You" if you else cast.names[record.seat]
    deeds = join(_deeds(record.move, you=you))
    text = f"{who} {deeds}"
    if record.drawn is not None:
        text += f"; {_takes(record, deck, you=you)}"
    if record.move.messenger:
        one, other = record.move.messenger.split("-")
        verb = "lay" if you else "lays"
        text += f"; {verb} a messenger between {city_name(one)} and {city_name(other)}"
    text += "."
    return f"{text} {_scored(record.scored, cast)}" if record.scored else text


def turn_line(record: Record, cast: Cast, deck: Deck) -> Table:
    """Return a turn with its number and its player's mark before the sentence."""
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_column(width=3, justify="right", style=QUIET)
    line.add_column(width=3)
    line.add_column()
    told = Text(sentence(record, cast, deck))
    line.add_row(str(record.turn), cast.chip(record.seat), told)
    return line


def _deeds(move: Move, *, you: bool) -> list[str]:
    s = "" if you else "s"
    floors = "" if len(move.sites) == 1 else " two floors"
    sides = "one on each tower" if move.sites == "LR" else _SIDES[move.sites[0]]
    deeds = [f"build{s}{floors} in {city_name(move.card)} ({sides})"]
    if move.moved:
        city, site = move.moved.split(".")
        way = "left to right" if site == "L" else "right to left"
        deeds.append(f"move{s} the top floor in {city_name(city)} ({way})")
    return deeds


def _takes(record: Record, deck: Deck, *, you: bool) -> str:
    assert record.drawn is not None
    verb = "take" if you else "takes"
    source = f" from {city_name(record.move.draw)}" if record.move.draw else ""
    return f"{verb} a {city_name(record.drawn)} card ({face_long(deck[record.drawn])}){source}"


def _scored(scored: Scored, cast: Cast) -> str:
    """Return who took the tokens of a complete city, messenger chips included."""
    high, low = scored.tokens
    city = city_name(scored.city)
    if scored.taller == scored.lower:
        chips = _chips(2 * scored.chips, scored.chips)
        return (
            f"{city} is complete: {_who_takes(scored.taller, cast)} both {high} and {low}{chips}."
        )
    chips = _chips(scored.chips, scored.chips)
    first = f"{_who_takes(scored.taller, cast)} {high}{chips}"
    second = f"{_who_takes(scored.lower, cast)} {low}{chips}"
    return f"{city} is complete: {first}, {second}."


def _who_takes(seat: int, cast: Cast) -> str:
    return "you take" if seat == cast.you else f"{cast.names[seat]} takes"


def _chips(points: int, each: int) -> str:
    if not points:
        return ""
    return f" (+{points} messenger{'s' if each > 2 else ''})"
