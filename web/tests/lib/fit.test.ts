import { describe, expect, it } from 'vitest';
import { firstThatFits } from '../../src/lib/fit';

describe('the size of words in a place', () => {
  it.each([0, 1, 2, 6, 12, 13])('is number %i where that is the first to fit', (first) => {
    expect(firstThatFits(14, (size) => size >= first)).toBe(first);
  });

  it('is the smallest where none fits', () => {
    expect(firstThatFits(14, () => false)).toBe(13);
  });

  it('is found with few attempts, as each lays the page out again', () => {
    const tried = new Set<number>();
    firstThatFits(14, (size) => tried.add(size) && size >= 11);
    expect(tried.size).toBeLessThanOrEqual(5);
    tried.clear();
    firstThatFits(14, (size) => !!tried.add(size));
    expect([...tried]).toEqual([0]);
  });
});
