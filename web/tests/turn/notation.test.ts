import { describe, expect, it } from 'vitest';
import { citiesIn, citiesOf, other, readTurn } from '../../src/turn/notation';

describe('turns', () => {
  it('knows the cities that a turn touches', () => {
    expect(citiesIn('BO4:L')).toEqual(['BO']);
    expect(citiesIn('LU3:R>MI.L+SI@FE-VE')).toEqual(['LU', 'MI', 'SI', 'FE', 'VE']);
  });

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
