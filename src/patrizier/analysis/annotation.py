"""A record with the analysis as comments; `docs/record.md` describes them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from patrizier.analysis.sentences import why
from patrizier.ptr import GameRecord

_WHY = "%why "
_OURS = ("%shares ", "%verdict ", "%best ", _WHY)  # how our comments begin
_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "best": "!", "fine": ""}


def annotate(record: GameRecord, analysis: dict[str, Any]) -> GameRecord:
    """Return the record with comments on every turn; those of an earlier analysis are replaced."""
    names = distinct_names(analysis)
    comments = {
        number: [text for text in texts if not text.startswith(_OURS)]
        for number, texts in record.comments.items()
    }
    comments.setdefault(0, []).append(f"%shares {shares_text(analysis['deal']['shares'])}")
    for turn in analysis["turns"]:
        texts = comments.setdefault(turn["turn"], [])
        texts.append(f"%shares {shares_text(turn['after']['shares'])}")
        if turn["verdict"] is None:
            continue
        texts.append(
            f"%verdict {turn['verdict']}{_SIGNS[turn['verdict']]} {turn['cost'] * 100:.1f}"
        )
        if turn["verdict"] in ("inaccuracy", "mistake", "blunder"):
            texts.append(f"%best {turn['choices'][0]['move']}")
        if text := why(turn, names):
            texts.append(_WHY + text.replace("{", "(").replace("}", ")"))
    return replace(record, comments={number: tuple(texts) for number, texts in comments.items()})


def in_words(comments: Iterable[str]) -> tuple[str, ...]:
    """Return comments as people read them: without the figures of an analysis.

    >>> in_words(["A bold start", "%shares 50.0/50.0", "%why completes Siena: +7"])
    ('A bold start', 'completes Siena: +7')
    """
    return tuple(
        text.removeprefix(_WHY)
        for text in comments
        if text.startswith(_WHY) or not text.startswith(_OURS)
    )


def seat_names(analysis: dict[str, Any]) -> list[str]:
    """Return the players' names; seats without a name are numbered."""
    return analysis["names"] or [f"seat {seat + 1}" for seat in range(analysis["players"])]


def distinct_names(analysis: dict[str, Any]) -> list[str]:
    """Return the players' names; those who have the same are numbered by seat.

    >>> distinct_names({"names": ["Anna", "Ben", "Anna"], "players": 3})
    ['Anna 1', 'Ben', 'Anna 3']
    """
    names = seat_names(analysis)
    return [
        f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names, 1)
    ]


def shares_text(shares: list[float]) -> str:
    """Return shares as percentages with a / between them.

    >>> shares_text([0.5, 0.254])
    '50.0/25.4'
    """
    return "/".join(f"{share * 100:.1f}" for share in shares)
