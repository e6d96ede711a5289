/** Points over time, as lines that rise in steps. */

import type { ViewScore } from '../protocol';

export interface Graph {
  most: number; // points at its upper edge
  marks: number[]; // points with a line across
  steps: { x: number; y: number }[][]; // by seat: from 0 to 1, y upwards
}

/** A point for every position. */
export function graphOf(points: readonly (readonly Pick<ViewScore, 'total'>[])[]): Graph {
  const totals = points.map((all) => all.map((each) => each.total));
  const most = Math.max(10, 10 * Math.ceil(Math.max(...totals.flat()) / 10));
  const last = Math.max(1, points.length - 1);
  const every = most > 60 ? 20 : 10;
  const marks = Array.from({ length: Math.floor(most / every) }, (_, index) => (index + 1) * every);
  const seats = totals[0]?.length ?? 0;
  const steps = Array.from({ length: seats }, (_, seat) =>
    totals.map((all, at) => ({ x: at / last, y: Math.max(0, all[seat] ?? 0) / most })),
  );
  return { most, marks, steps };
}

/** The position under a pointer: from 0 (left) to 1. */
export function positionAt(share: number, positions: number): number {
  const last = positions - 1;
  return Math.min(last, Math.max(0, Math.round(share * last)));
}
