/** Who was ahead from when on, by the points, and which portraits made it so. */

import { faceOf, type Noble } from '../art/cards';
import type { ViewDeck, ViewRecord } from '../protocol';

/** The turn from which on one seat had more points than everybody else; null if there is none. */
export function aheadFrom(curve: readonly (readonly number[])[], seat: number): number | null {
  const leads = (points: readonly number[]) =>
    points.every((each, other) => other === seat || each < (points[seat] ?? 0));
  let turn = curve.length;
  while (turn > 0 && leads(curve[turn - 1]!)) turn -= 1;
  return turn < curve.length ? turn : null;
}

export interface Gathered {
  noble: Noble;
  heads: number; // on the pile, with those of the turn
}

/** The portraits of which a turn brought three more together; null if it did not. */
export function gatheredBy(
  record: ViewRecord,
  turns: readonly ViewRecord[],
  deck: ViewDeck,
): Gathered | null {
  const last = new Map(turns.map((each) => [each.turn, each])); // others were taken back
  const before = [...last.values()].filter((each) => each.turn < record.turn);
  if (before.length < record.turn - 1) return null; // not all are known
  const { noble, heads } = face(record, deck);
  if (!noble) return null;
  const lain = before
    .filter((each) => each.seat === record.seat)
    .map((each) => face(each, deck))
    .reduce((sum, each) => sum + (each.noble === noble ? each.heads : 0), 0);
  const all = lain + heads;
  return Math.floor(all / 3) > Math.floor(lain / 3) ? { noble, heads: all } : null;
}

function face(record: ViewRecord, deck: ViewDeck) {
  const [card = ''] = record.move.split(':');
  return faceOf(deck, card);
}
