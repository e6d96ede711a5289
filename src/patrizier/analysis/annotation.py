"""A record with the analysis as comments; `docs/record.md` describes them."""

from dataclasses import replace
from typing import Any

from patrizier.analysis.sentences import why
from patrizier.ptr import GameRecord

_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "best": "!", "fine": ""}


def annotate(record: GameRecord, analysis: dict[str, Any]) -> GameRecord:
    """Return the record with comments: chances before the first and after every turn."""
    names = seat_names(analysis)
    comments = {number: list(texts) for number, texts in record.comments.items()}
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
            texts.append(text.replace("{", "(").replace("}", ")"))
    return replace(record, comments={number: tuple(texts) for number, texts in comments.items()})


def seat_names(analysis: dict[str, Any]) -> list[str]:
    """Return the players' names; seats without a name are numbered."""
    return analysis["names"] or [f"seat {seat + 1}" for seat in range(analysis["players"])]


def shares_text(shares: list[float]) -> str:
    """Return shares as percentages with a / between them.

    >>> shares_text([0.5, 0.254])
    '50.0/25.4'
    """
    return "/".join(f"{share * 100:.1f}" for share in shares)
