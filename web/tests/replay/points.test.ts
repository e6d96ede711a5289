import { describe, expect, it } from 'vitest';
import { graphOf, pointsAt, pointsOf, positionAt, type Points } from '../../src/replay/points';
import type { Replay, View } from '../../src/protocol';
import { view } from '../learn/positions';

function standing(
  tokens: (9 | 7 | 6 | 5 | 4 | 2)[],
  heads: [number, number, number],
  chips = 0,
): View {
  const at = view();
  const [L, B, K] = heads;
  at.seats[0] = { ...at.seats[0]!, heads: { L, B, K } };
  at.table[0] = { ...at.table[0]!, tokens, tokens_won: tokens.length, chips };
  return at;
}

function points(total: number): Points {
  return { tokens: total, sets: 0, chips: 0, minus: 0, total };
}

describe('points so far', () => {
  it('are tokens, sets of three portraits, and chips', () => {
    expect(pointsAt(standing([9, 7, 6, 5, 4, 2], [5, 6, 2]), 0)).toEqual({
      tokens: 33,
      sets: 18,
      chips: 0,
      minus: 0,
      total: 51,
    });
    expect(pointsAt(standing([5], [2, 2, 2], 4), 0).total).toBe(9);
    expect(pointsAt(view(), 1).total).toBe(0);
  });

  it('are those of the outcome at the end of a finished game', () => {
    const frames = [view(), standing([5], [0, 0, 0])];
    const score = { tokens: 5, sets: 0, chips: 0, minus: -3 as const, total: 2, floors: 7 };
    const outcome = {
      scores: [score, { ...score, minus: 0 as const }],
      winners: [0 as const],
      tie_break: false,
    };
    const finished = { frames, outcome } as unknown as Replay;
    expect(pointsOf(finished).map((all) => all[0]?.total)).toEqual([0, 2]);
    const broken = { frames, outcome: null } as unknown as Replay;
    expect(pointsOf(broken).map((all) => all[0]?.total)).toEqual([0, 5]);
  });
});

describe('the graph', () => {
  it('goes from the first position to the last, in every line', () => {
    const graph = graphOf([
      [points(0), points(0)],
      [points(5), points(0)],
      [points(5), points(20)],
    ]);
    expect(graph.most).toBe(20);
    expect(graph.marks).toEqual([10, 20]);
    expect(graph.steps[0]).toEqual([
      { x: 0, y: 0 },
      { x: 0.5, y: 0.25 },
      { x: 1, y: 0.25 },
    ]);
    expect(graph.steps[1]?.at(-1)).toEqual({ x: 1, y: 1 });
  });

  it('never goes below its ground, and has one without any points', () => {
    expect(graphOf([[points(-3)]])).toEqual({ most: 10, marks: [10], steps: [[{ x: 0, y: 0 }]] });
  });

  it('has fewer marks where there are many points', () => {
    expect(graphOf([[points(0)], [points(71)]]).marks).toEqual([20, 40, 60, 80]);
  });

  it('finds the position under a pointer', () => {
    expect(positionAt(0.5, 49)).toBe(24);
    expect(positionAt(-0.2, 49)).toBe(0);
    expect(positionAt(1.3, 49)).toBe(48);
  });
});
