import { expect, it, vi } from 'vitest';
import { errorsOf, marginFor, verdictOn } from '../../src/analysis/practice';
import type { Hint, LineAdvice } from '../../src/protocol';
import { analysisOf, choice, siena, turnOf } from './analyses';

const before = siena([0]);
const error = turnOf(1, 'mistake', {
  move: 'SI1:RR',
  choices: [choice('SI1:LL'), choice('SI1:LR', 0.015), choice('SI1:RR', 0.1)],
});
const never = () => Promise.reject(new Error('nobody is to be asked'));

function hint(move: string, share: number): Hint {
  return { move, share: [share, 1 - share], points: [30, 30], exact: false };
}

it('goes through the errors of one seat', () => {
  const turns = [error, turnOf(2, 'blunder'), turnOf(3, 'fine'), turnOf(5, 'inaccuracy')];
  expect(errorsOf(analysisOf(turns), 0).map((each) => each.turn)).toEqual([1, 5]);
});

it('asks for less with more players', () => {
  expect(marginFor(2)).toBeCloseTo(0.02);
  expect(marginFor(5)).toBeCloseTo(0.016);
});

it('knows the turns that were judged', async () => {
  const tried = (move: string, players = 2) => verdictOn(move, error, before, players, never);
  expect(await tried('SI1:LL')).toEqual({ move: 'SI1:LL', right: true, cost: 0 });
  expect((await tried('SI1:LR')).right).toBe(true); // within the margin
  expect((await tried('SI1:RR')).right).toBe(false);
});

it('asks the best bot about others', async () => {
  const about = hint('FI4:L', 0.39);
  const advice: LineAdvice = { candidates: [hint('SI1:LL', 0.4)], about };
  const advise = vi.fn(() => Promise.resolve(advice));
  const tried = await verdictOn('FI4:L', error, before, 2, advise);
  expect(advise).toHaveBeenCalledWith('FI4:L');
  expect(tried.right).toBe(true);
  expect(tried.cost).toBeCloseTo(0.01);
  advice.about = hint('FI4:L', 0.3);
  expect((await verdictOn('FI4:L', error, before, 2, advise)).right).toBe(false);
  advice.about = null;
  expect(await verdictOn('FI4:L', error, before, 2, advise)).toMatchObject({
    right: false,
    cost: null,
  });
});
