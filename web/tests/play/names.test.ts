import { expect, it } from 'vitest';
import { named } from '../../src/play/names';

const seat = (number: number, state: 'bot' | 'person', name = '') => ({
  seat: number,
  state,
  name,
});

it('names bots, each otherwise, the same on every screen', () => {
  const seats = [
    seat(0, 'person', 'Anna'),
    seat(1, 'bot'),
    seat(2, 'bot'),
    seat(3, 'bot'),
    seat(4, 'bot'),
  ];
  for (const table of ['a', 'QmFzZQ', 'zzzzzzzzzzzzzzzz']) {
    const names = named(table, seats).map((each) => each.name);
    expect(names[0]).toBe('Anna');
    expect(new Set(names).size).toBe(5);
    expect(names).not.toContain('');
    expect(named(table, seats).map((each) => each.name)).toEqual(names);
  }
});

it('never gives a bot the name of a person at the table', () => {
  const seats = [seat(0, 'person', 'Cosimo'), ...[1, 2, 3, 4].map((number) => seat(number, 'bot'))];
  for (let table = 0; table < 50; table += 1)
    expect(new Set(named(String(table), seats).map((each) => each.name)).size).toBe(5);
});
