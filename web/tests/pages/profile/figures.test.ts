import { expect, test } from 'vitest';
import { curveOf } from '../../../src/pages/profile/figures';

test('points lie within the curve, and the line is the mean of the last five', () => {
  const { dots, line, most } = curveOf([10, 20, 30, 40, 50, 60]);
  expect(most).toBe(60);
  expect(dots.map(({ y }) => y * most)).toEqual([10, 20, 30, 40, 50, 60]);
  expect(line.map(({ y }) => Math.round(y * most))).toEqual([10, 15, 20, 25, 30, 40]);
  expect([dots[0]?.x, dots.at(-1)?.x]).toEqual([0, 1]);
});

test('a single game stands in the middle, and none is no trouble', () => {
  expect(curveOf([33]).dots).toEqual([{ x: 0.5, y: 33 / 40 }]);
  expect(curveOf([]).dots).toEqual([]);
  expect(curveOf([-3]).dots[0]?.y).toBe(0);
});
