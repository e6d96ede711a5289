import { describe, expect, it } from 'vitest';
import type { FinalCount, ViewOutcome } from '../../src/protocol';
import { landscapeOf, nameOn, planOf } from '../../src/ending/skyline';
import { countedAfter, pauseAfter, ranked, stepsOf } from '../../src/ending/count';

const tower = (floors: number[], token: number, seat: number, chips = 0) => ({
  floors,
  token,
  seat,
  chips,
});
const none = (noble: string) => ({ noble, heads: 0, sets: 0, single: 0, points: 0 });
const finalCount: FinalCount = {
  cities: [
    { code: 'MI', left: tower([0, 1, 0, 0], 7, 0, 2), right: tower([1], 4, 1, 2), chips: 1 },
    { code: 'PA', left: tower([1], 2, 1), right: tower([0, 0, 1, 0], 5, 0), chips: 0 },
  ],
  portraits: [
    [none('L'), { noble: 'B', heads: 4, sets: 1, single: 1, points: 6 }, none('K')],
    [none('L'), none('B'), none('K')],
  ],
  curve: [
    [0, 0],
    [20, 5],
  ],
};
const score = (tokens: number, sets: number, chips: number, minus: number) => ({
  tokens,
  sets,
  chips,
  minus,
  total: tokens + sets + chips + minus,
  floors: 7,
});
const outcome = {
  scores: [score(12, 6, 2, 0), score(6, 0, 2, -3)],
  winners: [0],
  tie_break: false,
} as unknown as ViewOutcome;

describe('the ending', () => {
  const steps = stepsOf(finalCount, outcome);

  it('turns tokens over from left to right, then sets, chips, the minus, the curve', () => {
    expect(steps.map((step) => step.kind)).toEqual([
      'token',
      'token',
      'token',
      'token',
      'sets',
      'sets',
      'chips',
      'minus',
      'curve',
      'points',
    ]);
    expect(steps[1]).toEqual({ kind: 'token', city: 0, site: 'right' });
  });

  it('has no step for what nobody has', () => {
    const plain = {
      ...finalCount,
      cities: finalCount.cities.map((city) => ({ ...city, chips: 0 })),
    };
    const scores = outcome.scores.map((each) => ({ ...each, minus: 0 })) as ViewOutcome['scores'];
    const kinds = stepsOf(plain, { ...outcome, scores }).map((step) => step.kind);
    expect(kinds).not.toContain('chips');
    expect(kinds).not.toContain('minus');
  });

  it('begins with nothing and ends with the outcome', () => {
    expect(countedAfter(steps, 0, finalCount, outcome).map((each) => each.total)).toEqual([0, 0]);
    expect(countedAfter(steps, 1, finalCount, outcome).map((each) => each.total)).toEqual([7, 0]);
    const end = countedAfter(steps, steps.length, finalCount, outcome);
    for (const [seat, points] of end.entries())
      expect(points).toEqual({ ...points, ...without(outcome.scores[seat]!) });
  });

  it('takes no more than twelve seconds with five players, ten cities and messengers at all', () => {
    const big: FinalCount = {
      ...finalCount,
      cities: Array.from({ length: 10 }, () => finalCount.cities[0]!),
      portraits: Array.from({ length: 5 }, () => []),
    };
    const five = { ...outcome, scores: Array.from({ length: 5 }, () => score(1, 0, 2, 0)) };
    five.scores[4] = score(1, 0, 0, -3);
    const all = stepsOf(big, five as unknown as ViewOutcome);
    expect(all.reduce((sum, step) => sum + pauseAfter(step), 0)).toBeLessThanOrEqual(12_000);
  });

  it('ranks winners first, then by points', () => {
    const scores = [score(5, 0, 0, 0), score(9, 0, 0, 0), score(9, 0, 0, 0)];
    const tied = { scores, winners: [2], tie_break: true } as unknown as ViewOutcome;
    expect(ranked(tied)).toEqual([2, 1, 0]);
  });
});

function without({ tokens, sets, chips, minus, total }: ViewOutcome['scores'][number]) {
  return { tokens, sets, chips, minus, total };
}

describe('the skyline', () => {
  const cities = Array.from({ length: 10 }, () => finalCount.cities[0]!);

  it.each([
    [370, 215],
    [340, 230],
    [820, 100],
    [760, 600],
    [1370, 380],
    [1700, 560],
  ])('fits into %i by %i', (width, height) => {
    const plan = planOf(cities, width, height);
    for (const { x, ground } of plan.places) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + 2 * plan.tower + plan.gap).toBeLessThanOrEqual(width + 0.5);
      expect(ground - 4 * plan.pitch - plan.roof).toBeGreaterThanOrEqual(0);
      if (height >= 200)
        expect(ground - 4 * plan.pitch - plan.roof * 0.92 - plan.mast).toBeGreaterThan(0);
      expect(ground + plan.token + plan.name.size).toBeLessThanOrEqual(height);
    }
  });

  it('has two rows where it is narrow or upright', () => {
    expect(planOf(cities, 1370, 380).grounds).toHaveLength(1);
    expect(planOf(cities, 370, 215).grounds).toHaveLength(2);
    expect(planOf(cities, 760, 600).grounds).toHaveLength(2);
    expect(planOf(cities, 780, 420).grounds).toHaveLength(2); // a tablet
    expect(planOf(cities, 820, 100).grounds).toHaveLength(1); // a phone in landscape
    expect(planOf(cities, 340, 320).grounds).toHaveLength(2); // or names lie on each other
  });

  it('has a landscape where there is room for one', () => {
    expect(landscapeOf(planOf(cities, 1370, 380), 1370, 380).hills).toHaveLength(2);
    expect(landscapeOf(planOf(cities, 370, 215), 370, 107).hills).toEqual([]);
  });

  it('puts names in the middle of their cities', () => {
    const { name } = planOf(cities, 1370, 380);
    const [short, long] = [nameOn(100, 'Roma', name), nameOn(100, 'Bologna', name)];
    expect(short).toBeGreaterThan(long);
    expect(short).toBeLessThan(100);
  });

  it('grows with a large screen', () => {
    const few = cities.slice(0, 8);
    const [usual, grown] = [planOf(few, 2400, 900), planOf(few, 2400, 900, 1.6)];
    expect(grown.tower).toBeGreaterThan(usual.tower * 1.3);
    expect(grown.token).toBeGreaterThan(usual.token * 1.3);
  });
});
