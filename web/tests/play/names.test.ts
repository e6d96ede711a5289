import { expect, it } from 'vitest';
import { botLevel, named, namesInRecord } from '../../src/play/names';
import type { Level } from '../../src/protocol';

const LEVELS: Level[] = ['apprentice', 'merchant', 'banker', 'doge'];
const person = (name: string) => ({ state: 'person' as const, name, level: null });
const bot = (level: Level) => ({ state: 'bot' as const, name: '', level });
const namesOf = (seats: Parameters<typeof named>[0]) => named(seats).map((seat) => seat.name);

it('names bots, each otherwise', () => {
  for (const one of LEVELS)
    for (const two of LEVELS) {
      const names = namesOf([person('Anna'), bot(one), bot(two), bot(one), bot(two)]);
      expect(names[0]).toBe('Anna');
      expect(new Set(names).size).toBe(5);
      expect(names).not.toContain('');
    }
});

it('never gives a bot the name of a person at the table', () => {
  for (const level of LEVELS)
    for (const name of namesOf(Array.from({ length: 5 }, () => bot(level)))) {
      const names = namesOf([bot(level), bot(level), bot(level), bot(level), person(name)]);
      expect(new Set(names).size).toBe(5);
    }
});

it('names the same rivals in the next game, wherever they sit', () => {
  const now = namesOf([person('Anna'), bot('merchant'), bot('merchant'), bot('doge')]);
  const next = namesOf([bot('doge'), bot('merchant'), person('Anna'), bot('merchant')]);
  expect([...next].sort()).toEqual([...now].sort());
  expect(next[0]).toBe(now[3]);
});

it('names bots in a record as at the table', () => {
  const live = namesOf([person('Anna'), bot('merchant'), bot('banker'), bot('merchant')]);
  expect(namesInRecord(['Anna', 'Bot (merchant)', 'Bot (banker)', 'Bot (merchant)'])).toEqual(live);
  expect(namesInRecord(['', 'Bot (merchant)'])[0]).toBe('');
});

it('recognises the bots of a record', () => {
  expect(botLevel('Bot (merchant)')).toBe('merchant');
  expect(botLevel('Bot (king)')).toBeNull();
  expect(botLevel('Bot (toString)')).toBeNull();
  expect(botLevel('Anna')).toBeNull();
});
