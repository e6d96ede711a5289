"""The analyser: sums that add up, luck that evens out, judgements blind to hidden cards."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.games import LIGHT, random_game
from patrizier.analysis.analyser import analyse, record_hash
from patrizier.analysis.calibration import calibration_for
from patrizier.analysis.judgement import Judge
from patrizier.analysis.lines import LONGEST
from patrizier.analysis.options import mirrored, options_of
from patrizier.analysis.outlook import Appraiser
from patrizier.analysis.result import Analysis
from patrizier.analysis.shares import WHOLE
from patrizier.game import Game
from patrizier.options import Options

MESSENGERS = ("messengers",)


def whole(game: Game, seed: int = 0) -> Analysis:
    *_, last = analyse(game, seed=seed, effort=LIGHT)
    return last


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    players=st.integers(2, 5),
    seed=st.integers(0, 10_000),
    rules=st.sampled_from([(), MESSENGERS, (*MESSENGERS, "messenger-at-built-city")]),
)
def test_every_account_adds_up_and_luck_is_zero_in_sum(
    players: int, seed: int, rules: tuple[str, ...]
) -> None:
    game = random_game(players, seed, rules)
    analysis = whole(game)
    outcome = game.outcome()
    assert outcome is not None
    assert sum(analysis.luck_of_deal) == 0
    for turn in analysis.turns:
        assert turn.judgement is not None
        assert turn.card is not None
        assert turn.hidden is not None
        assert sum(turn.card) == sum(turn.hidden) == sum(turn.judgement.error) == 0
        assert turn.judgement.error[turn.seat] <= 0
        assert sum(turn.judgement.costs.values()) == -turn.judgement.error[turn.seat]
        assert sum(turn.before.shares) == sum(turn.after.shares) == WHOLE
    for seat, account in enumerate(analysis.accounts):
        made = account.fair + account.deal + account.cards + account.hidden
        assert made + account.own + sum(account.others) == account.result
        won = WHOLE / len(outcome.winners) if seat in outcome.winners else 0
        assert abs(account.result - won) <= 1
        assert account.own <= 0
        assert account.others[seat] == 0
        assert account.adjusted == account.result - account.luck
    assert 3 <= len(analysis.moments) <= 5


@pytest.mark.parametrize(("players", "seed"), [(2, 11), (3, 5)])
def test_the_line_after_a_solved_turn_leads_to_its_outcome(players: int, seed: int) -> None:
    game, seen = random_game(players, seed), 0
    for turn in whole(game).turns:
        assert turn.judgement is not None
        best = turn.judgement.choices[0]
        if not (turn.judgement.verdict.is_error and best.exact):
            continue
        again = Game(game.options, deal=game.deal)
        for move in (*game.moves[: turn.number - 1], best.move, *best.line):
            again.play(move)
        seen += 1
        if outcome := again.outcome():
            assert {s for s, share in enumerate(best.shares) if share} == set(outcome.winners)
        else:
            assert len(best.line) == LONGEST
    assert seen > 2


def test_the_same_sums_hold_in_the_json_form() -> None:
    data = whole(random_game(3, 5, MESSENGERS)).to_json()
    for seat, account in enumerate(data["seats"]):
        parts = [account["fair"], account["own"], *account["others"]]
        parts += [data["deal"]["luck"][seat]]
        for turn in data["turns"]:
            parts += [turn["luck"]["card"][seat], turn["luck"]["hidden"][seat]]
        millionths = sum(round(part * WHOLE) for part in parts)
        assert millionths == round(account["result"] * WHOLE)


@pytest.mark.parametrize(("players", "turn"), [(2, 0), (3, 11), (5, 20)])
def test_the_luck_of_a_card_has_mean_zero_over_all_cards_of_the_pile(
    players: int, turn: int
) -> None:
    game = random_game(players, 3, turns=turn)
    code = game.legal_moves[0]
    start, pile = len(game.deal.pile) - game.state.record["pile_left"], list(game.deal.pile)
    lucks = []
    for place in range(start, len(pile)):
        other = pile.copy()
        other[start], other[place] = other[place], other[start]
        again = Game(game.options, deal=replace(game.deal, pile=tuple(other)))
        for move in game.moves:
            again.play(move)
        again.play(code)
        *_, whole_game = analyse(again, seats=[again.records[-1].seat], effort=LIGHT)
        luck = whole_game.turns[-1]
        assert luck.refill == other[start]
        assert luck.card is not None
        lucks.append(luck.card)
    assert np.abs(np.mean(lucks, axis=0)).max() < 1.0  # millionths: only rounding is left
    assert np.abs(lucks).max() > 100  # and the cards do matter


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_judgement_does_not_depend_on_hidden_cards(players: int) -> None:
    game = random_game(players, 4, MESSENGERS, turns=9)
    assert game.seat is not None
    view = game.view(game.seat)
    judge = Judge(players, calibration_for(game.options), LIGHT)
    played = options_of(game.state._cells)[-1].codes
    answers = set()
    for sample in range(6):
        other = view.sample(sample)
        assert other != game.state
        judged = judge.judge(other.view(game.seat), played, seed=7)
        answers.add(
            tuple(
                (each.option, tuple(each.shares), tuple(each.points), each.line) for each in judged
            )
        )
    assert len(answers) == 1


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_verdict_and_its_reasons_do_not_depend_on_hidden_cards(players: int) -> None:
    """Whatever lies in others' hands and in the pile: what was not seen then is shuffled."""
    game = random_game(players, 4, MESSENGERS, turns=13)
    seat = game.seat
    assert seat is not None
    game.play(game.legal_moves[len(game.legal_moves) // 2])
    deal, drawn = game.deal, len(game.deal.pile) - int(game.state.record["pile_left"])
    played = {move.card for move in game.moves}
    kept = [
        (each, place)
        for each, hand in enumerate(deal.hands)
        for place, card in enumerate(hand)
        if each != seat and card not in played
    ]
    hidden = [deal.hands[each][place] for each, place in kept] + list(deal.pile[drawn:])
    answers, worlds = set[str](), set[str]()
    rng = np.random.default_rng(1)
    while len(worlds) < 4:
        stars = [card for card in hidden if game.options.deck[card].star]
        others = [card for card in hidden if not game.options.deck[card].star]
        dealt = [str(card) for card in rng.permutation(stars)]
        hands = [list(hand) for hand in deal.hands]
        for (each, place), card in zip(kept, dealt, strict=False):
            hands[each][place] = card
        rest = [str(card) for card in rng.permutation([*dealt[len(kept) :], *others])]
        pile = (*deal.pile[:drawn], *rest)
        other = replace(deal, hands=tuple(map(tuple, hands)), pile=pile)
        again = Game(game.options, deal=other)
        for move in game.moves:
            again.play(move)
        worlds.add(str(other))
        *_, found = analyse(again, seats=[seat], effort=LIGHT)
        turn = found.turns[-1].to_json()
        assert turn["choices"]
        answers.add(str([turn[key] for key in ("verdict", "cost", "costs", "choices", "why")]))
    assert len(answers) == 1


def test_the_first_answer_is_the_curve_alone() -> None:
    game = random_game(2, 1)
    steps = list(analyse(game, effort=LIGHT))
    assert steps[0].judged == 0
    assert len(steps[0].turns) == 48
    assert not steps[0].complete
    assert [step.judged for step in steps[1:-1]] == list(range(48))
    assert steps[-1].complete


def test_an_unfinished_game_ends_with_an_estimate() -> None:
    analysis = whole(random_game(3, 1, turns=10))
    assert not analysis.finished
    assert analysis.complete
    assert analysis.points == ()
    assert sum(account.result for account in analysis.accounts) == WHOLE
    assert 0 < analysis.accounts[0].result < WHOLE


def test_a_game_without_turns_has_luck_of_the_deal_alone() -> None:
    analysis = whole(Game(Options(2), seed=1))
    assert [account.own for account in analysis.accounts] == [0, 0]
    assert analysis.accounts[0].luck == analysis.luck_of_deal[0]


def test_endings_are_exact_from_some_turn_on_and_the_winner_is_right() -> None:
    game = random_game(2, 8)
    analysis = whole(game)
    exact = [turn.before.exact for turn in analysis.turns]
    assert exact[-1]
    assert exact == sorted(exact)
    assert analysis.turns[-1].judgement is not None
    assert analysis.turns[-1].judgement.exact


def test_only_the_seats_asked_for_are_judged() -> None:
    *_, last = analyse(random_game(3, 2), seats=[1], effort=LIGHT)
    assert {turn.seat for turn in last.turns if turn.judgement} == {1}
    assert not last.complete


def test_the_same_seed_gives_the_same_analysis() -> None:
    game = random_game(4, 6, MESSENGERS, turns=12)
    assert whole(game, seed=3) == whole(game, seed=3)


def test_the_hash_is_of_the_game_not_of_its_players() -> None:
    game = random_game(2, 1, turns=3)
    hashes = {
        record_hash(Game.from_record(str(game.record(("Anna", "Ben"))))),
        record_hash(Game.from_record(str(game.record()))),
    }
    assert hashes == {record_hash(game)}
    assert record_hash(random_game(2, 1, turns=4)) not in hashes
    other = Game(game.options, deal=replace(game.deal, start=1 - game.deal.start))
    assert record_hash(other) != record_hash(Game(game.options, deal=game.deal))


def test_options_are_all_legal_turns_up_to_mirror_images() -> None:
    for seed in range(5):
        game = random_game(3, seed, turns=7 * seed)
        cells = game.state._cells
        options = options_of(cells)
        codes = {mirrored(cells, option.codes[0]) for option in options}
        assert {option.codes[0] for option in options} == codes
        assert {option.move for option in options} <= set(game.legal_moves)
        full = {move.decision("build") for move in game.legal_moves}
        assert {mirrored(cells, code) for code in full} == codes


def test_chances_of_open_hands_do_not_depend_on_the_order_of_the_pile() -> None:
    game = random_game(4, 2, turns=5)
    appraiser, cells = Appraiser(game.options), game.state._cells
    other = cells.copy()
    left = int(other["pile_left"][0])
    other["pile"][0, :left] = other["pile"][0, :left][::-1].copy()
    assert np.array_equal(appraiser.outlook(cells).shares, appraiser.outlook(other).shares)
