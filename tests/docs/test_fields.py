"""Trailing comments document fields."""

from dataclasses import dataclass

from fields import comments

from patrizier import Score


@dataclass
class Sample:
    """Some fields."""

    plain: int
    told: int  # what it is
    last: tuple[int, ...] = ()  # may be left out


def test_comments_of_fields() -> None:
    assert comments(Sample) == {"told": "what it is", "last": "may be left out"}
    assert comments(Score)["tokens"] == "prestige tokens"


def test_classes_without_sources_have_none() -> None:
    assert comments(int) == {}
