"""`patrizier sprt`: is one bot stronger than another? Plays until that is decided."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from patrizier.cli.arguments.executor import (
    Jobs,
    On,
    ScaleTime,
    read_executor,
    say_what_is_lost,
)
from patrizier.cli.arguments.options import DeckFile, Json, Players, Rules, fail, read_options

if TYPE_CHECKING:
    from patrizier.arena.executors import Executor
    from patrizier.arena.schedule import Plan
    from patrizier.arena.sequential import LuckOf, SequentialTest

STRONGER, NOT_STRONGER, UNDECIDED, INTERRUPTED = 0, 1, 3, 130  # exit statuses


def sprt(
    context: typer.Context,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that may be stronger.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot it is compared with.")],
    elo0: Annotated[float, typer.Option(help="Elo difference that counts as not stronger.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="Elo difference that counts as stronger.")] = 10.0,
    alpha: Annotated[float, typer.Option(help="Probability of a false positive.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of a false negative.")] = 0.05,
    players: Players = 2,
    games: Annotated[
        int,
        typer.Option("--games", "-n", min=1, help="Stop undecided after this many games."),
    ] = 1_000_000,
    rules: Rules = "",
    deck: DeckFile = "",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    limit: Annotated[
        float | None,
        typer.Option(min=0.001, metavar="SECONDS", help="Time limit per answer of a bot."),
    ] = None,
    jobs: Jobs = None,
    on: On = "here",
    scale_time: ScaleTime = False,
    luck_adjusted: Annotated[
        bool, typer.Option("--luck-adjusted", help="Test results less the luck of the cards.")
    ] = False,
    journal: Annotated[
        str,
        typer.Option(metavar="FILE", help="Log every game here; an existing journal is resumed."),
    ] = "",
    json: Json = False,
) -> None:
    """Play two bots against each other until it is clear whether the first is stronger.

    A sequential test with the deal as one observation. With more than two players, one NEW plays
    among copies of OLD. Exits with 0 if NEW is stronger, 1 if not, 3 if the games did not suffice.

    Example: `patrizier sprt mcts:800 mcts:400 --elo1 20 --jobs 2`
    """
    plan, test = _prepare(
        new,
        old,
        (elo0, elo1, alpha, beta),
        games,
        seed,
        limit,
        read_options(players, rules, deck),
        luck_adjusted=luck_adjusted,
    )
    executor = read_executor(context, on, jobs)
    interrupted = _play(plan, test, executor, journal, scale_time=scale_time, quiet=json)
    _show(test, as_json=json)
    say_what_is_lost(executor)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if test.verdict is None:
        raise typer.Exit(UNDECIDED)
    raise typer.Exit(STRONGER if test.verdict == "stronger" else NOT_STRONGER)


def _prepare(
    new: str,
    old: str,
    figures: tuple[float, float, float, float],
    games: int,
    seed: int,
    limit: float | None,
    options: Any,
    *,
    luck_adjusted: bool,
) -> "tuple[Plan, SequentialTest]":
    from patrizier.arena.schedule import Plan
    from patrizier.arena.sequential import Hypotheses, SequentialTest
    from patrizier.bots.registry import make_bot

    try:
        test = SequentialTest(options.players, Hypotheses(*figures), luck_adjusted=luck_adjusted)
        for bot in (new, old):
            make_bot(bot)
        plan = Plan.of(
            (new, old), options, games=games, seed=seed, mode="first-among", limit_seconds=limit
        )
    except ValueError as error:
        fail(str(error))
    return plan, test


def _play(
    plan: "Plan",
    test: "SequentialTest",
    executor: "Executor",
    journal: str,
    *,
    scale_time: bool,
    quiet: bool,
) -> bool:
    """Play until the verdict; return whether the run was interrupted."""
    from contextlib import closing

    from patrizier.arena.executors import ExecutorError
    from patrizier.arena.journal import JournalError
    from patrizier.arena.sequential import DealShares
    from patrizier.arena.tournament import all_games
    from patrizier.cli.terminal.results.sequential_live import LiveTest

    deals = DealShares(
        plan.entrants[0], plan.games_per_deal, _luck() if test.luck_adjusted else None
    )
    try:
        with (
            LiveTest(test, executor, quiet=quiet) as live,
            closing(
                all_games(plan, executor=executor, journal=journal or None, scale_time=scale_time)
            ) as results,
        ):
            for result in results:
                share = deals.add(result)
                if share is not None:
                    test.add(share)
                    live.show()
                if test.verdict is not None:
                    break
    except KeyboardInterrupt:
        return True
    except (JournalError, ExecutorError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or journal}: {error.strerror}")
    return False


def _luck() -> "LuckOf":
    from patrizier.arena.luck import luck_of

    return luck_of


def _show(test: "SequentialTest", *, as_json: bool) -> None:
    if as_json:
        import json

        typer.echo(json.dumps(test.to_json()))
        return
    from patrizier.cli.terminal.results.sequential_live import report_text

    typer.echo(report_text(test))
