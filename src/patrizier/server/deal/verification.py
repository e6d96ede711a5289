"""Verifies that the deal of a finished game is the one the server had committed to."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from patrizier.game import Game
from patrizier.ptr import GameRecord

from .provably_fair import commitment_of, derive_from, is_hash, options_text, table_mark

TAGS = ("Table", "Commitment", "Contributions", "Secret")


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its result."""

    about: str  # record, commitment, contributions, deal, start; or table, seen, mine
    holds: bool
    text: str  # the finding, in a sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """All checks of one game."""

    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether all checks passed."""
        return all(check.holds for check in self.checks)

    @property
    def lacking(self) -> tuple[str, ...]:
        """The checks that need a note from before the game; without them nothing is proven."""
        looked_at = {check.about for check in self.checks}
        return tuple(about for about in ("seen", "mine") if about not in looked_at)

    @property
    def proven(self) -> bool:
        """Whether the deal is proven to be the committed one; a record alone proves nothing."""
        return self.holds and not self.lacking

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as JSON."""
        checks = [asdict(check) for check in self.checks]
        return {"holds": self.holds, "proven": self.proven, "checks": checks}


def verify(
    record: GameRecord, *, table_id: str = "", commitment: str = "", contribution: str = ""
) -> Verdict:
    """Check a record by itself, and against what a player noted during the game."""
    wrong = _wrong_tags(record)
    if wrong:
        return Verdict((Check("record", False, wrong),))
    checks = [*_own_checks(record), *_noted_checks(record, table_id, commitment, contribution)]
    return Verdict(tuple(checks))


def contributions_of(record: GameRecord) -> dict[int, str]:
    """Return the seats' contributions from the record; bots contribute nothing."""
    words = record.tags["Contributions"].split("/")
    return {seat: word for seat, word in enumerate(words) if word != "-"}


def not_first_of(record: GameRecord) -> int | None:
    """Return the seat that had started the game before, in a rematch: it does not start."""
    tag = record.tags.get("NotFirst")
    return None if tag is None else int(tag) - 1


def _wrong_tags(record: GameRecord) -> str:
    """Return why a record cannot be verified; empty if it can."""
    missing = [tag for tag in TAGS if tag not in record.tags]
    if missing == ["Secret"]:
        return "the secret is published when the game has ended: this record is older"
    if missing:
        return f"the record has no tag {missing[0]}: this game was not dealt by a server"
    for tag in ("Table", "Commitment", "Secret"):
        if not is_hash(record.tags[tag]):
            return f"the tag {tag} is not 64 lower-case hex digits"
    words = record.tags["Contributions"].split("/")
    if len(words) != int(record.tags["Players"]):
        return "the tag Contributions does not have one word for each seat"
    if not all(word == "-" or is_hash(word) for word in words):
        return "a contribution is neither 64 lower-case hex digits nor - for none"
    seats = [str(seat) for seat in range(1, len(words) + 1)]
    if record.tags.get("NotFirst", "1") not in seats:
        return "the tag NotFirst is not a seat"
    return ""


def _own_checks(record: GameRecord) -> Iterator[Check]:
    tags = record.tags
    game: Game = record.game()
    secret, given = bytes.fromhex(tags["Secret"]), contributions_of(record)
    not_first = not_first_of(record)
    right = commitment_of(secret, tags["Table"], options_text(game.options, not_first))
    yield _check(
        "commitment",
        right == tags["Commitment"],
        "the commitment is to this secret, this table and these options",
        f"the commitment to this secret, this table and these options would be {right}",
    )
    seats = ("seats " if len(given) > 1 else "seat ") + ", ".join(str(seat + 1) for seat in given)
    yield Check(
        "contributions",
        bool(given),
        f"the deal depends on what {seats} contributed" if given else "nobody contributed",
    )
    deal = derive_from(secret, tags["Commitment"], game.options, given, not_first)
    yield _check(
        "deal",
        str(deal) == str(game.deal),
        "the deal is the one that follows from the secret and the contributions",
        f"the deal that follows from the secret and the contributions is {deal}",
    )
    rematch = "" if not_first is None else f"; seat {not_first + 1} started the game before"
    yield _check(
        "start",
        deal.start == game.deal.start,
        f"seat {deal.start + 1} starts, as follows from the same numbers{rematch}",
        f"seat {deal.start + 1} should start, not seat {game.deal.start + 1}",
    )


def _noted_checks(
    record: GameRecord, table_id: str, commitment: str, contribution: str
) -> Iterator[Check]:
    if table_id:
        yield _check(
            "table",
            table_mark(table_id) == record.tags["Table"],
            "the record is of the table you named",
            "the record is of another table than you named",
        )
    if commitment:
        yield _check(
            "seen",
            commitment.lower() == record.tags["Commitment"],
            "the commitment is the one you saw before the game",
            "the commitment is not the one you saw before the game",
        )
    if contribution:
        yield _check(
            "mine",
            contribution.lower() in contributions_of(record).values(),
            "your contribution is among them",
            "your contribution is not among them",
        )


def _check(about: str, holds: bool, good: str, bad: str) -> Check:
    return Check(about, holds, good if holds else bad)
