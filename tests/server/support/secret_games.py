"""Plays games of all kinds and checks that clients receive no secrets."""

from dataclasses import dataclass
from random import Random

from patrizier import Deal
from patrizier.server.table.setup import TableSetup
from server.support.twin_servers import Run, Scenario, Twins, compare, play_scenario

SETUPS = (
    {"players": 2},
    {"players": 3, "rules": ("messengers",)},
    {"players": 4, "rules": ("messengers", "messenger-at-built-city"), "memory_help": True},
    {"players": 2, "rules": ("open-ledger",), "pace": {"kind": "realtime", "base": 600}},
    {"players": 4, "rules": ("messengers", "open-tokens")},
    {"players": 5, "memory_help": True, "public": True},
    {"players": 3, "pace": {"kind": "correspondence", "days": 3}, "rated": True},
)


@dataclass
class Findings:
    """How much was compared."""

    received: int = 0  # messages and responses to the client
    size: int = 0  # characters of these
    compared: int = 0  # steps that were equal with other secrets
    other_deals: int = 0


def play_and_compare(twins: Twins, number: int, rng: Random) -> Findings:
    """Play a game, search what the client received for secrets, and replay it with others."""
    scenario = a_scenario(number, rng)
    with Run(twins.one, twins.dealer, scenario, scenario.deal, rng) as run:
        play_scenario(run, scenario, rng)
    findings = Findings()
    findings.received = sum(len(note) for note in run.notes)
    findings.size = sum(len(text) for note in run.notes for text in note)
    look_for_secrets(run, scenario)
    for server in twins.others:
        cut = rng.randrange(1 + 3 * len(scenario.steps) // 4)
        findings.other_deals += compare(twins, server, scenario, run.notes, cut, rng)
        findings.compared += cut + 1
    return findings


def a_scenario(number: int, rng: Random) -> Scenario:
    """Return a game of one of the kinds, without steps yet."""
    setup = TableSetup.model_validate(SETUPS[number % len(SETUPS)])
    deal = Deal.random(setup.options, rng.getrandbits(64))
    viewer = rng.choice([*range(setup.players), None])
    return Scenario(f"game-{number}", setup, deal, viewer)


def look_for_secrets(run: Run, scenario: Scenario) -> None:
    """Check that nothing secret was received before the game was over."""
    received = ["".join(note) for note in run.notes]
    before, after = "".join(received[:-4]), "".join(received)
    given = [text for seat, text in enumerate(run.contributions) if seat != scenario.viewer]
    for secret in (run.secret.hex(), str(scenario.deal), *given):
        assert secret not in before
    assert run.secret.hex() in after
    for person in scenario.people:
        assert person not in after
