"""The end of a game solved exactly, as soon as nothing is hidden any more.

Two players: what one wins the other loses, so it is enough to ask again and again whether a
value can be reached, until it is known exactly. More players: everybody does the best for
themselves (max^n).
"""

from dataclasses import dataclass

import numpy as np

from patrizier.bots.endgame.survey import (
    CITY_END,
    ENTRY,
    FRAME,
    SEARCH,
    CityEnds,
    Frames,
    Searches,
    Table,
    survey,
    wide,
)
from patrizier.move import Move
from patrizier.rules import boundary
from patrizier.rules.apply import pass_turn, take
from patrizier.rules.board import CITY_OF_CARD, MAX_CITIES, MAX_PLAYERS, cards_in_play
from patrizier.rules.codes import MOVE, NO_MOVE, WAYS, step_of
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.legal import legal
from patrizier.rules.score import FLOORS, TOTAL
from patrizier.rules.scratch import Desk, Scratch, new_desk
from patrizier.rules.state import (
    BUILDING,
    MOVING,
    NONE,
    OVER,
    PHASES,
    TURN_DONE,
    Cells,
    StateRecord,
    new_cells,
)
from patrizier.rules.turns import MOST_STEPS
from patrizier.view import View

MOST_TURNS = {2: 15, 3: 11, 4: 11, 5: 12}  # to come, by players: more are not tried
MOST_NODES = 2_000_000  # decisions looked at: a second or two

_POINT = 64  # in a value, where a floor counts one: nobody is 64 floors ahead
_INFINITE = 30_000
_WHOLE = 60  # a victory that is not shared, in shares
_HINT, _KILLER = 1 << 60, 1 << 50  # ranks above those of all other decisions
_TABLE_BITS = 8  # the table has room for two to the power of this, and of every turn to come
_MOST_BITS = 20
_SPARE_BITS = 3  # for few nodes a small table does: it is made faster
_CITY_BITS = 14


@dataclass(frozen=True, slots=True)
class Solution:
    """A turn, and how the game ends after it if everybody plays their best."""

    move: Move
    points: tuple[int, ...]  # by seat
    floors: tuple[int, ...]  # on the board, by seat: fewer wins a tie
    shares: tuple[float, ...]  # of the victory, by seat
    nodes: int  # decisions looked at


def settled(view: View) -> bool:
    """Whether nothing is hidden: the pile is empty, and unknown cards are in one hand at most."""
    return view.pile_left == 0 and sum(seat.unknown > 0 for seat in view.seats) <= 1


def turns_left(view: View) -> int:
    """Return how many turns are to come, the one under way included."""
    return len(cards_in_play(view.options.players)) - view.turn


def solve(
    view: View, most_nodes: int = MOST_NODES, most_turns: int | None = None
) -> Solution | None:
    """Return the best turn, as if everybody knew all cards, as the viewer does.

    None if it is not the viewer's turn, if something is hidden, or if the end is too far away:
    more turns than ``most_turns`` (else MOST_TURNS) to come, or more nodes than allowed.
    """
    if not _is_near(view, most_turns):
        return None
    solver = _Solver(view, most_nodes)
    codes = solver.play_best()
    return None if codes is None else solver.solution(_move_of(view, codes))


def solve_all(
    view: View, most_nodes: int = MOST_NODES, most_turns: int | None = None
) -> tuple[Solution, ...] | None:
    """Return every legal turn with the end it leads to, the best first; None as with `solve`."""
    if not _is_near(view, most_turns):
        return None
    assert view.viewer is not None
    solver, seat = _Solver(view, most_nodes), view.viewer
    solutions = []
    for move in view.legal:
        solver.play(move)
        if solver.play_best() is None:
            return None
        solutions.append(solver.solution(move))
    return tuple(sorted(solutions, key=lambda solution: _worth(solution, seat), reverse=True))


def _is_near(view: View, most_turns: int | None) -> bool:
    """Whether it is the viewer's turn, and the end in sight."""
    most = MOST_TURNS[view.options.players] if most_turns is None else most_turns
    return turns_left(view) <= most and settled(view) and len(view.legal) > 0


def _worth(solution: Solution, seat: int) -> tuple[float, ...]:
    """Return by what a seat judges an end, as `_is_better` does."""
    points, floors = solution.points, solution.floors
    lead = points[seat] - max(points[:seat] + points[seat + 1 :])
    if len(points) == 2:
        return lead, floors[1 - seat] - floors[seat]
    winners = sum((share > 0) << other for other, share in enumerate(solution.shares))
    return solution.shares[seat], lead, points[seat], *points, winners


def _move_of(view: View, codes: list[int]) -> Move:
    """Return the legal turn that consists of these decisions."""
    return next(move for move in view.legal if all(move.decision(step_of(c)) == c for c in codes))


class _Solver:
    """One position, and the room to search it."""

    def __init__(self, view: View, most_nodes: int) -> None:
        left = turns_left(view)
        depth = MOST_STEPS * left + 2
        self.start = view.sample(0).record  # there is only one to draw
        self.players = view.options.players
        self.cells = new_cells(depth)
        self.cells[0] = self.start
        self.desk = new_desk()
        self.frames = np.zeros(depth, FRAME)
        self.search = np.zeros(1, SEARCH)
        self.search["most_nodes"] = most_nodes
        bits = min(_TABLE_BITS + left, _MOST_BITS, most_nodes.bit_length() + _SPARE_BITS)
        table = np.zeros(1 << bits, ENTRY)
        ends = np.zeros(1 << _CITY_BITS, CITY_END)
        self.room = self.cells, self.frames, table, ends, self.search, self.desk
        self.told = 0  # nodes told with earlier solutions

    @property
    def gave_up(self) -> bool:
        """Whether the nodes were not enough."""
        return bool(self.search["gave_up"][0])

    def play(self, move: Move) -> None:
        """Go back to the start and play a turn."""
        self.cells[0] = self.start
        move.carry_out(self._phase, self._take)

    def _phase(self) -> str:
        return PHASES[self.cells["phase"][0]]

    def _take(self, code: int) -> bool:
        """Take a decision in cells[0]; return whether that ended the turn."""
        turned = _try(self.cells, 0, code)
        self.cells[0] = self.cells[1]
        return bool(turned)

    def play_best(self) -> list[int] | None:
        """Play to the end, everybody their best; return the decisions of the first turn.

        Of decisions that are worth the same the lowest code is taken, so that the game goes the
        same way from wherever on it we look. None if that took too many nodes.
        """
        codes, turn = [], self.cells["turn"][0]
        goal = self.value(0)
        while self.cells["phase"][0] != OVER and not self.gave_up:
            legal_codes = self.desk["codes"][0][: boundary.list_legal(self.cells, self.desk)]
            *others, last = sorted(legal_codes.tolist())
            code = next((code for code in others if self.reaches(goal, code)), last)
            if self.cells["turn"][0] == turn:
                codes.append(code)
            if self._take(code) and isinstance(goal, int):
                goal = -goal
        return None if self.gave_up else codes

    def solution(self, move: Move) -> Solution:
        """Return what playing to the end has brought."""
        scores = np.zeros((MAX_PLAYERS, 6), np.int64)
        boundary.tally(self.cells, scores)
        points = scores[: self.players, TOTAL].tolist()
        floors = scores[: self.players, FLOORS].tolist()
        ranks = [(own, -built) for own, built in zip(points, floors, strict=True)]
        share = 1 / ranks.count(max(ranks))
        shares = tuple(share if rank == max(ranks) else 0.0 for rank in ranks)
        before, self.told = self.told, int(self.search["nodes"][0])
        return Solution(move, tuple(points), tuple(floors), shares, self.told - before)

    def value(self, top: int) -> int | tuple[int, ...]:
        """Return what cells[top] is worth to the seat to move; with more than two, its end."""
        if self.players > 2:
            search_on(*self.room, top, 0)
            points = self.frames["points"][top, : self.players].tolist()
            return (*points, int(self.frames["winners"][top]))
        low = search_on(*self.room, top, -_INFINITE)  # what is clear without a search
        high = search_on(*self.room, top, _INFINITE)
        value = (low + high) // 2
        while low < high and not self.gave_up:
            bound = value + (value == low)
            value = search_on(*self.room, top, bound)
            low, high = (low, value) if value < bound else (value, high)
        return low

    def reaches(self, goal: int | tuple[int, ...], code: int) -> bool:
        """Whether a decision in cells[0] leads to what its position is worth."""
        turned = _try(self.cells, 0, code)
        if not isinstance(goal, int):
            return self.value(1) == goal
        if turned:
            return search_on(*self.room, 1, 1 - goal) <= -goal
        return search_on(*self.room, 1, goal) >= goal


# -- decisions


@inner_kernel
def _same_build(state: StateRecord, begun: np.record, code: int, last: int) -> bool:
    """Whether a build comes to the same as one before it."""
    card = code // WAYS
    slot = 0
    while state.hands[wide(state.seat), slot] != card:
        slot += 1
    for other in range(slot):
        if begun.kinds[other] == begun.kinds[slot]:
            return True
    return bool(begun.outcome[CITY_OF_CARD[card]] != NONE and last // WAYS == card)


@kernel
def _list(
    state: StateRecord,
    frame: np.record,
    begun: np.record,
    search: np.record,
    scratch: Scratch,
    hint: int,
) -> None:
    """List the decisions worth trying, and how promising they are."""
    count = 0
    last = -WAYS
    for i in range(legal(state, scratch)):
        code = int(scratch.codes[i])
        same = False
        if state.phase == BUILDING:
            same = _same_build(state, begun, code, last)
        elif state.phase == MOVING and code != NO_MOVE:
            same = begun.outcome[code - MOVE >> 1] != NONE
        if not same:
            rank = search.history[wide(state.seat), code]
            rank = _KILLER if code == frame.killer else rank
            frame.ranks[count] = _HINT if code == hint else rank
            frame.codes[count] = code
            count += 1
            last = code
    frame.count = count
    frame.next = 0


@inner_kernel
def _pick(frame: np.record) -> int:
    """Return the most promising decision left."""
    first = int(frame.next)
    pick = first
    for i in range(first + 1, int(frame.count)):
        if frame.ranks[i] > frame.ranks[pick]:
            pick = i
    frame.code = frame.codes[pick]
    frame.codes[pick] = frame.codes[first]
    frame.ranks[pick] = frame.ranks[first]
    frame.next = first + 1
    return wide(frame.code)


@kernel
def _try(cells: Cells, depth: int, code: int) -> bool:
    """Take a decision one level deeper; return whether that ended the turn."""
    cells[depth + 1] = cells[depth]
    state = cells[depth + 1]
    take(state, code)
    if state.phase != TURN_DONE:
        return False
    pass_turn(state)
    return True


# -- two players


@inner_kernel
def _ahead(frame: np.record, seat: int) -> int:
    """Return by how much a seat is sure to be ahead: points first, then floors."""
    points = int(frame.sure[seat]) - int(frame.sure[1 - seat])
    return _POINT * points - int(frame.floors[seat]) + int(frame.floors[1 - seat])


@inner_kernel
def _is_clear(frame: np.record, entry: np.record, seat: int) -> bool:
    """Whether the bound is reached or missed for sure; the frame's best then says how clearly."""
    other = 1 - seat
    high = _POINT * (int(frame.most[seat]) - int(frame.least[other])) + int(frame.shown)
    low = _POINT * (int(frame.least[seat]) - int(frame.most[other])) - int(frame.shown)
    if entry.check == frame.check:
        high = min(high, int(entry.high))
        low = max(low, int(entry.low))
    ahead = _ahead(frame, seat)
    missed = ahead + high < frame.bound
    frame.best = ahead + high if missed else ahead + low
    return bool(missed or frame.best >= frame.bound)


@inner_kernel
def _keep_bound(frame: np.record, entry: np.record, seat: int) -> None:
    """Keep in the table what was found out."""
    value = int(frame.best) - _ahead(frame, seat)
    if entry.check != frame.check:
        entry.check = frame.check
        entry.low = -_INFINITE
        entry.high = _INFINITE
    if frame.best >= frame.bound:
        entry.low = value
    else:
        entry.high = value
    entry.code = frame.best_code


# -- three players and more


@inner_kernel
def _share(winners: int, seat: int) -> int:
    """Return a seat's share of a victory."""
    count = 0
    for bit in range(MAX_PLAYERS):
        count += winners >> bit & 1
    return _WHOLE // count if winners >> seat & 1 else 0


@inner_kernel
def _lead(frame: np.record, seat: int, players: int) -> int:
    """Return a seat's points less those of the best other one, in the frame's end."""
    best = -_INFINITE
    for other in range(players):
        if other != seat:
            best = max(best, int(frame.points[other]))
    return int(frame.points[seat]) - best


@inner_kernel
def _is_better(one: np.record, two: np.record, seat: int, players: int) -> bool:
    """Whether a seat likes the end in one frame better than that in another.

    Its share of the victory counts, then its lead, then its points. If all that is the same,
    everybody's points in the order of seats decide, so that the order of search cannot.
    """
    if one.winners == 0 or two.winners == 0:
        return bool(one.winners != 0)
    gain = _share(int(one.winners), seat) - _share(int(two.winners), seat)
    if gain == 0:
        gain = _lead(one, seat, players) - _lead(two, seat, players)
    if gain == 0:
        gain = int(one.points[seat]) - int(two.points[seat])
    for other in range(players):
        if gain == 0:
            gain = int(one.points[other]) - int(two.points[other])
    if gain == 0:
        gain = int(one.winners) - int(two.winners)
    return gain > 0


@inner_kernel
def _copy_end(one: np.record, two: np.record) -> None:
    """Copy an end from one record to another."""
    two.winners = one.winners
    for seat in range(MAX_PLAYERS):
        two.points[seat] = one.points[seat]


@inner_kernel
def _is_sure(frame: np.record, players: int) -> bool:
    """Whether it is sure how the game ends; that is then the frame's end."""
    most = -_INFINITE
    fewest = _INFINITE
    for seat in range(players):
        if frame.most[seat] != 0 or frame.least[seat] != 0:
            return False
        frame.points[seat] = frame.sure[seat]
        most = max(most, int(frame.sure[seat]))
    tied = 0
    for seat in range(players):
        if frame.sure[seat] == most:
            tied += 1
            fewest = min(fewest, int(frame.floors[seat]))
    frame.winners = 0
    for seat in range(players):
        if frame.sure[seat] == most and frame.floors[seat] == fewest:
            frame.winners |= 1 << seat
    return tied == 1 or frame.shown == 0  # else floors to come decide


@inner_kernel
def _is_worse(frame: np.record, above: np.record, seat: int, players: int) -> bool:
    """Whether a seat cannot get here what it has above."""
    own = int(frame.sure[seat]) + int(frame.most[seat])
    best = -_INFINITE
    for other in range(players):
        if other != seat:
            best = max(best, int(frame.sure[other]) + int(frame.least[other]))
    gain = (_WHOLE if own >= best else 0) - _share(int(above.winners), seat)
    if gain == 0:
        gain = own - best - _lead(above, seat, players)
    if gain == 0:
        gain = own - int(above.points[seat])
    return gain < 0


# -- the search


@kernel
def search_on(
    cells: Cells,
    frames: Frames,
    table: Table,
    ends: CityEnds,
    searches: Searches,
    desk: Desk,
    top: int,
    bound: int,
) -> int:
    """Search from cells[top], depth first.

    Two players: return a value of at least the bound, if the seat to move can get that much, or
    else one below it that it cannot exceed. More players: the end is then in frames[top].
    """
    search = searches[0]
    players = wide(cells[top].players)
    depth = top
    frames[top].bound = bound
    for city in range(MAX_CITIES):
        frames[top].outcome[city] = NONE
    arriving = True
    while True:
        state = cells[depth]
        frame = frames[depth]
        above = frames[max(depth - 1, top)]
        seat = wide(state.seat)
        begins = state.phase == BUILDING or state.phase == OVER
        if arriving:
            search.nodes += 1
            if search.nodes > search.most_nodes:
                search.gave_up = 1
                return 0
            frame.start = depth if begins or depth == top else above.start
            if frame.start == depth:
                before = frames[wide(above.start)] if depth > top else frame
                survey(state, frame, before, search, ends)
        begun = frames[wide(frame.start)]
        entry = table[wide(begun.key & np.uint64(len(table) - 1))]
        known = False
        if arriving:
            frame.best_code = NONE
            if begins and players == 2:
                known = _is_clear(frame, entry, seat)
            elif begins and entry.check == frame.check and entry.winners:
                _copy_end(entry, frame)
                known = True
            elif begins and _is_sure(frame, players):
                known = True
            elif players > 2:
                frame.claim = 0
                frame.winners = 0
                if depth > top and above.winners and above.turned:
                    rival = wide(cells[depth - 1].seat)
                    frame.claim = _share(wide(above.winners), rival)
                    known = _is_worse(frame, above, rival, players)  # and then without an end
                elif depth > top and not above.turned:
                    _copy_end(above, frame)
            if not known:
                frame.best = -_INFINITE
                hint = wide(entry.code) if entry.check == begun.check else wide(NONE)
                _list(state, frame, begun, search, desk[0], hint)
        if not known:
            enough = frame.best >= frame.bound
            if players > 2:
                # With that much for this seat the one before it will not come here.
                share = _share(wide(frame.winners), seat)
                enough = share + begun.claim > _WHOLE
            if frame.next < frame.count and not enough:
                frame.turned = int(_try(cells, depth, _pick(frame)))
                depth += 1
                frames[depth].bound = 1 - frame.bound if frame.turned else frame.bound
                arriving = True
                continue
            if frame.best_code != NONE and (enough or players > 2):
                search.history[seat, wide(frame.best_code)] += 1
                frame.killer = frame.best_code
            if begins and players == 2:
                _keep_bound(frame, entry, seat)
            elif begins and enough:
                frame.winners = 0
            elif begins:
                entry.check = frame.check
                entry.code = frame.best_code
                _copy_end(frame, entry)
        if depth == top:
            return int(frame.best)
        depth -= 1
        arriving = False
        value = -int(frame.best) if above.turned else int(frame.best)
        if players == 2 and value > above.best:
            above.best = value
            above.best_code = above.code
        elif players > 2 and _is_better(frame, above, wide(cells[depth].seat), players):
            _copy_end(frame, above)
            above.best_code = above.code
