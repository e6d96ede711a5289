"""Write the playthroughs anew: ``python tests/playthroughs/regenerate.py``.

Each file tells one whole game, decision by decision, for people and for comparison. Do this only
when the rules, the deal or the notation have changed on purpose, and read the difference.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from patrizier import Deck, Game, Options, Outcome, Record, State
from patrizier.rules.playout import playout
from patrizier.rules.scratch import new_scratch

FOLDER = Path(__file__).parent
ROUNDS_BETWEEN_PLAYOUTS = 4


@dataclass(frozen=True)
class Playthrough:
    """What makes one game: its options and its seed."""

    name: str  # of the file
    options: Options
    seed: int

    @property
    def file(self) -> Path:
        """The golden file."""
        return FOLDER / f"{self.name}.txt"


def loaded_deck() -> Deck:
    """Return a deck with powers on star cards."""
    cards = {card: face.text for card, face in Deck.classic().faces}
    changed = {
        "BO3": "?*",
        "FE2": ">*",
        "LU3": ">*",
        "PA2": "?*",
        "RO6": "BB",
        "SI5": "?",
        "VE3": "K",
    }
    return Deck.of("loaded", cards | changed)


MESSENGERS = {"messengers"}
AT_BUILT_CITY = {"messengers", "messenger-at-built-city"}
PLAYTHROUGHS = [
    Playthrough("2-players", Options(2), 1),
    Playthrough("2-players-messengers", Options(2, MESSENGERS), 2**64 - 1),
    Playthrough("3-players", Options(3), 7),
    Playthrough("3-players-at-built-city", Options(3, AT_BUILT_CITY), 31),
    Playthrough("3-players-loaded-deck", Options(3, MESSENGERS, loaded_deck()), 13),
    Playthrough("4-players-messengers", Options(4, MESSENGERS), 123456789),
    Playthrough("5-players", Options(5), 0),
    Playthrough("5-players-at-built-city", Options(5, AT_BUILT_CITY | {"open-ledger"}), 5),
]


def tell(playthrough: Playthrough) -> str:
    """Play the game; return the text of its playthrough."""
    return "\n".join(_lines(playthrough)) + "\n"


def _lines(playthrough: Playthrough) -> Iterator[str]:
    options, seed = playthrough.options, playthrough.seed
    game = Game(options, seed=seed)
    yield f"{options.players} players, seed {seed}"
    yield f"rules: {options.rules_text or 'none'}"
    yield f"deck: {options.deck.name}"
    yield f"deal: {game.deal}"
    yield f"state: {_digest(game.state)}"
    while not game.is_over:
        yield from _turn(game, seed)
        if game.turn % (ROUNDS_BETWEEN_PLAYOUTS * options.players) == 0 and not game.is_over:
            yield from _chance(game, seed)
    outcome = game.outcome()
    assert outcome is not None
    yield from _end(outcome)


def _turn(game: Game, seed: int) -> Iterator[str]:
    assert game.seat is not None
    yield ""
    yield f"turn {game.turn + 1}, seat {game.seat + 1}"
    ended = False
    while not ended:
        codes, state = game.legal_decisions(), game.state
        code = codes[_choice(f"{seed} {len(game.decisions)}", len(codes))]
        texts = " ".join(map(state.decision_text, codes))
        yield f"  {game.phase}: {len(codes)} legal: {texts}"
        yield f"    chosen: {state.decision_text(code)}"
        ended = game.decide(code)
    yield f"  {_happened(game.records[-1])}"
    yield f"  state: {_digest(game.state)}"


def _happened(record: Record) -> str:
    parts = [record.move.text]
    parts += [f"drawn {record.drawn}"] if record.drawn else []
    parts += [f"turned up {record.refill}"] if record.refill else []
    if scored := record.scored:
        for value, seat in zip(scored.tokens, (scored.taller, scored.lower), strict=True):
            parts.append(f"{value} of {scored.city} to seat {seat + 1}")
        parts.append(f"chips {scored.chips}")
    return ", ".join(parts)


def _chance(game: Game, seed: int) -> Iterator[str]:
    """Return what the random generator gives here: a sample for each seat, and a playout."""
    for seat in range(game.options.players):
        world = game.view(seat).sample(seed)
        yield f"  a world for seat {seat + 1}: {_digest(world)}"
    copy = game.state  # nobody else has it
    decisions = playout(copy.record, new_scratch(seed)[0])
    outcome = copy.outcome()
    assert outcome is not None
    points = "/".join(map(str, outcome.points))
    yield f"  random play to the end: {decisions} decisions, points {points}"


def _end(outcome: Outcome) -> Iterator[str]:
    yield ""
    for seat, score in enumerate(outcome.scores, 1):
        parts = ", ".join(f"{part} {points}" for part, points in score.to_json().items())
        yield f"seat {seat}: {parts}"
    yield f"winners: {'/'.join(str(seat + 1) for seat in outcome.winners)}"


def _choice(text: str, count: int) -> int:
    """Choose by a hash, which no library can change."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") % count


def _digest(state: State) -> str:
    return sha256(state.to_bytes()).hexdigest()[:16]


def main() -> None:
    """Rewrite all files."""
    for playthrough in PLAYTHROUGHS:
        playthrough.file.write_text(tell(playthrough), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
