"""Analyses a record: the curve of chances first, then a judgement on every turn.

The value before the deal is an even share for everybody; the last one is the result. Every change
between them belongs to exactly one of: the deal, a card turned up, an error (by what its seat
knew), or what could not be known. So the account of every seat adds up.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from patrizier.analysis.judgement import DEEP, QUICK, Effort, Judge, Judged
from patrizier.analysis.lines import solved_line
from patrizier.analysis.moments import moments_of
from patrizier.analysis.options import ends_stage, mirrored
from patrizier.analysis.outlook import Appraiser, Outlook, solved_outlook
from patrizier.analysis.reasons import Reason, reasons
from patrizier.analysis.result import Account, Analysis, Chances, Choice, Judgement, Turn
from patrizier.analysis.shares import WHOLE, Parts, difference, in_parts, total
from patrizier.analysis.verdicts import Verdict, verdict_on
from patrizier.game import Game
from patrizier.ptr import GameRecord
from patrizier.rules.codes import STEPS, step_of
from patrizier.state import State

_CHOICES = 3  # alternatives listed for a turn, beside the one played


def record_hash(game: Game) -> str:
    """Return a hash of what was played: options, deal and decisions, but not who played it."""
    options = game.options
    deck = " ".join(f"{card}={face.text}" for card, face in options.deck.faces)
    facts = (options.players, options.rules_text, deck, game.deal.start, game.deal, *game.moves)
    return hashlib.sha256("\n".join(map(str, facts)).encode()).hexdigest()


def analyse(
    record: GameRecord | Game,
    *,
    deep: bool = False,
    seed: int = 0,
    seats: Sequence[int] | None = None,
    effort: Effort | None = None,
) -> Iterator[Analysis]:
    """Yield an analysis that grows: first the curve, then turn by turn; the last one is complete.

    With ``seats``, only their turns are judged, and there are no accounts. ``effort`` replaces the
    usual one.
    """
    return _Analyser(record, deep, seed, seats, effort or (DEEP if deep else QUICK)).run()


class _Stage:
    """One choice of a turn: the position it was made in, and its decisions."""

    def __init__(self, state: State, codes: tuple[int, ...]) -> None:
        self.state = state
        self.codes = codes


class _Analyser:
    def __init__(
        self,
        record: GameRecord | Game,
        deep: bool,
        seed: int,
        seats: Sequence[int] | None,
        effort: Effort,
    ) -> None:
        self.game = record if isinstance(record, Game) else record.game()
        names = () if isinstance(record, Game) else record.names
        self.options, self.seed = self.game.options, seed
        self.seats = range(self.options.players) if seats is None else seats
        self.appraiser = Appraiser(self.options, iterations=effort.appraisal)
        self.judge = Judge(self.options.players, self.appraiser.calibration, effort)
        self.stages: list[list[_Stage]] = []  # by turn
        self.states: list[State] = []  # before every turn, and at the end
        self._replay()
        curve = [_chances(self.appraiser.outlook(state._cells)) for state in self.states]
        fair = in_parts(np.ones(self.options.players))
        outcome = self.game.outcome()
        self.analysis = Analysis(
            record=record_hash(self.game),
            names=tuple(names),
            players=self.options.players,
            deep=deep,
            seed=seed,
            finished=self.game.is_over,
            deal=curve[0],
            luck_of_deal=difference(curve[0].shares, fair),
            turns=tuple(self._turn(number, curve) for number in range(self.game.turn)),
            points=tuple(outcome.points) if outcome else (),
        )

    def run(self) -> Iterator[Analysis]:
        yield self.analysis
        self._solve_endings()
        yield self.analysis
        for number, turn in enumerate(self.analysis.turns):
            if turn.seat in self.seats:
                judged = self._judged(number, turn)
                turns = self.analysis.turns
                turns = (*turns[:number], judged, *turns[number + 1 :])
                self.analysis = replace(self.analysis, turns=turns)
                if self.analysis.judged < len(turns):
                    yield self.analysis
        if self.analysis.judged == len(self.analysis.turns):
            accounts = tuple(self._account(seat) for seat in range(self.options.players))
            self.analysis = replace(
                self.analysis, accounts=accounts, moments=moments_of(self.analysis)
            )
        yield self.analysis

    def _replay(self) -> None:
        """Replay the game and collect every choice."""
        state = State.start(self.options, self.game.deal)
        self.states.append(state)
        taken: list[int] = []
        stages: list[_Stage] = []
        begun = state
        for code in self.game.decisions:
            taken.append(code)
            later = state.apply(code)
            ended = later.turn > state.turn
            if ended or ends_stage(later._cells):
                stages.append(_Stage(begun, tuple(taken)))
                taken, begun = [], later
            if ended:
                self.stages.append(stages)
                self.states.append(later)
                stages = []
            state = later

    def _turn(self, number: int, curve: list[Chances]) -> Turn:
        record = self.game.records[number]
        return Turn(
            number=number + 1,
            seat=record.seat,
            move=record.move,
            before=curve[number],
            after=curve[number + 1],
            refill=record.refill,
        )

    def _luck_of_card(self, number: int) -> Parts:
        """Return what the card turned up changed, compared with all cards of the pile."""
        if self.game.records[number].refill is None:
            return (0,) * self.options.players
        stage = self.stages[number][0]
        expected, seen = self.appraiser.after(stage.state._cells, stage.codes)
        return difference(in_parts(seen.shares), in_parts(expected.shares))

    def _solve_endings(self) -> None:
        """Replace estimates by outcomes under optimal play, from the end as far as it goes."""
        solved: dict[int, Chances] = {}
        for number in reversed(range(len(self.states))):
            state = self.states[number]
            if state.is_over:
                continue
            outlook = solved_outlook(state, self.judge.effort.nodes)
            if outlook is None:
                break
            solved[number] = _chances(outlook)
        self.analysis = replace(
            self.analysis,
            turns=tuple(
                replace(
                    turn,
                    before=solved.get(turn.number - 1, turn.before),
                    after=solved.get(turn.number, turn.after),
                )
                for turn in self.analysis.turns
            ),
        )

    def _judged(self, number: int, turn: Turn) -> Turn:
        judgement = self._judgement(number, turn)
        change = difference(turn.after.shares, turn.before.shares)
        card = self._luck_of_card(number)
        hidden = difference(change, total(card, judgement.error))
        return replace(turn, judgement=judgement, card=card, hidden=hidden)

    def _judgement(self, number: int, turn: Turn) -> Judgement:
        """Judge every choice of a turn; their costs add up."""
        error: Parts = (0,) * self.options.players
        costs = dict.fromkeys(STEPS, 0)
        spread, points = np.zeros(self.options.players), 0.0
        choices: tuple[Choice, ...] = ()
        told: tuple[State, Judged, Judged] | None = None
        exact, only, worst = True, True, -1
        for part, stage in enumerate(self.stages[number]):
            cells = stage.state._cells
            codes = (mirrored(cells, stage.codes[0]), *stage.codes[1:])
            view = stage.state.view(turn.seat)
            seed = (self.seed * 1_000_003 + number * 101 + part * 53) % 2**63
            judged = self.judge.judge(view, codes, seed)
            best, played = judged[0], next(j for j in judged if j.option.codes == codes)
            lost = difference(in_parts(played.shares), in_parts(best.shares))
            error = total(error, lost)
            for kind, cost in _costs(judged, played, turn.seat).items():
                costs[kind] += cost
            spread += _spread(played, best) ** 2
            points += float(best.points[turn.seat] - played.points[turn.seat])
            exact, only = exact and best.exact, only and len(judged) == 1
            if -lost[turn.seat] > worst:  # reasons are given for the choice that cost most
                worst = -lost[turn.seat]
                choices = _choices(judged, played, turn, part)
                told = stage.state, best, played
        spread = np.sqrt(spread)
        lost_share, doubt = -error[turn.seat] / WHOLE, float(spread[turn.seat])
        verdict = verdict_on(lost_share, doubt, self.options.players)
        assert told is not None
        if verdict.is_error and choices[0].exact:
            line = solved_line(_after(*told[:2]), self.judge.effort.nodes)
            choices = (replace(choices[0], line=line), *choices[1:])
        return Judgement(
            verdict=verdict,
            error=error,
            points=points,
            costs={kind: cost for kind, cost in costs.items() if cost},
            spread=tuple((spread * WHOLE).tolist()),
            exact=exact,
            only=only,
            choices=choices,
            why=_why(turn.seat, *told, is_error=verdict.is_error),
        )

    def _account(self, seat: int) -> Account:
        analysis = self.analysis
        turns, others = analysis.turns, [0] * analysis.players
        cards = hidden = own = 0
        variance, verdicts = 0.0, Counter[Verdict]()
        for turn in turns:
            assert turn.judgement is not None
            assert turn.card is not None
            assert turn.hidden is not None
            cards += turn.card[seat]
            hidden += turn.hidden[seat]
            variance += turn.judgement.spread[seat] ** 2
            if turn.seat == seat:
                own += turn.judgement.error[seat]
                verdicts[turn.judgement.verdict] += 1
            else:
                others[turn.seat] += turn.judgement.error[seat]
        last = turns[-1].after if turns else analysis.deal
        return Account(
            result=last.shares[seat],
            fair=in_parts(np.ones(analysis.players))[seat],
            deal=analysis.luck_of_deal[seat],
            cards=cards,
            hidden=hidden,
            own=own,
            others=tuple(others),
            spread=variance**0.5,
            verdicts={verdict: verdicts[verdict] for verdict in Verdict},
        )


def _chances(outlook: Outlook) -> Chances:
    points = tuple(float(value) for value in outlook.points)
    return Chances(in_parts(outlook.shares), points, outlook.exact)


def _costs(judged: list[Judged], played: Judged, seat: int) -> dict[str, int]:
    """Return what each decision of a turn cost, compared with the best option still open."""
    left, costs = in_parts(judged[0].shares)[seat], dict[str, int]()
    for length, code in enumerate(played.option.codes, 1):
        begun = played.option.codes[:length]
        alike = [j for j in judged if j.option.codes[:length] == begun]
        best = max(in_parts(each.shares)[seat] for each in alike)
        costs[step_of(code)] = left - best
        left = best
    return costs


def _spread(played: Judged, best: Judged) -> np.ndarray:
    """Return the standard error of the difference between two options, by seat."""
    if played is best or played.exact:
        return np.zeros(len(played.shares))
    return best.error_beside(played)


def _choices(judged: list[Judged], played: Judged, turn: Turn, part: int) -> tuple[Choice, ...]:
    """Return the best options and the one played, each as much of a turn as was judged."""
    told = judged[:_CHOICES]
    if played not in told:
        told.append(played)
    best = in_parts(judged[0].shares)[turn.seat]
    return tuple(
        Choice(
            turn.move if each is played and part else each.option.move,
            in_parts(each.shares),
            tuple(float(value) for value in each.points),
            best - in_parts(each.shares)[turn.seat],
            each.exact,
            each.line,
        )
        for each in told
    )


def _why(
    seat: int, state: State, best: Judged, played: Judged, *, is_error: bool
) -> tuple[Reason, ...]:
    """Return why the turn was good, or what was better."""
    view = state.view(seat)
    start = view.sample(0)
    better = _after(start, best) if is_error else None
    return (*_solved(seat, best, played), *reasons(view, _after(start, played), better))


def _after(state: State, judged: Judged) -> State:
    """Return the position after an option."""
    for code in judged.option.codes:
        state = state.apply(code)
    return state


def _solved(seat: int, best: Judged, played: Judged) -> list[Reason]:
    """Return the solved outcomes of the turn played and of a better one."""
    if not played.exact:
        return []

    def outcome(judged: Judged) -> str:
        share = float(judged.shares[seat])
        return "wins" if share == 1.0 else "shares" if share > 0.0 else "loses"

    found = [Reason(outcome(played), "played", ())]
    if outcome(best) != outcome(played):
        found.append(Reason(outcome(best), "better", ()))
    return found
