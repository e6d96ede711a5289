/** Points so far, position by position. */

import type { Replay, View, ViewScore } from '../protocol';

export interface Points {
  tokens: number;
  sets: number;
  chips: number;
  minus: number;
  total: number;
}

/** What a seat has at a position, read off what lies in front of it. */
export function pointsAt(view: View, seat: number): Points {
  const found = view.seats[seat];
  const shown = view.table[seat];
  const tokens = sum(shown?.tokens ?? found?.tokens ?? []);
  const heads = Object.values(found?.heads ?? {}) as number[];
  const sets = sum(heads.map((count) => 6 * Math.floor(count / 3)));
  const chips = shown?.chips ?? found?.chips ?? 0;
  return { tokens, sets, chips, minus: 0, total: tokens + sets + chips };
}

/** The same for every position and seat; at the end of a finished game, as it was scored. */
export function pointsOf(replay: Replay): Points[][] {
  return replay.frames.map((view, at) => {
    const scores = at === replay.frames.length - 1 ? replay.outcome?.scores : undefined;
    return view.seats.map((_, seat) => {
      const score: ViewScore | undefined = scores?.[seat];
      return score ?? pointsAt(view, seat);
    });
  });
}

export interface Graph {
  most: number; // points at its upper edge
  marks: number[]; // points with a line across
  steps: { x: number; y: number }[][]; // by seat: from 0 to 1, y upwards
}

/** Lines that rise in steps: a point for every position. */
export function graphOf(points: readonly Points[][]): Graph {
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

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
