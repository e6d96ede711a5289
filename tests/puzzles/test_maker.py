"""Finding puzzles: choices of a game, endings, the journal."""

from pathlib import Path

from analysis.games import random_game
from patrizier import Game, Options
from patrizier.bots.endgame.solver import turns_left
from patrizier.puzzles.collection import shipped
from patrizier.puzzles.journal import Journal
from patrizier.puzzles.maker import KINDS, Maker, bot_endings, bot_game, choices_of
from support.kinds import STARRY


def test_every_turn_is_a_choice_and_so_is_its_messenger() -> None:
    game = random_game(2, 3, ("messengers",))
    choices = list(choices_of(game))
    builds = [source for source, _ in choices if source.begun is None]
    assert [len(source.moves) for source in builds] == list(range(48))
    late = [(source, view) for source, view in choices if source.begun]
    assert late
    for source, view in choices:
        again = source.game()
        assert (again.seat, again.phase, again.turn) == (view.seat, view.phase, view.turn)
        assert [m.text for m in again.legal_moves] == [m.text for m in view.legal]
    assert all(view.phase == "messenger" for _, view in late)


def test_bot_games_are_of_all_kinds_and_depend_on_the_seed_alone() -> None:
    games = [bot_game(number, 5) for number in range(len(KINDS))]
    assert [game.options for game in games] == list(KINDS)
    assert all(game.is_over for game in games)
    assert bot_game(1, 5).decisions == games[1].decisions


def test_ends_of_one_game_part_when_the_pile_is_empty() -> None:
    games = next(ends for number in range(40) if (ends := bot_endings(number, 5)))
    assert len({tuple(map(str, game.moves)) for game in games}) > 1
    pile = len(games[0].deal.pile)
    same = [len(set(each)) == 1 for each in zip(*(g.moves for g in games), strict=True)]
    assert same.index(False) >= pile
    assert len({game.deal for game in games}) == 1


def test_a_found_puzzle_is_found_again() -> None:
    puzzle = next(each for each in shipped().values() if each.exact)
    maker = Maker(is_obvious=lambda *_: False)  # it lets chance have a say
    again = maker.puzzle_at(puzzle.source, puzzle.view, 0, only_exact=True)
    assert again is not None
    assert (again.id, again.solution, again.line) == (puzzle.id, puzzle.solution, puzzle.line)
    assert (again.why, again.themes, again.lead) == (puzzle.why, puzzle.themes, puzzle.lead)


def test_what_looks_best_at_first_sight_is_no_puzzle() -> None:
    puzzle = next(each for each in shipped().values() if each.exact)
    maker = Maker(is_obvious=lambda *_: True)
    assert maker.puzzle_at(puzzle.source, puzzle.view, 0) is None


def test_records_with_another_deck_are_left_out() -> None:
    options = Options(2, deck=STARRY)
    game = Game(options, seed=3)
    while not game.is_over:
        game.play(game.legal_moves[0])
    assert Maker().puzzles_in(game, 0) == []


def test_a_journal_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    puzzle = next(each for each in shipped().values() if each.exact)
    journal = Journal(file)
    journal.add("bots 1", [puzzle])
    journal.add("bots 2", [])
    with file.open("a") as out:
        out.write('{"name": "bots 3", "ga')  # killed while writing
    again = Journal(file)
    assert again.searched == {"bots 1", "bots 2"}
    assert (again.count, again.exact) == (1, 1)
    assert list(again.puzzles()) == [puzzle]


def test_last_rounds_are_found_in_endings_of_one_game() -> None:
    maker = Maker(is_obvious=lambda *_: False)  # it lets chance have a say
    found = maker.last_rounds_of_bots(10, 7)
    assert found
    for puzzle in found:
        assert puzzle.exact
        assert "last-round" in puzzle.themes
        assert turns_left(puzzle.view) <= puzzle.players


def test_a_decided_game_has_no_last_round_to_look_at() -> None:
    decided = next(number for number in range(40) if not bot_endings(number, 5))
    assert Maker().last_rounds_of_bots(decided, 5) == []
