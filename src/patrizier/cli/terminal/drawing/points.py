"""Shows the end of a game: points by source, and who won."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.words import count, join
from patrizier.outcome import Outcome, Score


def points_table(scores: Sequence[Score], cast: Cast, *, messengers: bool) -> Table:
    """Return the points of all players, part by part, the best first."""
    best = Outcome(tuple(scores)).winners
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("")
    titles = ["tokens", "sets", *(["chips", "minus"] if messengers else []), "total", "floors"]
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat].total, scores[seat].floors))
    for seat in order:
        score = scores[seat]
        sign = Text("★ " if seat in best else "  ", GILT)
        parts = [score.tokens, score.sets, *([score.chips, score.minus] if messengers else [])]
        cells = [Text(f"{part or '–'}", "" if part else QUIET) for part in parts]
        total = Text(str(score.total), "bold")
        floors = Text(str(score.floors), QUIET)
        table.add_row(Text.assemble(sign, cast.label(seat)), *cells, total, floors)
    return table


def verdict(outcome: Outcome, cast: Cast) -> str:
    """Return who won, and what decided a tie."""
    points = max(outcome.points)
    names = ["you" if seat == cast.you else cast.names[seat] for seat in range(len(cast.names))]
    winner = outcome.winners[0]
    first = "You" if winner == cast.you else names[winner]
    if len(outcome.winners) > 1:
        together = join([first, *(names[seat] for seat in outcome.winners[1:])])
        return f"{together} share the victory with {count(points, 'point')} each."
    verb = "win" if winner == cast.you else "wins"
    text = f"{first} {verb} with {count(points, 'point')}"
    if not outcome.tie_break:
        return f"{text}."
    tied = [seat for seat, total in enumerate(outcome.points) if total == points and seat != winner]
    fewest = outcome.scores[winner].floors
    others = join([f"{names[seat]} {outcome.scores[seat].floors}" for seat in tied])
    return f"{text} by the tie-break, fewer floors on the board: {fewest} (against {others})."
