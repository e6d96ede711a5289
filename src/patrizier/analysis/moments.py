"""The moments that decided a game: the errors and the strokes of luck that moved most."""

from patrizier.analysis.result import Analysis, Moment
from patrizier.analysis.shares import WHOLE, swing

_FEWEST, _MOST = 3, 5
_SMALL = WHOLE // 20  # smaller moments only fill up the list


def moments_of(analysis: Analysis) -> tuple[Moment, ...]:
    """Return three to five moments, in the order of the game."""
    found = [Moment(0, "deal", _most_moved(analysis.luck_of_deal), analysis.luck_of_deal)]
    for turn in analysis.turns:
        if turn.card is not None and any(turn.card):
            found.append(Moment(turn.number, "card", _most_moved(turn.card), turn.card))
        if turn.judgement is not None and any(turn.judgement.error):
            found.append(Moment(turn.number, "error", turn.seat, turn.judgement.error))
    found.sort(key=lambda moment: -swing(moment.change))
    clear = sum(swing(moment.change) >= _SMALL for moment in found)
    kept = found[: max(_FEWEST, min(_MOST, clear))]
    return tuple(sorted(kept, key=lambda moment: (moment.turn, moment.kind)))


def _most_moved(change: tuple[int, ...]) -> int:
    return max(range(len(change)), key=lambda seat: abs(change[seat]))
