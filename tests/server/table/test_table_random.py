"""Random commands, good and hostile: a table always equals the fold of its events."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patrizier.server.table import commands as c
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.setup import Colour, Correspondence, NoClock, Realtime, TableSetup
from server.support.table_driver import KEY, NAMES, TableDriver

COLOURS: tuple[Colour, ...] = get_args(Colour)
LEVELS = ("apprentice", "merchant", "banker", "senator", "doge")
Wish = Callable[[TableDriver, str, Random], Command]


@st.composite
def setups(draw: st.DrawFn) -> TableSetup:
    players = draw(st.integers(2, 4))
    with_bots = draw(st.booleans())
    others = [draw(st.sampled_from(("person", *LEVELS))) for _ in range(players - 1)]
    return TableSetup.model_validate(
        {
            "players": players,
            "rules": draw(st.sampled_from(((), ("messengers",), ("messengers", "open-ledger")))),
            "seats": ("person", *others) if with_bots else (),
            "watch": draw(st.sampled_from(("nobody", "everyone", "link"))),
            "memory_help": draw(st.booleans()),
            "pace": draw(
                st.sampled_from((NoClock(), Realtime(base=60), Correspondence(days=1)))
            ).model_dump(),
            "rated": draw(st.booleans()),
        }
    )


# -- what people wish: mostly what makes sense, sometimes with something wrong


def seat_of(driver: TableDriver, person: str, rng: Random) -> int:
    """Return a seat of the person, rarely another one."""
    held = [n for n, seat in enumerate(driver.table.seats) if seat.person == person]
    return rng.choice(held) if held and rng.random() < 0.95 else rng.randrange(5)


def turn_of(driver: TableDriver, rng: Random) -> int:
    return driver.table.turn if rng.random() < 0.95 else rng.randrange(56)


def back_of(driver: TableDriver, rng: Random) -> int:
    return max(0, driver.table.turn - rng.randrange(8))


def play(driver: TableDriver, person: str, rng: Random) -> Command:
    game = driver.table.game
    moves = [move.text for move in game.legal_moves] if game and not game.is_over else []
    move = rng.choice([*moves, "BO1:LL", "nonsense"])
    return c.Play(
        id=driver.id(),
        seat=seat_of(driver, person, rng),
        move=move,
        at_turn=turn_of(driver, rng),
    )


def decide(driver: TableDriver, person: str, rng: Random) -> Command:
    game = driver.table.game
    texts = [game.state.decision_text(code) for code in game.legal_decisions()] if game else []
    return c.Decide(
        id=driver.id(),
        seat=seat_of(driver, person, rng),
        decision=rng.choice([*texts, "@", ">", "+BO", "?"]),
        at_turn=turn_of(driver, rng),
        at_step=driver.table.step if rng.random() < 0.95 else rng.randrange(5),
    )


def join(driver: TableDriver, person: str, rng: Random) -> Command:
    given = f"{rng.randrange(99):064x}" if rng.random() < 0.7 else None
    seat = rng.choice((None, None, rng.randrange(5)))
    hot = rng.random() < 0.3
    colour = rng.choice((None, *COLOURS)) if rng.random() < 0.3 else None
    return c.Join(
        id=driver.id(),
        seat=seat,
        contribution=given,
        hot_seat=hot,
        name="Ben\u200b",
        colour=colour,
    )


def contribute(driver: TableDriver, person: str, rng: Random) -> Command:
    seat = seat_of(driver, person, rng)
    return c.Contribute(id=driver.id(), seat=seat, contribution=f"{rng.randrange(99):064x}")


def undo(driver: TableDriver, person: str, rng: Random) -> Command:
    seat, asked = seat_of(driver, person, rng), driver.table.undo
    if asked and rng.random() < 0.8:
        yes = rng.random() < 0.7
        return c.AnswerUndo(id=driver.id(), seat=seat, to_turn=asked.to_turn, yes=yes)
    kind = rng.choice((c.AskUndo, c.TakeBack))
    back, now = back_of(driver, rng), turn_of(driver, rng)
    return kind(id=driver.id(), seat=seat, to_turn=back, at_turn=now)


def mute(driver: TableDriver, person: str, rng: Random) -> Command:
    who = rng.choice([seat.who for seat in driver.told(person).seats]) or "nobody"
    return c.Mute(id=driver.id(), who=who, on=rng.random() < 0.7)


def simple(kind: Any, **fields: Any) -> Wish:
    def wish(driver: TableDriver, person: str, rng: Random) -> Command:
        chosen = {name: value(driver, person, rng) for name, value in fields.items()}
        command: Command = kind(id=driver.id(), **chosen)
        return command

    return wish


def level_of(driver: TableDriver, person: str, rng: Random) -> str:
    return rng.choice(LEVELS)


def words_of(driver: TableDriver, person: str, rng: Random) -> str:
    return rng.choice(("Ciao", "  \n ", "\u202eolleh", "x" * 300))


def colour_of(driver: TableDriver, person: str, rng: Random) -> str:
    return rng.choice(COLOURS)


def any_seat(driver: TableDriver, person: str, rng: Random) -> int:
    return rng.randrange(5)


GATHERING: list[Wish] = [
    *[join, contribute] * 4,
    simple(c.ChooseColour, seat=seat_of, colour=colour_of),
    simple(c.Leave),
    simple(c.Leave, seat=seat_of),
    simple(c.SeatBot, seat=any_seat, level=level_of),
    simple(c.FillWithBots, level=level_of),
    simple(c.Unseat, seat=any_seat),
    simple(c.Start),
]
GOING_ON: list[Wish] = [
    *[play, decide] * 4,
    *[undo] * 3,
    simple(c.Resign, seat=seat_of),
    *[simple(c.TakeOver, seat=seat_of)] * 3,
]
ALWAYS: list[Wish] = [
    simple(c.Say, text=words_of),
    mute,
    simple(c.OfferRematch),
    simple(c.Close),
]


# -- what happens


def somebody_acts(driver: TableDriver, rng: Random) -> None:
    """Try a command: a refused one changes nothing, an accepted one is idempotent."""
    table = driver.table
    expected = {"open": GATHERING, "playing": GOING_ON}.get(table.phase, ALWAYS)
    wishes = rng.choices((expected, ALWAYS, GATHERING + GOING_ON), (16, 2, 2))[0]
    person = rng.choice(list(NAMES))
    if table.to_move is not None and rng.random() < 0.5:
        person = table.seats[table.to_move].person or person
    command = rng.choice(wishes)(driver, person, rng)
    before, count = table.copy(), len(driver.stored)
    try:
        events = driver.do(person, command, rng.choice((KEY, "")))
    except Refused:
        assert table == before
        assert len(driver.stored) == count
        return
    if events:
        assert driver.do(person, command) == []


def a_bot_moves(driver: TableDriver, rng: Random) -> None:
    for _ in range(rng.randrange(1, 6)):
        if driver.table.bot_to_move():
            driver.play(rng=rng)


def turns_are_played(driver: TableDriver, rng: Random) -> None:
    if driver.table.phase == "playing":
        try:
            driver.play_turns(rng.randrange(1, 20), rng.randrange(99))
        except Refused:
            assert driver.now > (driver.table.deadline() or 0)  # too late, and nothing else


def time_passes(driver: TableDriver, rng: Random) -> None:
    here = [person for person in NAMES if rng.random() < 0.5]
    seconds = rng.choice((1.0, 20.0, 1000.0, 100_000.0))
    driver.pass_time(seconds, *here)
    due = driver.table.due(driver.now)
    if due is not None and rng.random() < 0.5:
        driver.pass_time(max(0.0, due - driver.now), *here)


def the_server_acts(driver: TableDriver, rng: Random) -> None:
    table, person = driver.table, rng.choice(list(NAMES))
    chance = rng.random()
    if chance < 0.2:
        driver.store(table.erase_events(person))
    elif chance < 0.5:
        driver.store(table.rename_events(person, f"{person} {rng.randrange(9)}"))
    elif chance < 0.8:
        driver.store(table.credit_events(rng.random() * 100))
    else:
        table.rest()
    if table.wants_rematch:
        driver.store(table.rematch_events("next-0123456789abcdef", rng))


HAPPENINGS = [somebody_acts, a_bot_moves, turns_are_played, time_passes, the_server_acts]
WEIGHTS = [30, 4, 2, 3, 1]


def check(driver: TableDriver) -> None:
    """Compare the table with one loaded from its stored events."""
    again = driver.reloaded()
    assert again == driver.table
    for person in (*NAMES, None):
        told = driver.told(person, key=KEY).model_dump_json()
        driver.table, kept = again, driver.table
        assert driver.told(person, key=KEY).model_dump_json() == told
        driver.table = kept


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(setups(), st.lists(st.integers(0, 2**20), min_size=30, max_size=80))
def test_a_table_is_what_its_events_tell(setup: TableSetup, dice: list[int]) -> None:
    driver = TableDriver(setup)
    for number in dice:
        rng, count = Random(number), len(driver.stored)
        rng.choices(HAPPENINGS, WEIGHTS)[0](driver, rng)
        if len(driver.stored) > count:
            assert driver.reloaded() == driver.table
    check(driver)


def test_random_tables_come_far() -> None:
    """The random commands cover everything: games are played, end, and all events occur."""
    seen: set[str] = set()
    codes: set[str] = set()
    for seed in range(60):
        rng = Random(seed)
        setup = TableSetup.model_validate(
            {
                "players": rng.choice((2, 3)),
                "rules": rng.choice(((), ("messengers",))),
                "pace": rng.choice(({"kind": "none"}, {"kind": "realtime", "base": 60})),
            }
        )
        driver = TableDriver(setup)
        for _ in range(120):
            rng.choices(HAPPENINGS, WEIGHTS)[0](driver, rng)
        seen |= {type(stored.event).__name__ for stored in driver.stored}
        codes.add(driver.table.phase)
        check(driver)
    assert codes >= {"playing", "finished"}
    assert seen >= {
        "Joined", "ColourChosen", "Left", "BotSeated", "Contributed", "Started", "TurnPlayed",
        "Decided", "Flagged", "StandIn", "TookOver", "Resigned", "Said", "Muted", "Renamed",
        "PersonErased", "Finished", "RematchOffered", "Credited", "Undone", "UndoAsked",
    }  # fmt: skip
