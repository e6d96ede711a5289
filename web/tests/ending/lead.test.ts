import { expect, it } from 'vitest';
import { aheadFrom } from '../../src/ending/lead';

it('finds the turn from which on somebody was ahead for good', () => {
  const curve = [
    [0, 0],
    [5, 0],
    [5, 7],
    [9, 7],
    [9, 9],
    [9, 12],
    [9, 20],
  ];
  expect(aheadFrom(curve, 1)).toBe(5);
  expect(aheadFrom(curve, 0)).toBeNull();
});

it('finds none where points were equal at the end', () => {
  expect(aheadFrom([[0, 0], [4, 4]], 0)).toBeNull(); // prettier-ignore
});
