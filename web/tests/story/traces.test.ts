import { expect, it } from 'vitest';
import { tracesOf } from '../../src/story/traces';
import { board, city } from '../turn/table';

const SIENA = city('SI', { left: [0, 1], right: [1], leaders: [1, 1], taller: 'L', card: 'RO1' });

it('finds nothing where nothing has changed', () => {
  const { cities, messengers } = tracesOf(board([SIENA]), board([{ ...SIENA }]));
  expect([...cities]).toEqual([]);
  expect(messengers).toEqual([]);
});

it('marks floors on top of what has stayed, whoever built them', () => {
  const after = { ...SIENA, left: [0, 1, 2, 0] as (0 | 1 | 2)[], right: [0 as const] };
  const trace = tracesOf(board([SIENA]), board([after])).cities.get('SI');
  expect(trace).toEqual({ floors: { L: [2, 3], R: [0] }, tokens: [], card: false });
});

it('marks no floor of a tower that has only lost some', () => {
  const after = { ...SIENA, left: [0 as const] };
  expect(tracesOf(board([SIENA]), board([after])).cities.get('SI')).toBeUndefined();
});

it('marks tokens that would go to somebody else, are another one, or were taken', () => {
  const tokens = (change: Partial<typeof SIENA>) =>
    tracesOf(board([SIENA]), board([{ ...SIENA, ...change }])).cities.get('SI')?.tokens ?? [];
  expect(tokens({ leaders: [0, 1] })).toEqual(['L']);
  expect(tokens({ taller: null })).toEqual(['L', 'R']);
  expect(tokens({ winners: [1, 1] })).toEqual(['L', 'R']);
  expect(tokens({ leaders: [1, null] })).toEqual([]); // an empty site
});

it('marks a new card, but not an empty place, and a new messenger', () => {
  const turnedUp = board([{ ...SIENA, card: 'BO5' }], { messengers: ['LU-SI'] });
  const traces = tracesOf(board([SIENA]), turnedUp);
  expect(traces.cities.get('SI')?.card).toBe(true);
  expect(traces.messengers).toEqual(['LU-SI']);
  expect(tracesOf(turnedUp, turnedUp).messengers).toEqual([]);
  expect(tracesOf(board([SIENA]), board([{ ...SIENA, card: null }])).cities.size).toBe(0);
});
