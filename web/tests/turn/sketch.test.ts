import { expect, it } from 'vitest';
import { sketchOf } from '../../src/turn/sketch';

it('draws both turns side by side', () => {
  const sketch = sketchOf(2, 'FI4:R', 'SI1:LL+RO');
  expect(sketch.seat).toBe(2);
  expect(sketch.cities.get('FI')).toEqual({ L: [], R: ['played'], moves: [], take: 'played' });
  expect(sketch.cities.get('SI')).toEqual({
    L: ['better', 'better'],
    R: [],
    moves: [],
    take: null,
  });
  expect(sketch.cities.get('RO')?.take).toBe('better');
});

it('draws once what both have in common', () => {
  const sketch = sketchOf(0, 'SI1:LR@LU-MI', 'SI1:LL@LU-MI');
  expect(sketch.cities.get('SI')).toEqual({
    L: ['both', 'better'],
    R: ['played'],
    moves: [],
    take: 'both',
  });
  expect(sketch.messengers).toEqual(new Map([['LU-MI', 'both']]));
});

it('draws moves from their towers', () => {
  const sketch = sketchOf(0, 'LU3:L>MI.L', 'LU3:L>MI.R');
  expect(sketch.cities.get('MI')?.moves).toEqual([
    { from: 'L', stroke: 'played' },
    { from: 'R', stroke: 'better' },
  ]);
  expect(sketchOf(0, 'LU3:L>MI.L', 'LU3:R>MI.L').cities.get('MI')?.moves).toEqual([
    { from: 'L', stroke: 'both' },
  ]);
});
