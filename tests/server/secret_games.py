"""Games of all kinds, played to see that nobody is told secrets."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from patrizier import Deal
from patrizier.server.table.setup import TableSetup
from server.serving import Serving
from server.worlds import Fate, Story, World, compare, tell_story

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

    received: int = 0  # messages and answers that the client got
    size: int = 0  # characters of these
    compared: int = 0  # steps that were the same in another world
    other_worlds: int = 0


def play_and_compare(
    fate: Fate, one: Serving, others: Sequence[Serving], number: int, rng: Random
) -> Findings:
    """Play a game, look for secrets in what the client got, and replay it in other worlds."""
    setup = TableSetup.model_validate(SETUPS[number % len(SETUPS)])
    deal = Deal.random(setup.options, rng.getrandbits(64))
    viewer = rng.choice([*range(setup.players), None])
    story = Story(f"game-{number}", setup, deal, viewer)
    with World(one, fate, story, deal, rng) as world:
        tell_story(world, story, rng)
    findings = Findings()
    findings.received = sum(len(note) for note in world.notes)
    findings.size = sum(len(text) for note in world.notes for text in note)
    look_for_secrets(world, story)
    for server in others:
        cut = rng.randrange(1 + 3 * len(story.steps) // 4)
        findings.other_worlds += compare(fate, server, story, world.notes, cut, rng)
        findings.compared += cut + 1
    return findings


def look_for_secrets(world: World, story: Story) -> None:
    """See that nothing secret stands in what was received, before the game was over."""
    received = ["".join(note) for note in world.notes]
    before, after = "".join(received[:-4]), "".join(received)
    given = [text for seat, text in enumerate(world.contributions) if seat != story.viewer]
    for secret in (world.secret.hex(), str(story.deal), *given):
        assert secret not in before
    assert world.secret.hex() in after
    for person in story.people:
        assert person not in after
