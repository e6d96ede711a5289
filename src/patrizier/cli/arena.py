"""`patrizier arena`: bots play each other; results with confidence intervals."""

import shlex
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
    from patrizier.arena.luck import LuckTally
    from patrizier.arena.match import MatchResult
    from patrizier.arena.schedule import Plan
    from patrizier.arena.standings import Standings

_INTERRUPTED = 130  # conventional exit status after Ctrl-C


def arena(
    context: typer.Context,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...", help="Bots, as in `patrizier bots`.")
    ],
    players: Players = 2,
    games: Annotated[
        int,
        typer.Option("--games", "-n", min=1, help="Games per line-up, rounded up to whole deals."),
    ] = 100,
    rules: Rules = "",
    deck: DeckFile = "",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    mode: Annotated[
        str,
        typer.Option(
            help="Line-ups: all (combinations), one-among (one copy of a bot among copies of "
            "another), first-among (the same for the first bot only), auto (one-among for two bots "
            "and more than two players, otherwise all)."
        ),
    ] = "auto",
    limit: Annotated[
        float | None,
        typer.Option(min=0.001, metavar="SECONDS", help="Time limit per answer of a bot."),
    ] = None,
    jobs: Jobs = None,
    on: On = "here",
    scale_time: ScaleTime = False,
    out: Annotated[str, typer.Option(metavar="FILE", help="Write the game records.")] = "",
    report: Annotated[str, typer.Option(metavar="FILE", help="Write an HTML report.")] = "",
    journal: Annotated[
        str,
        typer.Option(metavar="FILE", help="Log every game here; an existing journal is resumed."),
    ] = "",
    luck_adjusted: Annotated[
        bool,
        typer.Option(
            "--luck-adjusted", help="Also show results less the luck of the cards turned up."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Let bots play each other and rate them.

    Every deal is played by every line-up in all rotations, so that the luck of the cards cancels
    out. With `--journal` an interrupted run can be resumed, and a finished one extended, also on
    another machine.

    Example: `patrizier arena greedy mcts:100ms --games 2000 --seed 1 --jobs 2 --report arena.html`
    """
    plan = _plan(bots, games, seed, mode, limit, read_options(players, rules, deck))
    command = _command(plan, games, deck)
    _check_ready(report)
    executor = read_executor(context, on, jobs)
    luck = _luck_tally(plan) if luck_adjusted else None
    results, stopped = _play(plan, executor, journal, out, luck, scale_time=scale_time, quiet=json)
    if results:
        from patrizier.arena.standings import standings

        tables = standings(plan.entrants, results)
        if report:
            _write_report(report, plan, tables, command, executor)
        _show(plan, tables, luck, as_json=json)
    say_what_is_lost(executor)
    if stopped:
        _say_how_to_go_on(len(results), plan.games, journal)
        raise typer.Exit(_INTERRUPTED)
    for file, what in ((out, "records are"), (report, "report is")):
        if file:
            typer.echo(f"The {what} in {file}.", err=json)


def _plan(
    bots: list[str], games: int, seed: int, mode: str, limit: float | None, options: Any
) -> "Plan":
    from patrizier.arena.schedule import Plan
    from patrizier.bots.registry import make_bot

    try:
        for bot in bots:
            make_bot(bot)
        return Plan.of(bots, options, games=games, seed=seed, mode=mode, limit_seconds=limit)
    except ValueError as error:
        fail(str(error))


def _command(plan: "Plan", games: int, deck: str) -> str:
    """Return the command that reproduces these games."""
    options = plan.options
    words = ["patrizier", "arena", *plan.entrants, "--players", str(options.players)]
    words += ["--games", str(games), "--seed", str(plan.seed)]
    words += ["--rules", options.rules_text] if options.rules else []
    words += ["--deck", deck] if deck else []
    words += ["--mode", plan.mode] if plan.mode != "auto" else []
    words += ["--limit", f"{plan.limit_seconds:g}"] if plan.limit_seconds else []
    return shlex.join(words)


def _check_ready(report: str) -> None:
    """Fail before the games rather than after them."""
    from patrizier.arena.extras import MissingExtra, load
    from patrizier.cli.files.report_file import check_folder

    try:
        for library in ("matplotlib", "jinja2") if report else ():
            load(library)
    except MissingExtra as error:
        fail(str(error))
    if report:
        check_folder(report)


def _luck_tally(plan: "Plan") -> "LuckTally":
    from patrizier.arena.luck import LuckTally

    return LuckTally(plan.entrants)


def _play(
    plan: "Plan",
    executor: "Executor",
    journal: str,
    out: str,
    luck: "LuckTally | None",
    *,
    scale_time: bool,
    quiet: bool,
) -> "tuple[list[MatchResult], bool]":
    """Play; return the results, and whether the run was interrupted."""
    from patrizier.arena.executors import ExecutorError
    from patrizier.arena.journal import JournalError
    from patrizier.arena.tournament import run
    from patrizier.cli.terminal.results.tournament_live import Keeper, LiveTable, RecordFile

    keeper = Keeper()
    stopped = False
    try:
        with RecordFile(out) as records, LiveTable(plan, executor, quiet=quiet) as table:
            try:
                watching = [keeper, records, table, *([luck] if luck else [])]
                run(
                    plan,
                    executor=executor,
                    journal=journal or None,
                    observers=watching,
                    scale_time=scale_time,
                )
            except KeyboardInterrupt:
                stopped = True
    except (JournalError, ExecutorError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or out or journal}: {error.strerror}")
    return keeper.results, stopped


def _write_report(
    report: str, plan: "Plan", tables: "Standings", command: str, executor: "Executor"
) -> None:
    from patrizier.arena.reports.tournament_report import render_report
    from patrizier.cli.files.report_file import write_report

    write_report(report, render_report(plan, tables, command, executor.nodes()))


def _show(plan: "Plan", tables: "Standings", luck: "LuckTally | None", *, as_json: bool) -> None:
    if as_json:
        import json

        extra: dict[str, Any] = {
            "rules": sorted(plan.options.rules),
            "deck": plan.options.deck.name,
            "seed": plan.seed,
        }
        if luck:
            extra["luck_adjusted"] = [each.to_json() for each in luck.standings()]
        typer.echo(json.dumps({**tables.to_json(), **extra}))
        return
    from rich.console import Console

    from patrizier.cli.terminal.results.tournament_tables import all_tables, luck_table

    console = Console(highlight=False)
    for table in (*all_tables(plan, tables), *([luck_table(luck.standings())] if luck else [])):
        console.print(table)
        console.print()


def _say_how_to_go_on(played: int, planned: int, journal: str) -> None:
    typer.echo(f"Stopped after {played:,} of {planned:,} games.", err=True)
    if journal:
        typer.echo(f"Run the same command again to resume (--journal {journal}).", err=True)
    else:
        typer.echo("A run with --journal FILE can be resumed.", err=True)
