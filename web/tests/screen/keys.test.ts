import { expect, it } from 'vitest';
import { isArrow, nearest } from '../../src/screen/keys';

const grid = [
  { x: 0, y: 0 },
  { x: 100, y: 0 },
  { x: 0, y: 100 },
  { x: 100, y: 100 },
];

it('knows the arrow keys', () => {
  expect(isArrow('ArrowUp')).toBe(true);
  expect(isArrow('a')).toBe(false);
});

it('goes to what lies straight ahead', () => {
  expect(nearest({ x: 0, y: 0 }, grid, 'ArrowRight')).toBe(1);
  expect(nearest({ x: 0, y: 0 }, grid, 'ArrowDown')).toBe(2);
  expect(nearest({ x: 100, y: 100 }, grid, 'ArrowLeft')).toBe(2);
  expect(nearest({ x: 100, y: 100 }, grid, 'ArrowUp')).toBe(1);
});

it('stays where nothing lies ahead', () =>
  expect(nearest({ x: 100, y: 0 }, grid, 'ArrowRight')).toBeNull());
