"""Reasons in English, for the command line, reports and records; the page has its own words."""

from collections.abc import Mapping, Sequence
from typing import Any

from patrizier.analysis.reasons import SENTENCES
from patrizier.analysis.verdicts import Verdict
from patrizier.rules.board import CITIES, CITY_INDEX
from patrizier.rules.deck import NOBLES


def sentence(reason: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return a reason, in its JSON form, as an English sentence.

    >>> sentence({"kind": "gives", "of": "played", "city": "SI", "seat": 1, "points": 7}, "AB")
    'completes Siena and gives B 7'
    """
    values = dict(reason)
    if "city" in values:
        values["city"] = CITIES[CITY_INDEX[values["city"]]].name
    if "seat" in values:
        values["seat"] = names[values["seat"]]
    if "noble" in values:
        values["noble"] = NOBLES[values["noble"]]
    if "points" in values:  # towers that are equally tall are named by their sites
        least = values.get("tower") in ("left", "right")
        values["worth"] = f"at least {values['points']}" if least else values["points"]
    return SENTENCES[values.pop("kind")].format_map(values)


def why(turn: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return why a turn, in its JSON form, was good or bad, and what would have been better."""
    own = [sentence(reason, names) for reason in turn["why"] if reason["of"] == "played"]
    better = [sentence(reason, names) for reason in turn["why"] if reason["of"] == "better"]
    parts = ["; ".join(own)] if own else []
    if Verdict(turn["verdict"]).is_error:
        best = f"better: {turn['choices'][0]['move']}"
        parts.append(f"{best}, which {', and '.join(better)}" if better else best)
    return "; ".join(parts)
