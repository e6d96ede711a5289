import { expect, it } from 'vitest';
import { EMPTY, type Draft, type Step } from '../../src/turn/draft';
import { whyNotCard, whyNotPair, whyNotSite, type Barred } from '../../src/turn/why';

const barred: Barred = {
  'must-fill-site': ['BO1:LL'],
  'built-here': ['BO4>BO'],
  scored: ['>MI'],
  'empty-site': ['>BO.R', '>PA.R'],
  'no-card': ['+PA'],
  'forced-draw': ['BO4+'],
  'messenger-pair': ['@MI-PA'],
};
const card: Step = { kind: 'card', cards: [] };
const move: Step = { kind: 'move', towers: [], mayDecline: true };
const ready: Step = { kind: 'ready', turn: '', takes: 'BO', messengerFollows: false };
const built: Draft = { ...EMPTY, card: 'BO4', sites: ['L'] };

it('says why a site cannot be chosen', () => {
  const step: Step = { kind: 'site', city: 'BO', sites: ['R'], left: 1, takes: 'BO' };
  const half: Draft = { ...EMPTY, card: 'BO1', sites: ['L'] };
  expect(whyNotSite(barred, null, EMPTY, { city: 'BO', site: 'L' })).toBe('not-your-turn');
  expect(whyNotSite(barred, card, EMPTY, { city: 'BO', site: 'L' })).toBe('card-first');
  expect(whyNotSite(barred, step, half, { city: 'LU', site: 'L' })).toBe('other-city');
  expect(whyNotSite(barred, step, half, { city: 'BO', site: 'L' })).toBe('must-fill-site');
  expect(whyNotSite(barred, ready, built, { city: 'BO', site: 'L' })).toBe('not-now');
});

it('says why a floor cannot be moved: because of the card, of the city, or of the site', () => {
  expect(whyNotSite(barred, move, built, { city: 'BO', site: 'R' })).toBe('built-here');
  expect(whyNotSite(barred, move, built, { city: 'MI', site: 'L' })).toBe('scored');
  expect(whyNotSite(barred, move, built, { city: 'PA', site: 'R' })).toBe('empty-site');
  const elsewhere: Draft = { ...built, card: 'FI3' };
  expect(whyNotSite(barred, move, elsewhere, { city: 'BO', site: 'R' })).toBe('empty-site');
});

it('says why a card cannot be taken', () => {
  const draw: Step = { kind: 'draw', cities: ['BO'] };
  expect(whyNotCard(barred, null, EMPTY, 'PA')).toBe('not-your-turn');
  expect(whyNotCard(barred, card, EMPTY, 'PA')).toBe('card-first');
  expect(whyNotCard(barred, move, built, 'PA')).toBe('not-now');
  expect(whyNotCard(barred, draw, { ...built, card: 'FI3' }, 'PA')).toBe('no-card');
  expect(whyNotCard(barred, ready, built, 'LU')).toBe('forced-draw');
  expect(whyNotCard(barred, ready, { ...built, card: 'FI3' }, 'LU')).toBe('not-now');
});

it('says why a messenger cannot lie somewhere', () => {
  expect(whyNotPair(barred, 'MI-PA')).toBe('messenger-pair');
  expect(whyNotPair(barred, 'BO-FI')).toBe('not-now');
});
