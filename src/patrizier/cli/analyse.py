"""`patrizier analyse`: what was luck, what was skill, what would have been better."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from patrizier.cli.arguments.executor import Jobs, On, read_executor
from patrizier.cli.arguments.options import Json, fail

if TYPE_CHECKING:
    from patrizier.analysis.judgement import Effort
    from patrizier.arena.executors import Executor
    from patrizier.ptr import GameRecord


@dataclass(frozen=True)
class Resources:
    """What analyses use in place of the defaults."""

    effort: "Effort | None" = None
    folder: Path | None = None  # of finished analyses


@dataclass(frozen=True)
class _Request:
    """How games are to be analysed."""

    deep: bool
    seed: int
    resources: Resources


def analyse(
    context: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Game records (.ptr).")],
    game: Annotated[
        int | None, typer.Option("--game", "-g", metavar="N", help="Only the Nth game.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", "-s", metavar="S", help="Show one seat's turns only.")
    ] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Search 4 to 8 times as long.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 0,
    jobs: Jobs = None,
    on: On = "here",
    json: Json = False,
    report: Annotated[str, typer.Option(metavar="FILE", help="Write an HTML report.")] = "",
    annotate: Annotated[
        str, typer.Option(metavar="FILE", help="Write the record with comments.")
    ] = "",
) -> None:
    """Analyse games: chances turn by turn, errors, luck, and why.

    Errors are judged by what the seat knew. Several games give a profile of every player.
    Results are kept, so that asking again is quick.

    Example: `patrizier analyse game.ptr --report game.html`
    """
    from patrizier.cli.replay import load_or_fail

    records = [record for file in files for record in load_or_fail(file)]
    if game is not None:
        if not 1 <= game <= len(records):
            held = "1 game" if len(records) == 1 else f"{len(records)} games"
            fail(f"there is no game {game}: {held} given")
        records = [records[game - 1]]
    if seat is not None:
        most = max(int(record.tags["Players"]) for record in records)
        if not 1 <= seat <= most:
            fail(f"there is no seat {seat}: seats are numbered from 1 to {most}")
    _check_outputs(report, annotate)
    request = _Request(deep, seed, context.ensure_object(Resources))
    if len(records) == 1 or (on == "here" and jobs is None):
        analyses = [_analysis(each, request, n, len(records)) for n, each in enumerate(records)]
    else:
        executor = read_executor(context, on, jobs)
        records, analyses = _on_executor(records, request, executor)
    if annotate:
        _annotate(annotate, records, analyses)
    if report:
        from patrizier.arena.reports.analysis_report import render_analyses
        from patrizier.cli.files.report_file import write_report

        command = shlex.join(["patrizier", "analyse", *files])
        write_report(report, render_analyses(analyses, command))
    if json:
        _print_json(analyses)
        return
    from rich.console import Console

    from patrizier.cli.terminal.results.analysis_tables import analysis_tables, profile_tables

    console = Console(highlight=False)
    tables = (
        analysis_tables(analyses[0], records[0], None if seat is None else seat - 1)
        if len(analyses) == 1
        else profile_tables(analyses)
    )
    for table in tables:
        console.print(table)
        console.print()
    for file, what in ((report, "report"), (annotate, "record with comments")):
        if file:
            console.print(f"The {what} is in {file}.")


def _check_outputs(report: str, annotate: str) -> None:
    from patrizier.cli.files.report_file import check_folder

    if report:
        from patrizier.arena.extras import MissingExtra, load

        try:
            for library in ("matplotlib", "jinja2"):
                load(library)
        except MissingExtra as error:
            fail(str(error))
        check_folder(report)
    if annotate:
        check_folder(annotate)


def _analysis(record: "GameRecord", request: _Request, number: int, of: int) -> dict[str, Any]:
    """Return the analysis of a game in its JSON form: a stored one, or a new one."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from patrizier.analysis.analyser import analyse, record_hash
    from patrizier.analysis.shelf import Shelf, key_of

    deep, seed, resources = request.deep, request.seed, request.resources
    shelf, game = Shelf(resources.folder), record.game()
    key = key_of(record_hash(game), deep=deep, seed=seed)
    if found := shelf.find(key):
        return {**found, "names": list(record.names)}
    title = "Analysing" if of == 1 else f"Analysing game {number + 1} of {of}"
    columns = (
        TextColumn(title),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} turns"),
        TimeElapsedColumn(),
    )
    analysis = None
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=game.turn)
        for analysis in analyse(record, deep=deep, seed=seed, effort=resources.effort):
            progress.update(task, completed=analysis.judged)
    assert analysis is not None
    result = analysis.to_json()
    shelf.put(key, result)
    return result


def _on_executor(
    records: "list[GameRecord]", request: _Request, executor: "Executor"
) -> "tuple[list[GameRecord], list[dict[str, Any]]]":
    """Return games with their analyses, stored or computed now; one left out is reported."""
    from rich.console import Console
    from rich.progress import Progress

    from patrizier.analysis.analyser import record_hash
    from patrizier.analysis.shelf import Shelf, key_of
    from patrizier.arena.analyses import analyse_all
    from patrizier.arena.executors import ExecutorError

    deep, seed, resources = request.deep, request.seed, request.resources
    shelf = Shelf(resources.folder)
    keys = [key_of(record_hash(record.game()), deep=deep, seed=seed) for record in records]
    found = {key: stored for key in keys if (stored := shelf.find(key))}
    missing = {key: each for key, each in zip(keys, records, strict=True) if key not in found}
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Analysing", total=len(missing))
        computed = analyse_all(
            list(missing.values()), executor, deep=deep, seed=seed, effort=resources.effort
        )
        try:
            for key, result in zip(missing, computed, strict=True):
                if result is not None:
                    shelf.put(key, result)
                    found[key] = result
                progress.advance(task)
        except ExecutorError as error:
            fail(str(error))
    for number, key in enumerate(keys):
        if key not in found:
            reason = executor.lost[0].reason
            typer.echo(f"Left out: game {number + 1} could not be analysed. {reason}", err=True)
    both = [pair for pair in zip(keys, records, strict=True) if pair[0] in found]
    return (
        [record for _, record in both],
        [{**found[key], "names": list(record.names)} for key, record in both],
    )


def _annotate(file: str, records: "list[GameRecord]", analyses: list[dict[str, Any]]) -> None:
    from patrizier.analysis.annotation import annotate
    from patrizier.ptr import write_games

    both = zip(records, analyses, strict=True)
    text = write_games(annotate(record, analysis) for record, analysis in both)
    try:
        Path(file).write_text(text, "utf-8", newline="\n")
    except OSError as error:
        fail(f"{file}: {error.strerror}")


def _print_json(analyses: list[dict[str, Any]]) -> None:
    import json as json_module

    from patrizier.analysis.profile import profiles

    if len(analyses) == 1:
        typer.echo(json_module.dumps(analyses[0]))
        return
    found = [profile.to_json() for profile in profiles(analyses)]
    typer.echo(json_module.dumps({"analyses": analyses, "profiles": found}))
