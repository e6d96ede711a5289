import { afterEach, describe, expect, it } from 'vitest';
import {
  LANGUAGES,
  list,
  number,
  plainNumber,
  pluralOf,
  preferred,
  speak,
  t,
  type Language,
  when,
} from '../../src/lib/i18n.svelte';

afterEach(() => speak('en'));

describe.each(Object.keys(LANGUAGES) as Language[])('%s', (language) => {
  it('counts as the browser itself would', async () => {
    await speak(language);
    const rules = new Intl.PluralRules(language);
    const numbers = new Intl.NumberFormat(language);
    for (const value of [...Array(1100).keys(), -1, -3, 0.5, 12345]) {
      expect([value, pluralOf(value)]).toEqual([value, rules.select(value)]);
      expect(plainNumber(value)).toBe(numbers.format(value).replace('-', '−'));
    }
    expect(number(-3)).toBe('−3'); // a minus sign, no hyphen
    expect(number(1500)).toBe('1500');
  });
});

it('puts values into a text', async () => {
  expect(t('nav.you', { name: 'Ada' })).toContain('Ada');
  expect(t('count.players', { count: 1 })).not.toBe(t('count.players', { count: 2 }));
  expect(t('count.players', { count: 4 })).toContain('4');
  await speak('de');
  expect(t('count.players', { count: 4 })).toBe('4 Spieler');
});

it('prefers the first language that we speak', () => {
  expect(preferred(['fr-FR', 'nl-BE', 'de'])).toBe('nl');
  expect(preferred(['fr'])).toBe('en');
});

it('lists words', async () => {
  expect([list([]), list(['Ada']), list(['Ada', 'Ben'])]).toEqual(['', 'Ada', 'Ada and Ben']);
  await speak('it');
  expect(list(['Ada', 'Ben', 'Cleo'])).toBe('Ada, Ben e Cleo');
});

it('says when something was, in few words', async () => {
  await speak('de');
  const now = new Date(2026, 10, 18, 20, 0);
  const told = (...at: [number, number, number, number, number]) =>
    when(new Date(...at).getTime() / 1000, now);
  expect(told(2026, 10, 18, 9, 37)).toBe('9:37');
  expect(told(2026, 10, 17, 9, 37)).toMatch(/^17\. Nov\.?, 0?9:37$/);
  expect(told(2025, 10, 18, 9, 37)).toMatch(/^18\. Nov\.? 2025$/);
});
