import { beforeAll, expect, it } from 'vitest';
import { loadTopic, speak } from '../../src/lib/i18n.svelte';
import type { Moment, ViewDeck } from '../../src/protocol';
import { effectWords, greatest, momentWords } from '../../src/words/moments';
import { analysisOf, turnOf } from '../analysis/analyses';

const deck: ViewDeck = { name: 'classic', cards: { SI1: '2', RO4: 'K*' } };
const names = ['Anna', 'Bianca'];
const analysis = analysisOf([
  turnOf(1, 'blunder', {
    refill: 'RO4',
    why: [
      { kind: 'loses', of: 'played' },
      { kind: 'gives', of: 'played', city: 'SI', seat: 1, points: 7 },
    ],
  }),
  turnOf(2, 'blunder', { why: [{ kind: 'loses', of: 'played' }] }),
]);
const moment = (changes: Partial<Moment>): Moment => ({
  turn: 1,
  kind: 'error',
  seat: 0,
  change: [-0.2, 0.2],
  ...changes,
});
const told = (changes: Partial<Moment>) => momentWords(moment(changes), analysis, names, deck);

beforeAll(async () => {
  await speak('en');
  await loadTopic('analysis');
});

it('tells what happened', () => {
  expect(told({ kind: 'deal', turn: 0 })).toBe('The deal is against Anna.');
  expect(told({ kind: 'card' })).toBe('Roma (a Knight) turns up at Siena.');
  expect(told({})).toBe('Anna completes Siena, and Bianca gets 7.');
  expect(told({ turn: 2, seat: 1 })).toBe('Bianca plays Siena (two crests), both left.');
});

it('tells whom it concerned, also where somebody decided among others', () => {
  expect(effectWords(moment({}), names)).toBe('−20% for Anna');
  expect(effectWords(moment({ kind: 'card', change: [0.1, -0.1] }), names)).toBe(
    '+10% luck for Anna',
  );
  expect(effectWords(moment({ change: [0, 0.5, -0.5] }), names)).toBe('+50% for Bianca');
  expect(effectWords(moment({ change: [-0.01, 0.3, -0.29] }), names)).toBe('+30% for Bianca');
});

it('finds the greatest', () => {
  const small = moment({ change: [0.1, -0.1] });
  expect(greatest([small, moment({})])).toEqual(moment({}));
  expect(greatest([])).toBeNull();
});
