import { expect, it } from 'vitest';
import { EMPTY, type Draft, type Step } from '../../src/turn/draft';
import { whyNotCard, whyNotPair, whyNotSite } from '../../src/turn/why';
import type { View } from '../../src/protocol';
import { city } from './table';

const view = (changes: Partial<View> = {}) =>
  ({ viewer: 0, cities: [], messengers: [], ...changes }) as unknown as View;
const move: Step = { kind: 'move', towers: [], mayDecline: true };
const built: Draft = { ...EMPTY, card: 'BO4', sites: ['L'] };

it('says why a site cannot be chosen', () => {
  expect(whyNotSite(view(), null, EMPTY, city('BO'))).toBe('why.not-your-turn');
  expect(whyNotSite(view(), { kind: 'card', cards: [] }, EMPTY, city('BO'))).toBe('why.card-first');
  const site: Step = { kind: 'site', city: 'BO', sites: ['R'], left: 1, takes: 'BO' };
  expect(whyNotSite(view(), site, { ...EMPTY, card: 'BO4' }, city('LU'))).toBe('why.other-city');
  expect(whyNotSite(view(), site, { ...EMPTY, card: 'BO4' }, city('BO'))).toBe(
    'why.must-fill-site',
  );
});

it('says why a floor cannot be moved', () => {
  expect(whyNotSite(view(), move, built, city('BO'))).toBe('why.built-here');
  expect(whyNotSite(view(), move, built, city('MI', { winners: [0, 1] }))).toBe('why.scored');
  expect(whyNotSite(view(), move, built, city('PA', { left: [1] }))).toBe('why.no-floor');
  expect(whyNotSite(view(), move, built, city('PA', { left: [0] }))).toBe('why.empty-site');
});

it('says why a card cannot be taken', () => {
  expect(whyNotCard({ kind: 'draw', cities: ['BO'] }, city('PA'))).toBe('why.no-card');
  expect(
    whyNotCard(
      { kind: 'ready', turn: '', takes: 'BO', messengerFollows: false },
      city('PA', { card: 'BO1' }),
    ),
  ).toBe('why.forced-draw');
});

it('says why a messenger cannot lie somewhere', () => {
  expect(whyNotPair(view({ messengers: ['MI-PA'] }), 'BO', 'MI-PA')).toBe('why.messenger-pair');
  expect(whyNotPair(view({ cities: [city('MI', { messengers: 2 })] }), 'BO', 'MI-PA')).toBe(
    'why.messenger-two',
  );
  expect(whyNotPair(view(), 'BO', 'BO-FI')).toBe('why.messenger-city-built');
});
