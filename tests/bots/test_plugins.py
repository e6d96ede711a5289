"""Bots from elsewhere: registered by packages, or named by their path."""

import importlib
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from patrizier import Options
from patrizier.arena.executors import on_this_machine
from patrizier.arena.match import MatchResult, Observer
from patrizier.arena.schedule import Plan
from patrizier.arena.tournament import run
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.registry import BotInfo, bot_names, list_bots, make_bot

BOTS = """
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget

class First(Bot):
    name = "first"
    about = "Plays the first turn."

    def choose(self, view, rng):
        return view.legal[0]

class Thinker(First):
    def __init__(self, budget=None):
        self.budget = budget

class Nameless(Bot):
    about = "Has no name."
    choose = First.choose

class Silent(Bot):
    name = "silent"
    choose = First.choose

class Unfinished(Bot):
    name = "unfinished"
    about = "Cannot choose."

class Clumsy(First):
    def __init__(self):
        raise RuntimeError("fell over\\nits feet")

class Stranger:
    pass

def make_thinker():
    return Thinker(Budget(iterations=7))

def make_text():
    return "a bot, honestly"

number = 5
"""

Install = Callable[..., str]
_numbers = count()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs a package as pip would; it returns the module's name."""
    monkeypatch.setattr(sys, "path", sys.path.copy())

    def make(source: str = BOTS, package: str = "some-bots", **entries: str) -> str:
        module = f"foreign_{next(_numbers)}"  # nobody has imported it before
        site = tmp_path / module
        info = site / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{module}.py").write_text(source, "utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value.format(module=module)}" for name, value in entries.items()]
        (info / "entry_points.txt").write_text("\n".join(["[patrizier.bots]", *lines]))
        sys.path.insert(0, str(site))
        importlib.invalidate_caches()
        return module

    return make


def infos(package: str = "some-bots") -> list[BotInfo]:
    return [info for info in list_bots() if info.package == package]


# -- packages


def test_names_follow_our_own_and_nothing_is_imported(install: Install) -> None:
    own = bot_names()
    module = install(second="{module}:First", another="nowhere:Bot")
    assert bot_names() == (*own, "another", "second")
    with pytest.raises(ValueError, match=r"there are random, .*, another, second$"):
        make_bot("nobody")
    make_bot("greedy")
    assert module not in sys.modules


def test_a_class_or_a_function_makes_the_bot(install: Install) -> None:
    module = install(one="{module}:First", seven="{module}:make_thinker")
    bot = make_bot("one")
    assert type(bot).__module__ == module
    assert make_bot("one") is not bot
    assert make_bot("seven").budget == Budget(iterations=7)  # type: ignore[attr-defined]
    assert infos() == [
        BotInfo("one", "Plays the first turn.", False, "some-bots"),
        BotInfo("seven", "Plays the first turn.", False, "some-bots"),
    ]


def test_a_budget_stands_behind_the_name(install: Install) -> None:
    install(thinker="{module}:Thinker", first="{module}:First")
    assert make_bot("thinker").budget is None  # type: ignore[attr-defined]
    assert make_bot("thinker:100ms").budget == Budget(seconds=0.1)  # type: ignore[attr-defined]
    assert [(info.name, info.takes_budget) for info in infos()] == [
        ("first", False),
        ("thinker", True),
    ]
    with pytest.raises(ValueError, match="the bot first takes no budget"):
        make_bot("first:100ms")
    with pytest.raises(ValueError, match="'soon' is not a budget"):
        make_bot("thinker:soon")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nowhere_at_all:Bot", "cannot be imported: ModuleNotFoundError: No module named 'nowhere"),
        ("{module}:Missing", "cannot be imported: AttributeError"),
        ("{module}:", "cannot be imported"),
        ("{module}:Stranger", "is a class, but not a Bot"),
        ("{module}:number", "is neither a Bot nor a function that makes one"),
        ("{module}:make_text", "returned a str"),
        ("{module}:Unfinished", "cannot be made: TypeError: Can't instantiate abstract class"),
        ("{module}:Clumsy", "cannot be made: RuntimeError: fell over its feet"),
        ("{module}:Nameless", "has no name: add one to Nameless"),
        ("{module}:Silent", "has no about: add one to Silent"),
    ],
)
def test_a_broken_bot_says_why_and_disturbs_nobody(
    install: Install, value: str, reason: str
) -> None:
    before = list_bots()
    install(good="{module}:First", bad=value)
    assert bot_names()[-2:] == ("bad", "good")
    with pytest.raises(ValueError, match=r"bad|foreign|nowhere") as caught:
        make_bot("bad")
    assert reason in str(caught.value)
    bad, good = infos()
    assert (bad.name, bad.broken, bad.about) == ("bad", str(caught.value), "")
    assert (good.name, good.broken) == ("good", None)
    assert list_bots()[: len(before)] == before
    assert make_bot("good").name == "first"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('no\\x1b[31m licence')", "RuntimeError: no [31m licence"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def", "SyntaxError: invalid syntax"),
        (f"raise ValueError('{'x' * 1000}')", "xxx…"),
    ],
)
def test_a_module_that_fails_is_no_catastrophe(install: Install, source: str, reason: str) -> None:
    install(source, bad="{module}:Bot")
    with pytest.raises(ValueError, match="cannot be imported") as caught:
        make_bot("bad")
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 300


def test_our_own_names_are_taken(install: Install) -> None:
    names = bot_names()
    install(greedy="{module}:First")
    assert bot_names() == names
    assert isinstance(make_bot("greedy"), GreedyBot)
    (info,) = infos()
    assert info.broken == "some-bots cannot have a bot named greedy: patrizier has one"


def test_two_packages_cannot_share_a_name(install: Install) -> None:
    install(package="some-bots", twin="{module}:First")
    install(package="other-bots", twin="{module}:First", single="{module}:First")
    assert bot_names()[-2:] == ("single", "twin")
    with pytest.raises(ValueError, match=r"^other-bots and some-bots have a bot named twin each"):
        make_bot("twin")
    assert [(info.package, bool(info.broken)) for info in list_bots() if info.name == "twin"] == [
        ("other-bots", True),
        ("some-bots", True),
    ]
    assert make_bot("single").name == "first"


@pytest.mark.parametrize("name", ["a.b", "a:b", "a b", "a,b"])
def test_names_that_could_be_something_else(install: Install, name: str) -> None:
    install(**{name: "{module}:First"})
    assert name not in bot_names()
    (info,) = infos()
    assert info.name == name
    assert info.broken == (
        f"some-bots names a bot {name!r}: only letters, digits, - and _ make a name"
    )


# -- paths


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to work in, which Python does not know yet."""
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, source: str = BOTS) -> str:
    module = f"student_{next(_numbers)}"
    (folder / f"{module}.py").write_text(source, "utf-8")
    return module


def test_a_class_in_this_folder_plays_under_its_path(folder: Path) -> None:
    module = write(folder)
    known = sys.path.copy()
    assert make_bot(f"{module}.First").name == "first"
    bot = make_bot(f"{module}.Thinker:1.5s")
    assert bot.budget == Budget(seconds=1.5)  # type: ignore[attr-defined]
    assert sys.path == [*known, str(folder)]  # at the end: it hides nothing
    assert f"{module}.First" not in bot_names()


def test_a_class_in_a_package_plays_under_its_path(folder: Path) -> None:
    package = f"package_{next(_numbers)}"
    (folder / package / "inner").mkdir(parents=True)
    module = write(folder / package / "inner")
    assert make_bot(f"{package}.inner.{module}.First").name == "first"
    assert make_bot("patrizier.bots.greedy.GreedyBot").name == "greedy"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("no_such_module.Bot", "no module no_such_module is here or installed"),
        ("{module}.sub.Bot", "no module {module}.sub is here or installed"),
        ("{module}.py", "there is no py in .*{module}.py"),
        ("{module}.Missing", "there is no Missing in .*{module}.py"),
        ("{module}.Stranger", "is not a bot: it does not derive from Bot"),
        ("{module}.make_thinker", "is not a bot"),
        ("os.abort", "os.abort is not a bot"),  # it must not be called
        ("{module}.Unfinished", "cannot be made: TypeError"),
        ("{module}.First:5", "takes no budget"),
    ],
)
def test_paths_that_lead_nowhere(folder: Path, path: str, reason: str) -> None:
    module = write(folder)
    with pytest.raises(ValueError, match=reason.format(module=module)):
        make_bot(path.format(module=module))


@pytest.mark.parametrize("source", ["import no_such_module", "def", "exit()", "1 / 0"])
def test_a_file_that_cannot_be_imported_says_why(folder: Path, source: str) -> None:
    module = write(folder, source)
    with pytest.raises(ValueError, match=f"^{module} cannot be imported: [A-Z]"):
        make_bot(f"{module}.First")


# -- the arena


class Records(Observer):
    """Keeps the records of a tournament."""

    def __init__(self) -> None:
        self.records: list[str] = []

    def on_end(self, result: MatchResult) -> None:
        assert not result.incidents
        self.records.append(result.record)


def test_bots_from_elsewhere_play_in_other_processes(install: Install, folder: Path) -> None:
    install(thinker="{module}:Thinker")
    entrants = ["thinker:5", f"{write(folder)}.First", "random"]
    plan = Plan.of(entrants, Options(players=3), games=6, seed=2)
    played = [Records(), Records()]
    for jobs, records in enumerate(played, 1):
        run(plan, executor=on_this_machine(jobs), observers=[records])
    assert len(played[0].records) == plan.games == 6
    assert played[0].records == played[1].records
