"""A person's turn at the terminal, chosen step by step, with undo.

Choices are made on a copy of the game. The new face-up card is revealed only after everything
before it is confirmed.
"""

from dataclasses import dataclass

from rich.text import Text

from patrizier.cli.terminal.drawing.cast import QUIET, Cast
from patrizier.cli.terminal.drawing.city import fit, tokens_now
from patrizier.cli.terminal.prospects import gain_text, prospects_text
from patrizier.cli.terminal.questions import Asker, Choice
from patrizier.cli.terminal.sentences import sentence
from patrizier.cli.terminal.words import card_text, city_name
from patrizier.game import Game
from patrizier.prospects import prospects
from patrizier.record import Record
from patrizier.view import CityView

_SITES = {
    "L": "on the left tower",
    "R": "on the right tower",
    "LL": "both on the left tower",
    "LR": "one on each tower",
    "RR": "both on the right tower",
}


@dataclass(frozen=True)
class _Step:
    """A step of the turn: a card chosen from hand, or a decision of the rules."""

    value: str | int
    asked: bool = True  # whether there was a choice


class TurnMaker:
    """Leads a person through one turn."""

    def __init__(self, game: Game, cast: Cast, asker: Asker) -> None:
        """Make turns in this game for the seat ``cast.you``."""
        assert cast.you is not None
        self.game = game
        self.cast = cast
        self.asker = asker
        self.seat = cast.you

    def take_turn(self) -> None:
        """Ask for a whole turn and play it."""
        if self.game.phase == "build":
            self.before_the_refill()
        if self.game.phase == "messenger" and self.game.seat == self.seat:
            self.after_the_refill()

    def before_the_refill(self) -> None:
        """Choose card, sites, special action and draw; play them when confirmed."""
        turn, steps = self.game.turn, list[_Step]()
        while True:
            trial = self._trial(steps)
            if trial.turn == turn and trial.phase != "messenger":
                step = self._next_step(trial, steps)
                if step is not None:
                    steps.append(step)
                    continue
            elif self._confirmed(trial):
                break
            if not _take_back(steps):
                self.asker.say("Nothing to take back: this is the start of your turn.")
        for step in steps:
            if isinstance(step.value, int):
                self.game.decide(step.value)

    def _trial(self, steps: list[_Step]) -> Game:
        trial = self.game.copy()
        for step in steps:
            if isinstance(step.value, int):
                trial.decide(step.value)
        return trial

    def _confirmed(self, trial: Game) -> bool:
        """Show the chosen turn, without what it will reveal, and ask for confirmation."""
        pending = trial.view(self.seat).pending
        record: Record = pending or trial.records[-1]
        self.asker.console.print()
        self.asker.say(sentence(record, self.cast, self.game.options.deck))
        if pending is None:
            return self.asker.confirm("End turn?")
        self.asker.say("Next, the new card is turned up; then you may lay a messenger.")
        return self.asker.confirm("Go on?")

    def _next_step(self, trial: Game, steps: list[_Step]) -> _Step | None:
        """Ask for the next step; None if the person wants to go back."""
        if not steps:
            return self._choose_card()
        if trial.phase == "build":
            return self._choose_sites(str(steps[0].value))
        code = self._choose_move(trial) if trial.phase == "move" else self._choose_draw(trial)
        return None if code is None else _Step(code)

    def _choose_card(self) -> _Step | None:
        hand = self.game.view(self.seat).seats[self.seat].hand
        if len(hand) == 1:
            self.asker.say(f"\nYour last card: {card_text(hand[0], self.game.options.deck)}.")
            return _Step(hand[0], asked=False)
        choices = [Choice(card, card, word=card) for card in hand]
        card = self.asker.choose("Which card do you play?", choices, listed=False)
        return None if card is None else _Step(card)

    def _choose_sites(self, card: str) -> _Step | None:
        choices: list[Choice[int]] = []
        found = prospects(self.game.view(self.seat))
        for code, text in _decisions(self.game):
            played, _, sites = text.partition(":")
            if played == card:
                after = self._city_after(self.game, code, card[:2])
                note = Text.assemble(
                    _promise(after, self.cast), "  ", prospects_text(text, found, self.cast)
                )
                choices.append(Choice(code, _SITES[sites], sites, note))
        city = city_name(card)
        if card in found.gains:
            self.asker.say(f"\n{gain_text(found.gains[card])}")
        if len(choices) == 1:
            self.asker.say(f"\nIn {city} you can only build {choices[0].text}.")
            return _Step(choices[0].value, asked=False)
        chosen = self.asker.choose(f"Where in {city} do you build?", choices)
        return None if chosen is None else _Step(chosen)

    def _choose_move(self, trial: Game) -> int | None:
        choices: list[Choice[int]] = []
        view = trial.view(self.seat)
        cities, found = {city.code: city for city in view.cities}, prospects(view)
        for code, text in _decisions(trial):
            tower = text[1:]
            if not tower:
                choices.append(Choice(code, "move nothing"))
                continue
            city, left = cities[tower[:2]], tower.endswith("L")
            owner = (city.left if left else city.right)[-1]
            whose = "your" if owner == self.seat else f"{self.cast.names[owner]}'s"
            way = "left to right" if left else "right to left"
            after = self._city_after(trial, code, city.code)
            note = Text.assemble(
                _promise(after, self.cast), "  ", prospects_text(text, found, self.cast)
            )
            choices.append(Choice(code, f"{city.name}: {whose} top floor, {way}", tower, note))
        return self.asker.choose("Do you move a floor?", choices, first=0)

    def _choose_draw(self, trial: Game) -> int | None:
        deck = self.game.options.deck
        choices = []
        lying = {city.code: city.card for city in trial.view(self.seat).cities}
        for code, text in _decisions(trial):
            city = text[1:]
            card = card_text(lying[city] or "", deck)
            choices.append(Choice(code, card, city, Text(f"from {city_name(city)}", QUIET)))
        return self.asker.choose("Which card do you take?", choices)

    def after_the_refill(self) -> None:
        """Show the new card, then choose and confirm the messenger."""
        view = self.game.view(self.seat)
        assert view.pending is not None
        if view.pending.refill:
            at = city_name(view.pending.move.draw or view.pending.move.card)
            new = card_text(view.pending.refill, self.game.options.deck)
            self.asker.say(f"\nThe new card at {at}: {new}.")
        cities, found = {city.code: city for city in view.cities}, prospects(view)
        choices: list[Choice[int]] = []
        for code, text in _decisions(self.game):
            pair = text[1:].split("-")
            if len(pair) == 1:
                none = Text("no messenger")
                choices.append(Choice(code, none, note=prospects_text(text, found, self.cast)))
                continue
            glances = [_at_a_glance(cities[city], self.cast) for city in pair]
            note = Text("  ").join([*glances, prospects_text(text, found, self.cast)])
            name = Text(" and ".join(city_name(city) for city in pair))
            choices.append(Choice(code, name, text[1:], note))
        while True:
            chosen = self.asker.choose("Where do you lay a messenger?", choices, first=0)
            if chosen is None:
                self.asker.say("Only the messenger can still be changed.")
                continue
            where = next(choice.text for choice in choices if choice.value == chosen)
            self.asker.say(f"\nMessenger: {where}.")
            if self.asker.confirm("End turn?"):
                self.game.decide(chosen)
                return

    def _city_after(self, game: Game, code: int, city: str) -> CityView:
        """Return a city as it would be after a decision, which reveals nothing else."""
        after = game.state.apply(code).view(None)
        return next(each for each in after.cities if each.code == city)


def _decisions(game: Game) -> list[tuple[int, str]]:
    """Return the legal decisions with their texts."""
    state = game.state
    return [(code, state.decision_text(code)) for code in game.legal_decisions()]


def _take_back(steps: list[_Step]) -> bool:
    """Take back the last real choice, and the forced steps after it."""
    chosen = [number for number, step in enumerate(steps) if step.asked]
    del steps[chosen[-1] if chosen else 0 :]
    return bool(chosen)


def _promise(city: CityView, cast: Cast) -> Text:
    left, right = tokens_now(city, cast)
    return Text.assemble(("then ", QUIET), fit(left, 7), right)


def _at_a_glance(city: CityView, cast: Cast) -> Text:
    left, right = tokens_now(city, cast)
    built = len(city.left) + len(city.right)
    name = Text(f"{city.name} {built}/{city.capacity}", QUIET)
    return Text.assemble(fit(name, 12), fit(left, 6), fit(right, 6))
