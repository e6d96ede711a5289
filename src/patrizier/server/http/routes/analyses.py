"""Analyses of games: request, follow, cancel."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from patrizier.server.errors import Declined
from patrizier.server.http.answers.insights import MOST_GAMES
from patrizier.server.http.answers.records import read_record
from patrizier.server.http.context import Here, MaybeWho, RulesReady, Who
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.jobs.analyses import Progress
from patrizier.server.protocol.messages import AnalysedGames, AnalysisAnswer, AnalysisBody
from patrizier.server.table.visibility import record_text

from .tables import Key as WatchKey
from .tables import TablePath

router = APIRouter(
    prefix="/api/analyses", tags=["analyses"], responses=PROBLEMS, dependencies=[RulesReady]
)

_PATIENCE = 20.0  # seconds to wait for news

Key = Annotated[
    str,
    Path(
        pattern=r"^[0-9a-f]{64}-[0-9]{1,6}(-deep)?$", description="As in the answer to the request."
    ),
]
After = Annotated[
    int | None,
    Query(ge=-1, le=100, description="Wait until more turns than this are judged, or all."),
]


@router.post("", response_model=AnalysisAnswer, summary="Request an analysis")
async def request_analysis(body: AnalysisBody, request: Request, here: Here, who: Who) -> Response:
    """Request an analysis; a finished one is returned at once."""
    here.limits.check("analyse", address_of(request))
    text = body.record
    if text is None:
        assert body.table is not None
        found = await here.service.tables.get_finished(body.table)
        text = record_text(found, who.person.id, body.watch_key)
    record = await read_record(text)
    key = await here.analyses.ask(record, who.person.id, deep=body.deep)
    return _answer(await here.analyses.progress(key))


@router.get("/mine", summary="List luck and errors in my games")
async def list_my_analyses(here: Here, who: MaybeWho) -> AnalysedGames:
    """Return luck and errors in my latest games that were analysed."""
    if who is None:
        return AnalysedGames(games=(), others=0)
    here.limits.check("figures", who.person.id)
    results = await here.store.results.results_of(who.person.id, MOST_GAMES)
    return await here.insights.of(results, who.person.id)


@router.get(
    "/of/{table}", response_model=AnalysisAnswer | None, summary="Find the analysis of a table"
)
async def find_analysis(
    table: TablePath, request: Request, here: Here, who: MaybeWho, key: WatchKey = ""
) -> Response:
    """Return the analysis of a finished table; null if nobody has requested it."""
    here.limits.check("replay", address_of(request))
    person = who.person.id if who else None
    found = await here.insights.key_of(table, person, key)
    try:
        return _answer(await here.analyses.progress(found))
    except Declined:
        return Response(b"null", media_type="application/json")


@router.get("/{key}", response_model=AnalysisAnswer, summary="Get an analysis")
async def get_analysis(key: Key, here: Here, after: After = None) -> Response:
    """Return an analysis and its progress; with ``after``, as soon as there is news."""
    wait = 0.0 if after is None else _PATIENCE
    return _answer(await here.analyses.progress(key, -1 if after is None else after, wait))


@router.delete("/{key}", status_code=204, summary="Cancel an analysis")
async def cancel_analysis(key: Key, here: Here, who: Who) -> None:
    """Stop waiting for an analysis."""
    await here.analyses.cancel(who.person.id, key)


def _answer(progress: Progress) -> Response:
    """Return progress as JSON; the analysis is copied verbatim."""
    answer = AnalysisAnswer(
        key=progress.key,
        state=progress.state,  # type: ignore[arg-type]
        judged=progress.judged,
        turns=progress.turns,
        ahead=progress.ahead,
        deeper=progress.deeper,  # type: ignore[arg-type]
        analysis=None,
    )
    content = answer.model_dump_json().encode()
    if progress.body:
        content = content.removesuffix(b"null}") + progress.body + b"}"
    return Response(content, media_type="application/json")
