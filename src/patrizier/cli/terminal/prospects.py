"""Describes the effects of a step of a turn."""

from collections.abc import Sequence

from rich.text import Text

from patrizier.cli.terminal.drawing.cast import QUIET, Cast
from patrizier.cli.terminal.words import noble_text
from patrizier.prospects import Gain, Prospects
from patrizier.rules.score import SET_POINTS

_ORDINALS = ("", "first", "second", "third")


def prospects_text(step: str, found: Prospects, cast: Cast) -> Text:
    """Return who would gain points, and who could reply with a card that was seen."""
    words = []
    if step in found.takes:
        words.append(Text(", ".join(_takes(found.takes[step], cast))))
    held = dict[int, list[str]]()
    for answer in found.answers.get(step, ()):
        held.setdefault(answer.seat, []).append(answer.card)
    if held:
        cards = [f"{cast.names[seat]} holds {', '.join(known)}" for seat, known in held.items()]
        words.append(Text("; ".join(cards), QUIET))
    return Text("  ").join(words)


def gain_text(gain: Gain) -> str:
    """Return the worth of a card's portraits: ``Your third Knight: 6 points.`` and so on."""
    number = _ORDINALS[gain.heads] if gain.heads < len(_ORDINALS) else f"{gain.heads}th"
    if gain.points:
        points = f"{gain.points} points"
    else:
        points = f"{gain.missing} more for {SET_POINTS} points"
    return f"Your {number} {noble_text(gain.noble, 1)}: {points}."


def _takes(shares: Sequence[tuple[int, int]], cast: Cast) -> list[str]:
    return [
        f"you take {points}" if seat == cast.you else f"{cast.names[seat]} takes {points}"
        for seat, points in shares
    ]
