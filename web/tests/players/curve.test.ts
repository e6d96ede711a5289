import { describe, expect, it } from 'vitest';
import { byRound, graphOf, positionAt, spread } from '../../src/players/curve';

describe('the curve of points', () => {
  it('goes from the first position to the last, in every line', () => {
    const graph = graphOf([
      [0, 0],
      [5, 0],
      [5, 20],
    ]);
    expect(graph.most).toBe(20);
    expect(graph.marks).toEqual([10, 20]);
    expect(graph.lines[0]).toEqual([
      { x: 0, y: 0 },
      { x: 0.5, y: 0.25 },
      { x: 1, y: 0.25 },
    ]);
    expect(graph.lines[1]?.at(-1)).toEqual({ x: 1, y: 1 });
  });

  it('never goes below its ground, and has one without any points', () => {
    expect(graphOf([[-3]])).toEqual({ most: 10, marks: [10], lines: [[{ x: 0, y: 0 }]] });
  });

  it('has fewer marks where there are many points', () => {
    expect(graphOf([[0], [71]]).marks).toEqual([20, 40, 60, 80]);
  });

  it('finds the position under a pointer', () => {
    expect(positionAt(0.5, 49)).toBe(24);
    expect(positionAt(-0.2, 49)).toBe(0);
    expect(positionAt(1.3, 49)).toBe(48);
  });

  it('keeps names apart and within its height', () => {
    const found = spread([50, 50, 51, 10, 98], 13, 0, 100);
    const sorted = [...found].sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; i++)
      expect(sorted[i]! - sorted[i - 1]!).toBeGreaterThanOrEqual(13);
    expect(sorted[0]).toBeGreaterThanOrEqual(0);
    expect(sorted.at(-1)).toBeLessThanOrEqual(100);
    expect(found[3]).toBe(10); // nobody is near it
  });

  it('takes a position a round, the last one included', () => {
    expect(byRound([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6]);
    expect(byRound([0, 1, 2, 3, 4], 3)).toEqual([0, 3, 4]);
  });
});
