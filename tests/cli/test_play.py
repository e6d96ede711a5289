"""`patrizier play`: whole games by script, taking back, secrets, leaving, saving."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from rich.console import Console
from rich.text import TextType
from typer.testing import CliRunner, Result

from patrizier.bots.registry import make_bot
from patrizier.cli.play import play
from patrizier.cli.terminal import sitting as playing
from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.questions import Asker, Leave
from patrizier.cli.terminal.turn import TurnMaker
from patrizier.game import Game
from patrizier.options import Options
from patrizier.prospects import Prospects, prospects
from patrizier.ptr import load_games, read_games
from patrizier.rules.board import CARDS

APP = typer.Typer(rich_markup_mode="markdown")
APP.command()(play)
Answer = Callable[[str], str]


def run(*arguments: object, keys: str = "") -> Result:
    return CliRunner().invoke(APP, [str(a) for a in arguments], input=keys, env={"COLUMNS": "80"})


def without_blanks(text: str) -> str:
    """Without blanks and line ends: a long path may wrap anywhere, or push words to a new line."""
    return re.sub(r"\s+", "", text)


def answering(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    """Let a function answer every prompt."""
    monkeypatch.setattr(Console, "input", lambda _, prompt: answer(str(prompt)))


def random_answers(seed: int, last: str = "") -> Answer:
    """Answer numbered choices at random and confirm everything."""
    rng = np.random.default_rng(seed)

    def answer(prompt: str) -> str:
        numbers = re.match(r"(\d+)(?:-(\d+))? · b back", prompt)
        if numbers is None:
            return last if "Save the record" in prompt else ""
        low = int(numbers[1])
        return str(rng.integers(low, int(numbers[2] or low) + 1))

    return answer


# -- whole games


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (2, ""),
        (3, "messengers"),
        (4, "open-ledger"),
        (5, "messengers,messenger-at-built-city"),
    ],
)
def test_a_whole_game_is_played_and_saved(
    players: int, rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, random_answers(players))
    file = tmp_path / "game.ptr"
    result = run(
        *("--players", players, "--rules", rules, "--seed", 7, "--name", "Anna"),
        *("--bots", "greedy,random", "--out", file),
    )
    assert result.exit_code == 0, result.output
    record = load_games(file)[0]  # read strictly: every turn and the result are checked
    assert record.names == ("Anna", "Bruno", "Carla", "Dario", "Elena")[:players]
    game = record.game()
    assert game.is_over
    assert game.options.rules_text == rules
    assert game.deal == Game(game.options, seed=7).deal
    assert "That is not possible" not in result.output
    for turn in game.records:
        name = "You build" if turn.seat == 0 else f"{record.names[turn.seat]} builds"
        assert f"{turn.turn} ▐{record.names[turn.seat][0]}▌ {name} " in result.output
    outcome = game.outcome()
    assert outcome
    assert f"with {max(outcome.points)} points" in result.output
    assert without_blanks(f"The record is saved in {file}.") in without_blanks(result.output)


def test_the_same_seed_and_answers_give_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = set()
    for _ in range(2):
        answering(monkeypatch, random_answers(1))
        outputs.add(run("--seed", 99, "--players", 2).output)
    assert len(outputs) == 1


def test_the_default_game_can_be_repeated_by_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, random_answers(1))
    first = run("--players", 2).output
    seed = re.search(r"deal again: --seed (\d+)", first)
    assert seed
    answering(monkeypatch, random_answers(1))
    assert run("--players", 2, "--seed", seed[1]).output == first


def test_plain_input_plays_a_game(tmp_path: Path) -> None:
    """Through standard input: where a number is asked an empty line is refused, and vice versa."""
    file = tmp_path / "game.ptr"
    result = run("--seed", 3, "--players", 2, "--out", file, keys="1\n\n" * 200)
    assert result.exit_code == 0
    assert load_games(file)[0].game().is_over
    assert "That is not possible here: type a number from 1 to 3." in result.output


# -- one turn


class Answered(Console):
    """A console at which answers from a list are typed; then the person leaves."""

    def __init__(self, answers: list[str], **options: Any) -> None:
        super().__init__(**options)
        self.answers = answers

    def input(self, prompt: TextType = "", **_options: Any) -> str:
        self.print(prompt)
        if not self.answers:
            raise Leave
        return self.answers.pop(0)


class Desk:
    """A turn of the person in seat 0, answered from a list."""

    def __init__(self, game: Game, answers: list[str]) -> None:
        assert game.seat == 0
        self.helped = 0
        self.out = StringIO()
        self.console = Answered(answers, file=self.out, width=100, highlight=False)
        asker = Asker(
            self.console,
            self._help,
            lambda: self.console.print("BOARD"),
            lambda: self.console.print("PILES"),
        )
        self.maker = TurnMaker(game, Cast.of(game.options, ("Ann", "Bob"), 0), asker)

    def _help(self) -> None:
        self.helped += 1

    def take_turn(self) -> str:
        """Take the turn, or stop where the answers end; return what was shown."""
        try:
            self.maker.take_turn()
        except Leave:
            self.console.print("LEFT")
        return self.out.getvalue()


def before_own_turn(wanted: Callable[[Game], bool], rules: tuple[str, ...] = ()) -> Game:
    """Return a game of two in which seat 0 is to move and something special holds."""
    for seed in range(200):
        game = Game(Options(2, rules), seed=seed)
        rng = np.random.default_rng(seed)
        while not game.is_over:
            if game.seat == 0 and wanted(game):
                return game
            moves = game.legal_moves
            game.play(moves[rng.integers(len(moves))])
    raise AssertionError("no such game")


def hand_faces(game: Game) -> list[str]:
    return [game.options.deck[card].text for card in game.view(0).seats[0].hand]


def test_every_step_can_be_taken_back() -> None:
    game = before_own_turn(
        lambda g: hand_faces(g)[0] == ">" and any(m.moved for m in g.legal_moves)
    )
    card = game.view(0).seats[0].hand[0]
    moves = sorted({m.moved for m in game.legal_moves if m.card == card and m.moved})
    answers = ["b", "2", "b", "1", "1", "b", "2", "0", "b", "1", "b", "b", "1", "1", "b", "1", ""]
    desk = Desk(game, answers)
    shown = desk.take_turn()
    assert "Nothing to take back: this is the start of your turn." in shown
    assert "LEFT" not in shown
    record = game.records[-1]
    assert record.move.card == card
    assert record.move.sites == "L"
    assert record.move.moved in moves
    assert not desk.console.answers


def test_words_may_be_typed_instead_of_numbers() -> None:
    game = before_own_turn(lambda g: "?" in hand_faces(g) and g.turn > 10)
    move = next(m for m in reversed(game.legal_moves) if m.draw)
    assert move.draw
    Desk(game, [move.card.lower(), move.sites.lower(), move.draw.lower(), ""]).take_turn()
    assert game.moves[-1] == move


def test_wrong_answers_say_what_is_possible() -> None:
    game = before_own_turn(lambda g: g.turn > 4)
    turn = game.turn
    desk = Desk(game, ["0", "4", "x", "", "?", "h", "v", "1", "7", "-1", "1"])
    shown = desk.take_turn()
    assert shown.count("That is not possible here: type a number from 1 to ") == 6
    assert shown.index("from 1 to 3.") < shown.index("Where in ")
    assert desk.helped == 2
    assert "BOARD" in shown
    assert game.turn == turn  # nothing was confirmed


def test_a_forced_site_is_not_asked_and_taken_back_with_its_card() -> None:
    def forced(game: Game) -> bool:
        cards = [m.card for m in game.legal_moves]
        first = game.view(0).seats[0].hand[0]
        return cards.count(first) == 1

    game = before_own_turn(forced)
    shown = Desk(game, ["1", "b", "1", ""]).take_turn()
    assert shown.count("you can only build on the") == 2
    assert shown.count("Which card do you play?") == 2
    assert "LEFT" not in shown


def test_the_last_card_is_not_asked() -> None:
    game = before_own_turn(lambda g: len(g.view(0).seats[0].hand) == 1)
    shown = Desk(game, ["1", "b", "1", ""]).take_turn()
    assert "Your last card: " in shown
    assert "Which card" not in shown


def test_the_turn_is_told_before_it_is_confirmed() -> None:
    game = before_own_turn(
        lambda g: (
            any(
                c.winners is None
                and len(c.left + c.right) + 1 == c.capacity
                and c.left
                and c.right
                and c.code == g.view(0).seats[0].hand[0][:2]
                for c in g.view(0).cities
            )
            and hand_faces(g)[0] in ("L", "B", "K", "LL", "BB", "KK")
        )
    )
    shown = Desk(game, ["1", "1"]).take_turn()
    assert re.search(r"You build in \w+ \(left\)", shown)
    assert " is complete: " in shown
    assert "End turn?" in shown


def test_what_a_turn_would_bring_is_said_before_it_is_chosen() -> None:
    def first_card_has(steps: Callable[[Prospects], Iterable[str]]) -> Callable[[Game], bool]:
        def wanted(game: Game) -> bool:
            view = game.view(0)
            card = view.seats[0].hand[0]
            return any(step.startswith(card) for step in steps(prospects(view)))

        return wanted

    scoring = before_own_turn(first_card_has(lambda found: found.takes))
    assert re.search(r"(you take|takes) \d+", Desk(scoring, ["1"]).take_turn())
    portraits = before_own_turn(first_card_has(lambda found: found.gains))
    told = r"Your (first|second|third|\dth) (Lady|Banker|Knight): \d"
    assert re.search(told, Desk(portraits, ["1"]).take_turn())
    answered = before_own_turn(first_card_has(lambda found: found.answers))
    assert re.search(r" holds [A-Z]{2}\d", Desk(answered, ["1"]).take_turn())


# -- secrets


def other_worlds(game: Game) -> list[Game]:
    """Return games with the same table in which other cards are hidden."""
    view, worlds = game.view(0), []
    for seed in range(6):
        state = view.sample(seed)
        pile = [int(card) for card in state.record.pile[: int(state.record.pile_left)]]
        hidden = tuple(CARDS[card] for card in reversed(pile))
        played = len(game.deal.pile) - len(hidden)
        deal = replace(game.deal, pile=game.deal.pile[:played] + hidden)
        if sorted(deal.pile) != sorted(game.deal.pile):
            continue  # cards of the other hand were swapped in, which a deal alone cannot tell
        world = Game(game.options, deal=deal)
        for move in game.moves:
            world.play(move)
        worlds.append(world)
    return worlds


def test_nothing_hidden_shows_before_it_is_confirmed() -> None:
    game = before_own_turn(
        lambda g: (
            g.view(0).seats[0].messengers_left > 0
            and "*" in hand_faces(g)[0]
            and g.view(0).seats[1].unknown == 0
            and g.view(0).pile_left > 5
        ),
        ("messengers",),
    )
    worlds = other_worlds(game)
    assert len({world.deal for world in worlds}) > 3
    before = {Desk(world.copy(), ["1", "1"]).take_turn() for world in worlds}
    assert len(before) == 1
    assert "Next, the new card is turned up" in before.pop()
    after = [Desk(world.copy(), ["1", "1", ""]).take_turn() for world in worlds]
    assert len(set(after)) > 1
    assert all("The new card at " in shown for shown in after)


def test_the_messenger_comes_last_and_only_it_can_be_taken_back_then() -> None:
    game = before_own_turn(
        lambda g: g.view(0).seats[0].messengers_left > 0 and "*" in hand_faces(g)[0],
        ("messengers",),
    )
    shown = Desk(game, ["1", "1", "", "b", "1", "b", "2", ""]).take_turn()
    assert shown.index("The new card at ") < shown.index("Where do you lay a messenger?")
    assert shown.count("Where do you lay a messenger?") == 3
    assert "Only the messenger can still be changed" in shown
    assert game.records[-1].move.messenger
    assert shown.count("Which card do you play?") == 1


def test_no_messenger_need_be_laid() -> None:
    game = before_own_turn(
        lambda g: g.view(0).seats[0].messengers_left > 0 and "*" in hand_faces(g)[0],
        ("messengers",),
    )
    Desk(game, ["1", "1", "", "0", ""]).take_turn()
    assert game.seat == 1
    assert game.records[-1].move.messenger is None


# -- leaving and saving


def test_quitting_offers_to_save_the_unfinished_game(tmp_path: Path) -> None:
    file = tmp_path / "unfinished"
    existing = tmp_path / "old.ptr"
    existing.write_text("precious")
    keys = f"1\n1\n\nq\n{existing}\n{tmp_path}/none/x\n{file}\n"
    result = run("--players", 2, "--seed", 1, keys=keys)
    assert result.exit_code == 0, result.output
    assert "You quit after " in result.output
    flat = without_blanks(result.output)
    assert without_blanks(f"{existing} already exists") in flat
    assert without_blanks("is not a folder") in flat
    assert existing.read_text() == "precious"
    game = load_games(file.with_suffix(".ptr"))[0].game()
    assert 0 < game.turn < 6


@pytest.mark.parametrize("keys", ["1\n1\n\nq\n\n", "1\n1\n\nq\n", "1\n1\n\n", "1\n1\n\n1\n"])
def test_leaving_without_saving_says_so(
    keys: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("--players", 2, "--seed", 1, keys=keys)
    assert result.exit_code == 0
    assert result.output.rstrip().endswith("The game is not saved.")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("keys", ["", "q\n"])
def test_leaving_before_the_first_turn_says_so(keys: str, tmp_path: Path) -> None:
    seed = next(seed for seed in range(9) if Game(Options(2), seed=seed).seat == 0)
    file = tmp_path / "game.ptr"
    result = run("--players", 2, "--seed", seed, "--out", file, keys=keys)
    assert result.exit_code == 0
    assert "nothing to save" in result.output
    assert not file.exists()


def test_out_saves_without_asking_wherever_the_game_ends(tmp_path: Path) -> None:
    for name, keys in (("quit", "1\n1\n\nq\n"), ("end", "1\n1\n\n")):
        file = tmp_path / f"{name}.ptr"
        result = run("--players", 2, "--seed", 1, "--out", file, keys=keys)
        assert result.exit_code == 0
        assert "Save the record?" not in result.output
        assert load_games(file)[0].game().turn > 0


def test_interrupting_offers_to_save_and_then_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["1", "1", ""])

    def answer(prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    answering(monkeypatch, answer)
    result = run("--players", 2, "--seed", 1)
    assert result.exit_code == 0
    assert "You quit after" in result.output
    assert result.output.rstrip().endswith("The game is not saved.")


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    answering(monkeypatch, random_answers(5))
    file = tmp_path / "game.ptr"
    result = run("--players", 2, "--seed", 1, "--out", file)
    assert result.exit_code == 1
    complaint = "could not be written: No space left on device"
    assert without_blanks(complaint) in without_blanks(result.output)
    assert not file.exists()
    text = result.output[result.output.index('[Game "Patrizier"]') :]
    assert read_games(text)[0].game().is_over


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--bots", "genius"), "there is no bot 'genius': there are "),
        (("--bots", ","), "name at least one opponent"),
        (("--rules", "chess"), "unknown rule 'chess'"),
        (("--rules", "messenger-at-built-city"), "requires messengers"),
        (("--name", " "), "a name has 1 to 30 printable characters"),
        (("--name", "a\x1bb"), "a name has 1 to 30 printable characters"),
        (("--out", "no/such/folder/x.ptr"), "is not a folder"),
        (("--out", "."), "already exists"),
    ],
)
def test_wrong_options_say_what_is_wrong(arguments: tuple[str, ...], reason: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert reason in result.stderr


def test_bots_have_names_of_their_own() -> None:
    sitting = playing.Sitting(Options(5), 1, "carl", [make_bot("random")] * 4)
    assert sitting.names == ["carl", "Bruno", "Dario", "Elena", "Flora"]
    assert sitting.cast.marks == ("C", "B", "D", "E", "F")


def test_the_own_pile_can_be_looked_through_during_a_turn() -> None:
    shown = run("--players", 2, "--seed", 1, keys="p\n1\n1\n\np\nq\n\n").output
    before, after = shown.split("Your pile")[1:3]
    assert before.split("\n")[1].strip() == "no card yet"
    assert after.startswith(": 1 card, ")


def test_help_has_an_example_and_the_game_explains_itself() -> None:
    assert "patrizier play --players 4 --rules messengers" in " ".join(run("--help").stdout.split())
    shown = run("--players", 2, "--seed", 1, "--rules", "messengers", keys="?\nq\n").output
    assert "How to play" in shown
    assert "Lady, Banker, Knight" in shown
    assert "messenger" in shown
