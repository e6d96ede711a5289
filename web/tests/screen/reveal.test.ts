import { expect, it } from 'vitest';
import { scrollTo } from '../../src/screen/reveal';

const room = { top: 0, bottom: 400 };

it('leaves alone what can be seen', () => {
  expect(scrollTo({ top: 0, bottom: 130 }, room)).toBe(0);
  expect(scrollTo({ top: 270, bottom: 400 }, room)).toBe(0);
});

it('scrolls up what lies under the hand, with a little air', () => {
  expect(scrollTo({ top: 350, bottom: 480 }, room)).toBe(88);
  expect(scrollTo({ top: 900, bottom: 1030 }, room)).toBe(638);
});

it('scrolls down to what lies above', () => {
  expect(scrollTo({ top: -60, bottom: 70 }, room)).toBe(-68);
});

it('shows the upper edge of what is too high', () => {
  expect(scrollTo({ top: 100, bottom: 520 }, room)).toBe(92);
});
