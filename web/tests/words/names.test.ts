import { expect, it } from 'vitest';
import { speak } from '../../src/lib/i18n.svelte';
import { botKind, botLevel, levelName, named, namesInRecord } from '../../src/words/names';
import { LEVELS } from '../../src/protocol';
import type { Alias, BotName } from '../../src/protocol';

const person = (name: string, alias: Alias | null = null) => ({
  state: 'person' as const,
  name,
  alias,
  level: null,
});
const bot = (level: BotName) => ({ state: 'bot' as const, name: '', alias: null, level });
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

it('calls guest bots by their own name, numbered where it is taken', () => {
  const seats = [person('ppo'), bot('guest:ppo'), bot('merchant'), bot('guest:ppo')];
  const live = namesOf(seats);
  expect(live).toEqual(['ppo', 'ppo 2', 'Bianca', 'ppo 3']);
  expect(namesInRecord(['ppo', 'Bot (ppo)', 'Bot (merchant)', 'Bot (ppo)'])).toEqual(live);
});

it('says what a bot is', async () => {
  await speak('en');
  expect([levelName('guest:ppo'), botKind('guest:ppo')]).toEqual(['ppo', 'Guest bot']);
  expect([levelName('doge'), botKind('doge')]).toEqual(['Doge', 'Doge']);
});

it('recognises the bots of a record', () => {
  expect(botLevel('Bot (merchant)')).toBe('merchant');
  expect(botLevel('Bot (king-2)')).toBe('guest:king-2'); // not ours
  expect(botLevel('Bot (toString)')).toBe('guest:toString');
  expect(botLevel('Bot ()')).toBeNull();
  expect(botLevel('Anna')).toBeNull();
});

it('calls guests and somebody in the reader’s language, at the table and in a record', async () => {
  await speak('it');
  const guest = person('Guest 6031', { kind: 'guest', number: 6031 });
  const gone = person('Somebody', { kind: 'somebody', number: null });
  expect(namesOf([guest, gone, person('Guest 6031')])).toEqual([
    'Ospite 6031',
    'Qualcuno',
    'Guest 6031', // who chose that name
  ]);
  expect(namesInRecord(['Guest 6031', 'Somebody', 'Guest of honour', 'Guest 12'])).toEqual([
    'Ospite 6031',
    'Qualcuno',
    'Guest of honour',
    'Guest 12',
  ]);
});
