import { expect, test } from 'vitest';
import { numeral } from '../../src/art/numerals';

test('capacities in Roman figures, if wanted', () => {
  expect([5, 7, 9].map((value) => numeral(value, true))).toEqual(['V', 'VII', 'IX']);
  expect([5, 7, 9].map((value) => numeral(value, false))).toEqual(['5', '7', '9']);
  expect(numeral(12, true)).toBe('12'); // more than any city has
});
