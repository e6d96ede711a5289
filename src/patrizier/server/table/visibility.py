"""The one filter for secrets: everything that people see of a table is made here.

A player gets the view of each of their seats, a watcher the public view, anybody else only the
seats. Before the end of the game nothing depends on hidden cards, the deal or the secret. A rated
game is watched a round late, so that watchers cannot help anybody. Nobody gets other people's ids.
"""

from collections.abc import Iterator
from typing import Any, cast

from patrizier.prospects import prospects
from patrizier.server.names import SOMEBODY
from patrizier.server.protocol import messages as protocol
from patrizier.server.reasons import Reason
from patrizier.server.table.handlers.turns import may_be_advised, way_back
from patrizier.standing import Standings, legal_standings
from patrizier.state import State
from patrizier.view import View as GameView
from patrizier.why import barred

from .actor import role_of, watch_key
from .chat import News, Said, TurnMark, mark_of
from .colours import free_colours
from .commands import Refused
from .game import TableGame
from .seats import SeatState, held_by, players
from .setup import Colour, PersonId, Role, Seat
from .state import TableState
from .table import Table


def visible(
    table: TableState,
    person: PersonId | None,
    *,
    now: float,
    since: int = 0,
    key: str = "",
    answers: str | None = None,
    hurry: float | None = None,
) -> protocol.TableMessage:
    """Return a table as a person may see it, with log entries after a sequence number.

    ``hurry`` is the bots' present time limit, if any.
    """
    role = role_of(table, person, key)
    return protocol.TableMessage(
        table=table.id,
        seq=table.seq,
        now=now,
        answers=answers,
        phase=table.phase,
        setup=table.setup,
        rated=table.rated,
        host=_host(table),
        you=_you(table, person, role),
        seats=tuple(_seats(table, person)),
        free_colours=_free_colours(table),
        turn=_shown_turn(table, role),
        step=0 if _lateness(table, role) else table.step,
        late=bool(_lateness(table, role)) and table.phase == "playing",
        views=tuple(_views(table, person, role)),
        clock=_clock(table),
        bot_seconds=hurry,
        undo=_undo(table) if role == "player" else None,
        deal=_deal(table, role),
        result=_result(table) if role != "outsider" else None,
        rematch=table.rematch.table if table.rematch and role == "player" else None,
        evening=table.evening_score() if role != "outsider" else (),
        rematch_wanted=tuple(s for p in table.offers for s in held_by(table.seats, p)),
        log_since=since,
        log=tuple(log_since(table, person, since, key)),
        round_ago=_round_ago(table, role) if not since else None,
    )


def record_text(table: Table, person: PersonId | None, key: str = "") -> str:
    """Return the record of a finished game, if the person may see it; raises Refused."""
    if role_of(table, person, key) == "outsider":
        raise Refused(Reason.NOT_WATCHED)
    return table.record_text()


# -- the game


def _views(table: TableState, person: PersonId | None, role: Role) -> Iterator[protocol.SeatView]:
    if table.playing is None or role == "outsider":
        return
    seats: tuple[Seat | None, ...] = held_by(table.seats, person) or (None,)
    late = bool(_lateness(table, role)) and table.phase == "playing"
    playing = table.playing
    state = playing.state_at(_shown_turn(table, role)) if late else playing.game.state
    for seat in seats:
        view, memory = state.view(seat), table.setup.memory_help or table.phase == "finished"
        decides = seat is not None and seat == view.seat
        yield protocol.SeatView(
            seat=seat,
            view=protocol.View(_view_json(view, memory)),
            standings={} if late else _standings(playing, state, seat),
            prospects=prospects(view, memory=memory) if decides else None,
            barred=barred(state) if decides else {},
            back=None if seat is None else _back(table, person, seat),
            advice=seat is not None and seat == table.to_move and may_be_advised(table, seat),
        )


def _back(table: TableState, person: PersonId | None, seat: Seat) -> protocol.BackInfo | None:
    found = way_back(table, person, seat) if person else None
    return protocol.BackInfo(kind=found[0], to_turn=found[1]) if found else None


def _standings(playing: TableGame, state: State, seat: Seat | None) -> Standings:
    """Return the standings of the current turn, and of its possible next steps."""
    changed = playing.standings(playing.turn)[-1] if playing.step else {}
    return changed | legal_standings(state) if seat == playing.seat else changed


def _view_json(view: GameView, memory_help: bool) -> dict[str, Any]:
    """Return a view as JSON; without memory help, of others only what the table shows."""
    data = view.to_json()
    if not memory_help:
        data["unseen"] = []
        for seat, shown in zip(data["seats"], data["table"], strict=True):
            if seat["seat"] != view.viewer:
                _forget(seat, shown)
    return data


def _forget(seat: dict[str, Any], shown: dict[str, Any]) -> None:
    """Remove from a seat's entry what one would have to remember."""
    seat["unknown"] += len(seat["hand"])
    seat["hand"] = []
    seat["pile"] = shown["pile"] or ([shown["top"]] if shown["top"] else [])
    seat["tokens"] = shown["tokens"] or []
    seat["chips"] = shown["chips"] or 0
    if shown["pile"] is None:
        seat["heads"] = dict.fromkeys(seat["heads"], 0)


# -- the log


def log_since(
    table: TableState, person: PersonId | None, since: int, key: str = ""
) -> list[protocol.LogEntry]:
    """Return the log entries after a sequence number that a person may see."""
    role = role_of(table, person, key)
    if role == "outsider":
        return []
    entries: list[protocol.LogEntry] = [
        *_turns(table, since, role),
        *(_news(line) for line in table.talk.news if line.seq > since),
        *(
            _said(table, line)
            for line in table.talk.said
            if line.seq > since and _hears(table, person, role, line)
        ),
    ]
    entries.sort(key=lambda entry: entry.seq)
    return entries


def _turns(table: TableState, since: int, role: Role) -> Iterator[protocol.TurnEntry]:
    new = _new_turns(table, since, role)
    last_round = _last_round(table, role)
    if table.phase == "playing" and not table.setup.memory_help:
        # the last round
        new = [(number, mark) for number, mark in new if number >= last_round]
    if not new or table.playing is None:
        return
    records, first = table.playing.game.records, new[0][0]
    # New subscribers get the last round, others all that they have missed.
    told = first if since else max(first, last_round)
    changed = table.playing.standings(told)
    for number, (seq, at, by) in new:
        yield protocol.TurnEntry(
            seq=seq,
            at=at,
            by=by,
            record=records[number].to_json(),
            standings=changed[number - told] if number >= told else {},
        )


def _new_turns(table: TableState, since: int, role: Role) -> list[tuple[int, TurnMark]]:
    """Return the turns that a person did not know at a sequence number.

    Those of a late game count as played when they are shown: a round later, or at the end.
    """
    late = _lateness(table, role)
    if not late:
        return table.talk.turns_since(since)
    marks = [mark for _, mark in table.talk.turns_since(0)]
    shown = table.turn if table.phase == "finished" else _shown_turn(table, role)
    new = []
    for number, mark in enumerate(marks[:shown]):
        then = number + late
        seq = marks[then].seq if then < len(marks) else marks[-1].seq + 1
        if seq > since:
            new.append((number, mark._replace(seq=seq)))
    return new


def _lateness(table: TableState, role: Role) -> int:
    """Return by how many turns a person is behind while the game goes on."""
    return len(table.seats) if role == "watcher" and table.rated else 0


def _shown_turn(table: TableState, role: Role) -> int:
    """Return how many turns were completed in the position that a person sees."""
    late = _lateness(table, role) if table.phase == "playing" else 0
    return max(0, table.turn - late)


def _last_round(table: TableState, role: Role) -> int:
    """Return how many turns were completed a round ago."""
    return max(0, _shown_turn(table, role) - len(table.seats))


def _round_ago(table: TableState, role: Role) -> protocol.RoundAgo | None:
    if table.playing is None or table.phase != "playing" or role == "outsider":
        return None
    turn = _last_round(table, role)
    board = table.playing.state_at(turn).view(None).to_json()
    return protocol.RoundAgo(
        turn=turn,
        cities=board["cities"],
        messengers=board["messengers"],
        pile_left=board["pile_left"],
    )


def _news(line: News) -> protocol.LogEntry:
    if line.to_turn is not None:
        return protocol.UndoneEntry(seq=line.seq, at=line.at, to_turn=line.to_turn)
    return protocol.NewsEntry(
        seq=line.seq,
        at=line.at,
        what=cast("Any", line.what),
        seat=line.seat,
        name=line.name,
        alias=protocol.alias_of(line.name, line.person),
        detail=line.detail,
    )


def _hears(table: TableState, person: PersonId | None, role: Role, line: Said) -> bool:
    """Whether a person gets a chat line: rooms are separate until the game is over."""
    if line.person in table.talk.muted_by(person):
        return False
    if line.room == "players":
        return role == "player"
    return role == "watcher" or table.phase == "finished"


def _said(table: TableState, line: Said) -> protocol.SaidEntry:
    return protocol.SaidEntry(
        seq=line.seq,
        at=line.at,
        room=line.room,
        seat=line.seat,
        name=line.name,
        alias=protocol.alias_of(line.name, line.person),
        who=mark_of(table.id, line.person),
        text=line.text,
    )


# -- around it


def _host(table: TableState) -> protocol.Named:
    assert table.created
    theirs = [s for s in table.seats if s.person == table.host and not s.hot_seat]
    name = theirs[0].name if theirs else table.created.host_name
    person = None if name == SOMEBODY else table.host
    return protocol.Named(name=name, alias=protocol.alias_of(name, person))


def _you(table: TableState, person: PersonId | None, role: Role) -> protocol.You:
    held = held_by(table.seats, person)
    to_move = table.to_move
    mine = to_move in held and to_move is not None and table.seats[to_move].person_plays
    return protocol.You(
        role=role,
        seats=held,
        host=person is not None and person == table.host,
        to_move=to_move if mine else None,
        muted=tuple(mark_of(table.id, whom) for whom in table.talk.muted_by(person)),
        watch_key=watch_key(table) if role == "player" else None,
    )


def _seats(table: TableState, person: PersonId | None) -> Iterator[protocol.SeatInfo]:
    for number, colour in enumerate(table.colours):
        yield _seat(table, number, colour, person)


def _seat(
    table: TableState, number: Seat, colour: Colour, person: PersonId | None
) -> protocol.SeatInfo:
    seat, clock = table.seats[number], table.clock
    return protocol.SeatInfo(
        seat=number,
        state=_state(seat),
        colour=colour,
        name=seat.name,
        alias=protocol.alias_of(seat.name, seat.person),
        avatar=protocol.avatar_of(seat.avatar),
        who=mark_of(table.id, seat.person) if seat.person else None,
        you=seat.person is not None and seat.person == person,
        hot_seat=seat.hot_seat,
        level=seat.level,
        stand_in=seat.stand_in,
        contributed=seat.contribution is not None,
        seconds_left=clock.left[number] if clock and clock.left and not seat.is_bot else None,
    )


def _state(seat: SeatState) -> Any:
    if seat.is_free:
        return "free"
    return "bot" if seat.is_bot else "person"


def _free_colours(table: TableState) -> tuple[Colour, ...]:
    return free_colours(table.setup, table.seats) if table.phase == "open" else ()


def _clock(table: TableState) -> protocol.ClockInfo:
    deadline = table.deadline()
    return protocol.ClockInfo(
        seat=table.to_move if deadline is not None else None,
        began=table.clock.began if table.clock else 0.0,
        deadline=deadline,
    )


def _undo(table: TableState) -> protocol.UndoInfo | None:
    undo = table.undo
    if undo is None:
        return None
    agreed = [seat for person in undo.agreed for seat in held_by(table.seats, person)]
    asked = [seat for person in players(table.seats) for seat in held_by(table.seats, person)]
    return protocol.UndoInfo(
        seat=undo.seat,
        to_turn=undo.to_turn,
        agreed=tuple(agreed),
        waiting=tuple(seat for seat in asked if seat not in agreed),
    )


def _deal(table: TableState, role: Role) -> protocol.DealProof:
    assert table.created
    told = table.phase == "finished" and role != "outsider"
    return protocol.DealProof(
        commitment=table.created.commitment,
        secret=table.created.secret if told else None,
        contributions=tuple(seat.contribution for seat in table.seats) if told else None,
        not_first=table.created.not_first,
    )


def _result(table: TableState) -> protocol.ResultInfo | None:
    done = table.finished
    if done is None or table.playing is None:
        return None
    return protocol.ResultInfo(
        outcome=done.outcome,
        final_count=table.playing.final_count(),
        rated=done.rated,
        forfeits=done.forfeits,
    )
