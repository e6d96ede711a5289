"""Write OpenSpiel's playthroughs anew: ``python tests/playthroughs/open_spiel/regenerate.py``.

OpenSpiel's own tool plays a game and prints everything about every state. Its tensors have
thousands of floats, so that a long line is cut and ends with a digest of itself.
"""

from hashlib import sha256
from pathlib import Path

from absl import flags
from open_spiel.python.algorithms.generate_playthrough import playthrough

import patrizier.bridges.open_spiel

assert patrizier.bridges.open_spiel  # registers the game

FOLDER = Path(__file__).parent
GAMES = {
    "2-players": ("patrizier(players=2)", 1),
    "3-players-messengers": ("patrizier(players=3,rules=messengers)", 2),
    "4-players": ("patrizier(players=4)", 3),
    "5-players-messengers": ("patrizier(players=5,rules=messengers)", 4),
    "2-players-messengers": ("patrizier(players=2,rules=messengers)", 5),
    "3-players": ("patrizier(players=3)", 6),
    "4-players-messengers": ("patrizier(players=4,rules=messengers)", 7),
    "5-players": ("patrizier(players=5)", 8),
}
_LONG = 300


def tell(game: str, seed: int) -> list[str]:
    """Return the tool's lines, long ones cut."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["playthrough"])
    return [_cut(line) for line in playthrough(game, None, seed=seed).splitlines()]


def _cut(line: str) -> str:
    if len(line) <= _LONG:
        return line
    return f"{line[:80]}… {len(line)} characters, {sha256(line.encode()).hexdigest()[:16]}"


def file_of(name: str) -> Path:
    """Return the file of a game."""
    return FOLDER / f"{name}.txt"


def main() -> None:
    """Rewrite all files."""
    for name, (game, seed) in GAMES.items():
        text = "\n".join(tell(game, seed)) + "\n"
        file_of(name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
