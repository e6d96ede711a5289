/** The frames of a turn: what the board shows while it is animated, step by step. */

import type { ViewCityCode, ViewPair, ViewRecord } from '../protocol';
import {
  buildStep,
  withCard,
  withFloor,
  withMessenger,
  withMove,
  withScore,
  type Board,
  type Standings,
} from '../turn/position';
import { citiesOf, readTurn, type Site } from '../turn/notation';

export type Event =
  | { kind: 'card'; seat: number; card: string }
  | { kind: 'floor'; seat: number; city: ViewCityCode; site: Site }
  | { kind: 'scored'; city: ViewCityCode; taller: number; lower: number; chips: number }
  | { kind: 'moved'; city: ViewCityCode; site: Site } // from this site
  | { kind: 'drawn'; seat: number; city: ViewCityCode; card: string }
  | { kind: 'refill'; city: ViewCityCode; card: string }
  | { kind: 'messenger'; seat: number; pair: string };

/** The cities of an event. */
export function citiesOfEvent(event: Event): ViewCityCode[] {
  if (event.kind === 'messenger') return citiesOf(event.pair as ViewPair);
  return 'city' in event ? [event.city] : [];
}

export interface Frame {
  board: Board;
  event: Event;
  record: ViewRecord; // the turn being animated
}

/** Steps that the player has laid out before sending the turn: not animated again. */
export const OWN: readonly Event['kind'][] = ['card', 'floor', 'moved', 'messenger'];

/** The frames of one turn, which may be unfinished. */
export function framesOf(before: Board, record: ViewRecord, standings: Standings): Frame[] {
  const turn = readTurn(record.move);
  const { seat, drawn, refill, scored } = record;
  const frames: Frame[] = [];
  let board = before;
  const show = (event: Event, next: Board = board) => {
    board = next;
    frames.push({ board, event, record });
  };
  const built = standings[buildStep(turn.card, turn.sites)];
  const score = () => {
    if (scored) show({ kind: 'scored', ...scored }, withScore(board, scored.city, built));
  };

  show({ kind: 'card', seat, card: turn.card });
  turn.sites.forEach((site, index) => {
    const laid = turn.sites.slice(0, index + 1);
    const higher = withFloor(board, seat, turn.card, laid, standings);
    show({ kind: 'floor', seat, city: turn.city, site }, higher);
  });
  if (!built?.late) score();
  if (turn.move) show({ kind: 'moved', ...turn.move }, withMove(board, turn.move, standings));
  const place = drawn === null ? null : placeOf(before, drawn);
  if (drawn !== null && place !== null) {
    show({ kind: 'drawn', seat, city: place, card: drawn }, withCard(board, place, null));
    if (refill !== null) {
      const turned = withCard(board, place, refill);
      const pile_left = Math.max(0, board.pile_left - 1);
      show({ kind: 'refill', city: place, card: refill }, { ...turned, pile_left });
    }
  }
  if (turn.messenger) {
    const laid = withMessenger(board, turn.messenger);
    show({ kind: 'messenger', seat, pair: turn.messenger }, laid);
  }
  if (built?.late) score();
  return frames;
}

function placeOf(board: Board, card: string): ViewCityCode | null {
  return board.cities.find((city) => city.card === card)?.code ?? null;
}
