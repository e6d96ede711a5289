"""Proves that one answer is the best: solved where the ending allows it, searched elsewhere.

Searches go in rounds. An answer leaves the race only when it is behind the best by three standard
errors, on the same samples of hidden cards; the rest goes on to a deeper round. After the last one
nobody else may be left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from patrizier.analysis.calibration import calibration_for
from patrizier.analysis.judgement import Effort, Judge, Judged, Round
from patrizier.analysis.lines import LONGEST, solved_line
from patrizier.analysis.verdicts import stake
from patrizier.bots.endgame.solver import settled, solve_all
from patrizier.move import Move
from patrizier.options import Options
from patrizier.puzzles.answers import Answer, answers_of, before_messenger
from patrizier.view import View

ERRORS = 3.0  # standard errors that the best answer is ahead of all others
LEAST_LEAD = 0.05  # share of the victory, with two players
FEWEST = 4  # answers to choose from
NODES = 150_000  # of an ending
_HOPEFUL = 0.7  # share of the least lead required after the last screening round
_MIRRORS = 4  # most turns that are one answer: city built in and floor moved mirrored


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep to search: iterations an answer, and how many answers enter the last round."""

    screens: tuple[int, ...] = (80, 800)
    iterations: int = 4000
    seeds: int = 6  # searches of the last round, each with a tree and hidden cards of its own
    close: int = 6  # answers that may enter the last round


@dataclass(frozen=True)
class Proof:
    """The best answer, and by how much."""

    answer: Answer
    exact: bool
    lead: float  # share of the victory that the next best answer loses
    error: float  # standard error of that
    share: float  # of the victory, for the solver
    line: tuple[Move, ...] = ()
    others: Sequence[Answer] = field(default=())


class Prover:
    """Proves puzzles of games with the same options."""

    def __init__(self, options: Options, depth: Depth | None = None) -> None:
        self.depth = depth or Depth()
        self._least = LEAST_LEAD * stake(options.players)
        self._hopeless = _HOPEFUL * self._least
        effort = Effort((Round(self.depth.close, self.depth.iterations),), nodes=NODES)
        self._judge = Judge(options.players, calibration_for(options), effort)

    def prove(
        self,
        view: View,
        seed: int = 0,
        *,
        wanted: Callable[[Answer], bool] = lambda _answer: True,
    ) -> Proof | None:
        """Return the proof that one answer is clearly the best; None if there is none.

        A candidate that is not ``wanted`` is rejected before the expensive searches.
        """
        if view.pile_left == 0 and settled(view):
            proof = self._solve(view)
            return proof if proof and wanted(proof.answer) else None
        return self._search(view, answers_of(view), seed, wanted)

    def best(self, view: View, seed: int = 0) -> Move:
        """Return the best answer of a search as deep as a proof's, however small its lead."""
        found = [
            self._judged(view, each, self.depth.screens[-1], seed) for each in answers_of(view)
        ]
        found.sort(key=lambda tried: -tried.share)
        last = [self._deeply(view, each.answer, seed) for each in found[: self.depth.close]]
        return max(last, key=lambda tried: tried.share).answer.move

    def _solve(self, view: View) -> Proof | None:
        """Solve the ending; the best answer has to win more than all others do."""
        solutions = solve_all(view, NODES)
        if solutions is None:
            return None
        assert view.viewer is not None
        worth = dict[str, float]()
        for solution in solutions:  # the best messenger counts
            text = before_messenger(view, solution.move).text
            worth[text] = max(worth.get(text, 0.0), solution.shares[view.viewer])
        if list(worth.values()).count(max(worth.values())) > _MIRRORS:
            return None
        answers = answers_of(view)
        if len(answers) < FEWEST:
            return None
        best, *others = sorted(answers, key=lambda answer: -worth[answer.move.text])
        share = worth[best.move.text]
        lead = share - worth[others[0].move.text]
        if lead <= 0:
            return None
        whole = next(s.move for s in solutions if before_messenger(view, s.move) == best.move)
        line = solved_line(view.sample(0).play(whole), NODES)
        return Proof(best, True, lead, 0.0, share, line, others)

    def _search(
        self, view: View, answers: Sequence[Answer], seed: int, wanted: Callable[[Answer], bool]
    ) -> Proof | None:
        """Race the answers; the best one has to leave all others behind."""
        if len(answers) < FEWEST:
            return None
        left, best = list(answers), None
        for number, iterations in enumerate(self.depth.screens):
            found = [self._judged(view, each, iterations, seed + number) for each in left]
            found.sort(key=lambda tried: -tried.share)
            best, *others = found
            rivals = [tried for tried in others if not best.beats(tried)]
            if len(rivals) >= self.depth.close:
                return None
            if number and best.share - others[0].share < self._hopeless:
                return None
            left = [best.answer, *(t.answer for t in others if t in rivals or t in others[:2])]
        if best is None or not wanted(best.answer):
            return None
        last = list[_Tried]()
        for answer in left:
            last.append(self._deeply(view, answer, seed))
            if last[0].share - last[-1].share < self._least and len(last) > 1:
                return None
        best, *others = last
        leads = [best.lead(other) for other in others]
        if not leads or any(lead < ERRORS * error for lead, error in leads):
            return None
        lead, error = min(leads)
        behind = [a for a in answers if a is not best.answer]
        return Proof(best.answer, False, lead, error, best.share, best.line[:LONGEST], behind)

    def _deeply(self, view: View, answer: Answer, seed: int) -> "_Tried":
        """Search an answer several times, independently."""
        seeds = range(seed + 100, seed + 100 + self.depth.seeds)
        return _merged([self._judged(view, answer, self.depth.iterations, s) for s in seeds])

    def _judged(self, view: View, answer: Answer, iterations: int, seed: int) -> "_Tried":
        """Search an answer; of several messengers the best counts."""
        assert view.viewer is not None
        found = [self._judge.search(view, o, iterations, seed) for o in answer.options]
        best = max(found, key=lambda judged: judged.shares[view.viewer])
        return _Tried.of(answer, best, view.viewer)


@dataclass(frozen=True)
class _Tried:
    """An answer that was searched."""

    answer: Answer
    share: float
    batches: np.ndarray  # shares, one after the other
    line: tuple[Move, ...]

    @classmethod
    def of(cls, answer: Answer, judged: Judged, seat: int) -> "_Tried":
        return cls(answer, float(judged.shares[seat]), judged.batches[:, seat], judged.line)

    def lead(self, other: "_Tried") -> tuple[float, float]:
        """Return how far this is ahead of another answer, and the standard error."""
        differences = self.batches - other.batches
        error = float(differences.std(ddof=1) / np.sqrt(len(differences)))
        return self.share - other.share, error

    def beats(self, other: "_Tried") -> bool:
        """Whether this is ahead by enough standard errors."""
        lead, error = self.lead(other)
        return lead > ERRORS * error and lead > 0


def _merged(searches: Sequence[_Tried]) -> _Tried:
    """Merge several searches of one answer; their spread gives the error.

    The spread within one search would be too small: its iterations depend on each other.
    """
    first = searches[0]
    share = float(np.mean([each.share for each in searches]))
    shares = np.array([each.share for each in searches])
    return _Tried(first.answer, share, shares, first.line)
