/** A turn told in pictures: what the board shows while a turn is played out, step by step.
 *
 * Only the eye needs these. Each picture is the board of before with one thing more; who leads a
 * tower is copied from the board after the turn, never worked out here.
 */

import type { View, ViewCity, ViewCityCode, ViewPair, ViewRecord } from '../protocol';
import type { Draft } from './draft';
import { citiesOf, other, readTurn, type Site } from './turns';

/** The part of a view that the board shows. */
export type Board = Pick<View, 'cities' | 'messengers' | 'pile_left'>;

export type Event =
  | { kind: 'card'; seat: number; card: string }
  | { kind: 'floor'; seat: number; city: ViewCityCode; site: Site }
  | { kind: 'scored'; city: ViewCityCode; taller: number; lower: number; chips: number }
  | { kind: 'moved'; city: ViewCityCode; site: Site } // from this site
  | { kind: 'drawn'; seat: number; city: ViewCityCode; card: string }
  | { kind: 'refill'; city: ViewCityCode; card: string }
  | { kind: 'messenger'; seat: number; pair: string };

/** The cities that an event happens in. */
export function citiesOfEvent(event: Event): ViewCityCode[] {
  if (event.kind === 'messenger') return citiesOf(event.pair as ViewPair);
  return 'city' in event ? [event.city] : [];
}

export interface Frame {
  board: Board;
  event: Event;
}

/** The pictures of one turn, from the board before it to (nearly) the board after it. */
export function framesOf(before: Board, record: ViewRecord, after: Board): Frame[] {
  const turn = readTurn(record.move);
  const frames: Frame[] = [];
  let board = before;
  const show = (event: Event, next: Board = board) => {
    board = next;
    frames.push({ board, event });
  };
  const place = record.drawn === null ? null : placeOf(before, record.drawn);
  const isScoredLast =
    record.scored !== null && turn.messenger !== null && after.messengers.length > 0;

  show({ kind: 'card', seat: record.seat, card: turn.card });
  for (const site of turn.sites) {
    const higher = edit(board, turn.city, (city) => grown(city, site, record.seat));
    show({ kind: 'floor', seat: record.seat, city: turn.city, site }, higher);
  }
  board = edit(board, turn.city, (city) => marks(city, after, !isScoredLast));
  frames[frames.length - 1]!.board = board;
  const score = () => {
    if (!record.scored) return;
    const { city, taller, lower, chips } = record.scored;
    const rested = edit(board, city, (each) => marks(each, after, true));
    show({ kind: 'scored', city, taller, lower, chips }, rested);
  };
  if (!isScoredLast) score();
  if (turn.move) {
    const { city, site } = turn.move;
    const changed = edit(board, city, (each) => marks(moved(each, site), after, true));
    show({ kind: 'moved', city, site }, changed);
  }
  if (record.drawn !== null && place !== null) {
    const taken = edit(board, place, (each) => ({ ...each, card: null }));
    show({ kind: 'drawn', seat: record.seat, city: place, card: record.drawn }, taken);
    const { refill } = record;
    if (refill !== null) {
      const turned = edit(board, place, (each) => ({ ...each, card: refill }));
      show(
        { kind: 'refill', city: place, card: refill },
        { ...turned, pile_left: Math.max(0, board.pile_left - 1) },
      );
    }
  }
  if (turn.messenger) {
    const laid = { ...board, messengers: [...board.messengers, turn.messenger] };
    show({ kind: 'messenger', seat: record.seat, pair: turn.messenger }, laid);
  }
  if (isScoredLast) score();
  return frames;
}

/** The board with the floors, the move and the draw of a turn in the making laid out on it. */
export function preview(board: Board, seat: number, draft: Draft): Board {
  let shown = board;
  if (draft.card !== null) {
    const code = draft.card.slice(0, 2) as ViewCityCode;
    for (const site of draft.sites) shown = edit(shown, code, (city) => grown(city, site, seat));
  }
  if (draft.move && draft.move !== 'none') {
    const { city, site } = draft.move;
    shown = edit(shown, city, (each) => moved(each, site));
  }
  if (draft.messenger && draft.messenger !== 'none')
    shown = { ...shown, messengers: [...shown.messengers, draft.messenger] };
  return shown;
}

export function floors(city: ViewCity, site: Site): ViewCity['left'] {
  return site === 'L' ? city.left : city.right;
}

function onSite(site: Site, next: ViewCity['left']): Partial<ViewCity> {
  return site === 'L' ? { left: next } : { right: next };
}

/** The city with its top floor moved off a site to the other one. */
function moved(city: ViewCity, site: Site): ViewCity {
  const from = floors(city, site);
  const to = other(site);
  return {
    ...city,
    ...onSite(site, from.slice(0, -1)),
    ...onSite(to, [...floors(city, to), ...from.slice(-1)]),
  };
}

function grown(city: ViewCity, site: Site, seat: number): ViewCity {
  return { ...city, ...onSite(site, [...floors(city, site), seat as 0]) };
}

function marks(city: ViewCity, after: Board, scored: boolean): ViewCity {
  const final = after.cities.find((each) => each.code === city.code);
  if (!final) return city;
  return {
    ...city,
    leaders: final.leaders,
    taller: final.taller,
    winners: scored ? final.winners : null,
  };
}

function placeOf(board: Board, card: string): ViewCityCode | null {
  return board.cities.find((city) => city.card === card)?.code ?? null;
}

function edit(board: Board, code: ViewCityCode, change: (city: ViewCity) => ViewCity): Board {
  return {
    ...board,
    cities: board.cities.map((city) => (city.code === code ? change(city) : city)),
  };
}
