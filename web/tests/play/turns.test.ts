import { describe, expect, it } from 'vitest';
import { citiesOf, other, readTurn, writeTurn } from '../../src/play/turns';

describe('turns', () => {
  it.each(['BO4:L', 'BO1:LR', 'FI3:R>BO.L', 'BO3:R+FI', 'BO4:L@MI-PA', 'LU3:R>MI.L+SI@FE-VE'])(
    'reads and writes %s',
    (text) => expect(writeTurn(readTurn(text))).toBe(text),
  );

  it('writes the floors of one on each site in the order of the record', () =>
    expect(writeTurn({ ...readTurn('BO1:LR'), sites: ['R', 'L'] })).toBe('BO1:LR'));

  it.each(['', 'BO4', 'BO4:', 'BO4:X', 'BO4:L@MI', 'BO4:L+FI>BO.L', 'BO4:L '])(
    'refuses %j',
    (text) => expect(() => readTurn(text)).toThrow(),
  );

  it('knows the parts of a turn', () =>
    expect(readTurn('LU3:R>MI.L+SI@FE-VE')).toEqual({
      card: 'LU3',
      city: 'LU',
      sites: ['R'],
      move: { city: 'MI', site: 'L' },
      draw: 'SI',
      messenger: 'FE-VE',
    }));

  it('knows two cities and two sites', () => {
    expect(citiesOf('MI-PA')).toEqual(['MI', 'PA']);
    expect(other('L')).toBe('R');
    expect(other('R')).toBe('L');
  });
});
