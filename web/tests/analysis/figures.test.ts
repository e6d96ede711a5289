import { describe, expect, it } from 'vitest';
import {
  asPlayed,
  addingUp,
  betterThan,
  exactFrom,
  isPlayed,
  luckOf,
  nextError,
  rowOf,
  sharesOf,
} from '../../src/analysis/figures';
import type { SeatAccount } from '../../src/protocol';
import { analysisOf, choice, siena, turnOf } from './analyses';

const solved = { shares: [1, 0], points: [30, 20], exact: true };

describe('curves', () => {
  it('begin with the deal', () => {
    const analysis = analysisOf([turnOf(1, 'best'), turnOf(2, null, { after: solved })]);
    expect(sharesOf(analysis)).toEqual([
      [0.55, 0.45],
      [0.5, 0.5],
      [1, 0],
    ]);
    expect(luckOf(analysis, 0)).toEqual([0.05, 0.03, null]);
  });

  it('are exact from the first turn after which everything is solved', () => {
    const turns = [1, 2, 3, 4].map((n) => turnOf(n, 'best', n === 2 ? {} : { before: solved }));
    expect(exactFrom(analysisOf(turns))).toBe(3);
    expect(exactFrom(analysisOf([turnOf(1, 'best')]))).toBeNull();
  });

  it('lead from error to error', () => {
    const turns = ['best', 'mistake', 'fine', 'blunder'] as const;
    const analysis = analysisOf(turns.map((verdict, at) => turnOf(at + 1, verdict)));
    expect(nextError(analysis, 0, 1)).toBe(2);
    expect(nextError(analysis, 2, 1)).toBe(4);
    expect(nextError(analysis, 4, -1)).toBe(2);
    expect(nextError(analysis, 2, -1)).toBeNull();
  });
});

describe('sums', () => {
  it.each([
    [[33.3, 33.3, 33.4], 100, [33, 33, 34]],
    [[333.3, 210.4, -143.4, -0.3], 400, [333, 210, -143, 0]],
    [[-0.6, 0.6], 0, [-1, 1]],
  ])('add up as they are shown', (parts, total, shown) => {
    expect(addingUp(parts, total)).toEqual(shown);
  });

  it('add up for every account', () => {
    const account = {
      result: 1,
      fair: 0.333333,
      luck: { total: 0.210_448, deal: 0, cards: 0, hidden: 0 },
      own: -0.140_411,
      others: [0, 0.3, 0.29663],
      adjusted: 0.79,
      interval: [0.7, 0.9],
      verdicts: {},
    } as SeatAccount;
    const { start, luck, own, others, result } = rowOf(account);
    expect(start + luck + own + others).toBe(result);
    expect(result).toBe(1000);
  });
});

describe('the turn played', () => {
  it('is found among the choices', () => {
    const turn = turnOf(1, 'mistake', { move: 'SI1:RR@LU-MI' });
    expect(isPlayed(choice('SI1:RR@LU-MI'), turn, siena([0]))).toBe(true);
    expect(isPlayed(choice('SI1:RR'), turn, siena([0]))).toBe(true); // the messenger apart
    expect(isPlayed(choice('SI1:LL'), turn, siena([0]))).toBe(false);
    expect(isPlayed(choice('SI1:LL'), turn, siena())).toBe(true); // mirrored at a bare city
  });

  it('is told as it was played', () => {
    const turn = turnOf(1, 'mistake', { move: 'SI1:RR@LU-MI' });
    expect(asPlayed(choice('SI1:LL'), turn, siena())).toBe('SI1:RR');
    expect(asPlayed(choice('SI1:LL@LU-MI'), turn, siena())).toBe('SI1:RR@LU-MI');
    expect(asPlayed(choice('SI1:LL'), turn, siena([0]))).toBe('SI1:LL'); // another turn
  });

  it('is compared with the best if it was an error', () => {
    const choices = [choice('SI1:LL'), choice('SI1:RR', 0.1)];
    const before = siena([0]);
    const error = turnOf(1, 'mistake', { move: 'SI1:RR', choices });
    expect(betterThan(error, before)?.move).toBe('SI1:LL');
    expect(betterThan({ ...error, verdict: 'fine' }, before)).toBeNull();
    expect(betterThan({ ...error, move: 'SI1:LL' }, before)).toBeNull();
  });
});
